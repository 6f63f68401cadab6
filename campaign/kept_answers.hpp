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

/// Outputs of an engine in a run: until they are in its store, and again when its causes are looked for. Thread-safe.
class KeptAnswers {
 public:
  /// Beyond `most_bytes` of outputs, with what was forgotten since, nothing more is kept: those cases have no part in
  /// the model.
  explicit KeptAnswers(std::size_t most_bytes = std::size_t{256} << 20) : most_bytes_(most_bytes) {}

  /// Keeps what was compared of a trial; nothing where nothing was.
  void keep(const Trial& trial, const oracle::Answers& answers);
  /// Keeps what the runs of a broken law gave, all of them in their order.
  void keep_runs(const Trial& trial, std::vector<Outputs> runs);

  /// Takes over what was stored of these findings, so far as answered() is to have it. What cannot be read has no part
  /// in the model.
  void take_over(const std::vector<Finding>& findings, const std::vector<reports::StoredAnswer>& stored);
  /// The same of an engine's answers in a store, one at a time.
  void take_over(const std::vector<Finding>& findings, const reports::Store& store, const std::string& engine);

  /// Answers to the findings as a store keeps them.
  std::vector<reports::StoredAnswer> to_store(const std::vector<Finding>& findings) const;

  /// Drops what is kept of these findings, which a store has by now, where their lines say all of the case.
  void forget(const std::vector<Finding>& findings);

  /// The findings, which must outlive it, with what was kept of them: where no answer is wrong, of those that show a
  /// reading alone. `declared`: the engine's contract; `proved`: the readings that it follows.
  std::vector<causes::Answered> answered(const std::vector<Finding>& findings, std::optional<ContractId> declared,
                                         const ProvedReadings& proved) const;

 private:
  struct Kept {
    Case c;
    std::vector<Outputs> runs;  ///< the case, then with all outputs if it was asked so; or all of a law
  };

  /// Findings whose answers causes rest on, by suite and number.
  using Wanted = std::map<std::pair<std::string, std::int64_t>, const Finding*>;

  static Wanted wanted_of(const std::vector<Finding>& findings);
  void take_over(const Wanted& wanted, const reports::StoredAnswer& answer);
  void keep(const std::string& suite, std::int64_t number, Kept kept);

  mutable std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  std::map<std::pair<std::string, std::int64_t>, Kept> kept_;  ///< by suite and number
};

/// Puts findings into a store with what is kept of them, and drops that. `kept`: null where nothing may be kept.
void save(reports::Store& store, const std::vector<Finding>& findings, KeptAnswers* kept);

}  // namespace cellproof::campaign
