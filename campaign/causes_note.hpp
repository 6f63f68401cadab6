#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "causes/engine_model.hpp"

#include "campaign/case_trial.hpp"
#include "campaign/kept_answers.hpp"
#include "spec/cause.hpp"
#include "spec/engine_note.hpp"

namespace cellproof::campaign {

/// Causes of an engine's failures as far as a run found them.
struct FoundCauses {
  std::vector<Cause> causes;
  std::string cut_short;  ///< where the search was ended early, and what that means; "" where it was not
};

/// The search for the causes of an engine with some findings. It begins at once, in a thread of its own, and goes on
/// while the findings are explained.
class CausesSearch {
 public:
  /// All must outlive it, and of the findings no more may change than signatures and reductions.
  /// `is_over`: is there no time left?
  CausesSearch(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
               std::function<bool()> is_over);

  /// Waits for its end. `ask`: the engine, for cases that are made to tell causes apart; `reduce`: as it is for a
  /// model (causes/); both may be empty. Once.
  FoundCauses found(const engines::Probe& ask = {}, const causes::ReduceCauses& reduce = {});

 private:
  const std::vector<Finding>& findings_;
  std::vector<causes::Answered> answered_;
  std::optional<causes::ModelSearch> model_;
  std::future<void> searching_;  ///< the thread's, which uses all of the above
};

/// The same, begun and waited for.
FoundCauses causes_of(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                      const std::function<bool()>& is_over, const engines::Probe& ask = {});

/// Returns what was found as notes on the engine, Causes and CausesCutShort; only those that say something. Titles come
/// into the issues that lie in the findings' reduced folders, below the folder of a report.
EngineNotes notes_on_causes(const FoundCauses& found, const std::vector<Finding>& findings,
                            const EngineUnderTest& engine, const std::filesystem::path& report);

}  // namespace cellproof::campaign
