#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "causes/answered.hpp"

#include "campaign/case_trial.hpp"
#include "campaign/proved_readings.hpp"
#include "oracle/answers.hpp"

namespace cellproof::campaign {

/// Outputs of an engine in a run, kept until its causes are looked for. Thread-safe.
class KeptAnswers {
 public:
  /// Beyond `most_bytes` of outputs nothing more is kept: those cases have no part in the model.
  explicit KeptAnswers(std::size_t most_bytes = std::size_t{256} << 20) : most_bytes_(most_bytes) {}

  /// Keeps what was compared of a trial; nothing where nothing was.
  void keep(const Trial& trial, const oracle::Answers& answers);

  /// The findings, which must outlive it, with what was kept of them. `declared`: the engine's contract; `proved`: the
  /// readings that it follows.
  std::vector<causes::Answered> answered(const std::vector<Finding>& findings, std::optional<ContractId> declared,
                                         const ProvedReadings& proved) const;

 private:
  struct Kept {
    Case c;
    Outputs outputs;
    std::optional<Outputs> all_outputs;
  };

  mutable std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  std::map<std::pair<std::string, std::int64_t>, Kept> kept_;  ///< by suite and number
};

}  // namespace cellproof::campaign
