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
#include "reports/store.hpp"

namespace cellproof::campaign {

/// Outputs of an engine in a run, kept until its causes are looked for. Thread-safe.
class KeptAnswers {
 public:
  /// Beyond `most_bytes` of outputs nothing more is kept: those cases have no part in the model.
  explicit KeptAnswers(std::size_t most_bytes = std::size_t{256} << 20) : most_bytes_(most_bytes) {}

  /// Keeps what was compared of a trial; nothing where nothing was.
  void keep(const Trial& trial, const oracle::Answers& answers);

  /// Takes over what a run before has stored of these findings. What cannot be read has no part in the model.
  void take_over(const std::vector<Finding>& findings, const std::vector<reports::StoredAnswer>& stored);

  /// Answers to the findings as a store keeps them.
  std::vector<reports::StoredAnswer> to_store(const std::vector<Finding>& findings) const;

  /// The findings, which must outlive it, with what was kept of them: where no answer is wrong, of those that show a
  /// reading alone. `declared`: the engine's contract; `proved`: the readings that it follows.
  std::vector<causes::Answered> answered(const std::vector<Finding>& findings, std::optional<ContractId> declared,
                                         const ProvedReadings& proved) const;

 private:
  struct Kept {
    Case c;
    Outputs outputs;
    std::optional<Outputs> all_outputs;
  };

  void keep(const std::string& suite, std::int64_t number, Kept kept);

  mutable std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  std::map<std::pair<std::string, std::int64_t>, Kept> kept_;  ///< by suite and number
};

/// The same of answers that may not be kept: null.
inline std::vector<reports::StoredAnswer> stored_answers(const KeptAnswers* kept,
                                                         const std::vector<Finding>& findings) {
  return kept == nullptr ? std::vector<reports::StoredAnswer>{} : kept->to_store(findings);
}

}  // namespace cellproof::campaign
