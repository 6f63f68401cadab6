#include "campaign/law_trial.hpp"

#include <fmt/format.h>

#include <utility>

namespace cellproof::campaign {
LawAnswer answer_to_law(const fuzz::Law& law, const Problem& problem, const engines::Probe& engine,
                        const fuzz::ThreadedProbe& threaded, const fuzz::Declared& declared) {
  using Kind = fuzz::LawResult::Kind;
  fuzz::LawResult result = fuzz::try_law(law, problem, engine, threaded, declared);
  LawAnswer answer;
  answer.outcome.kind = OutcomeKind::Ran;
  answer.only_bits_differ = result.only_bits_differ;
  switch (result.kind) {
    case Kind::Holds:
      answer.judgement.verdict = Verdict::Conforms;
      break;
    case Kind::Broken:
      answer.judgement.verdict = Verdict::Diverges;
      // Every law finds it, and none says more of it: one group, and not one for each law.
      answer.judgement.kind = result.agree_on_nan ? ViolationKind::Nan : ViolationKind::Law;
      answer.judgement.reason.found = fmt::format("{}: {}", law.what, result.message);
      break;
    case Kind::NotApplicable:
      answer.judgement.verdict = Verdict::Undecided;
      answer.judgement.reason.found = fmt::format("law {} says nothing of this case or this engine", law.id);
      break;
    case Kind::Refused:
    case Kind::Died:
      answer.outcome = *std::move(result.ended);
      answer.outcome.message = fmt::format("law {}: {}", law.id, result.message);
      break;
  }
  return answer;
}

}  // namespace cellproof::campaign
