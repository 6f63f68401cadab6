#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/case_trial.hpp"
#include "campaign/pipelined_worker.hpp"
#include "campaign/reduce_causes.hpp"
#include "campaign/run.hpp"
#include "engines/probe.hpp"
#include "reports/store.hpp"
#include "spec/cause.hpp"

namespace cellproof::campaign {

/// Smaller cases of an engine's findings: kept with these, in the store, and as folders below the report.
struct SmallerCases {
  const RunOptions& options;
  const EngineUnderTest& engine;
  const std::string& argument;  ///< what `--engine` takes
  reports::Store& store;
  PipelinedWorker& worker;
  std::function<bool()> late;
  std::function<void()> on_answer = {};  ///< after each question; may be empty

  /// For some of the signatures.
  void of_signatures(std::vector<Finding>& findings) const;
  /// For the causes of which no case is reduced to the end. Returns whether any finding has a better reduction now.
  bool of_causes(const causes::Modelled& model, std::vector<Finding>& findings, Attempts& attempts) const;

 private:
  engines::Probe probe() const;
  std::function<void(Finding&)> writing() const;
  void keep(const std::vector<std::size_t>& reduced, const std::vector<Finding>& findings) const;
};

}  // namespace cellproof::campaign
