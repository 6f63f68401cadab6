#include "spec/reason_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "spec/contract_sources.hpp"
#include "spec/finding_words.hpp"
#include "spec/operator.hpp"

namespace cellproof {
namespace {

std::string names_of(const std::vector<ContractId>& contracts) {
  std::vector<std::string_view> names;
  names.reserve(contracts.size());
  for (const ContractId contract : contracts) names.push_back(name(contract));
  return fmt::format("{}", fmt::join(names, " or "));
}

std::string differences_of(const Readings& readings, const char* separator = ", ") {
  return fmt::format("{}", fmt::join(readings.differences(), separator));
}

std::int64_t count(const Judgement& judgement, ElementClass c) {
  return judgement.elements[static_cast<std::size_t>(c)];
}

std::int64_t total(const Judgement& judgement) {
  return std::accumulate(judgement.elements.begin(), judgement.elements.end(), std::int64_t{0});
}

std::string share_verified(const Judgement& judgement) {
  const std::int64_t verified = count(judgement, ElementClass::Exact) + count(judgement, ElementClass::Rounding);
  return fmt::format("{} of {} elements", verified, total(judgement));
}

/// The runtime settings that give the arithmetic that outputs look like.
std::string who_computes_so(const Judgement& judgement) {
  if (!std::holds_alternative<reason::LooksLike>(judgement.reason.searched)) return "";
  const std::string settings = runtime_settings(judgement.contract);
  return settings.empty() ? "" : fmt::format(" (computes so: {})", settings);
}

std::string said(const reason::Answered& answer) {
  return answer.words.empty() ? std::string(name(answer.outcome))
                              : fmt::format("{}: {}", name(answer.outcome), answer.words);
}

/// The sentence of what was found under one hypothesis.
struct Found {
  const Judgement& judgement;

  std::string operator()(const Words& words) const { return words; }

  std::string operator()(const reason::Verified&) const {
    if (total(judgement) == 0) return "number, types and shapes of the outputs are right; there are no values to judge";
    return share_verified(judgement) + " verified";
  }

  std::string operator()(const reason::TooLittle& found) const {
    std::string why;
    const auto add = [&](ElementClass c, const char* what) {
      if (const std::int64_t n = count(judgement, c)) why += fmt::format("{}{} {}", why.empty() ? "" : ", ", n, what);
    };
    add(ElementClass::Unresolved, "with a bound too wide to say anything");
    add(ElementClass::Unverifiable, "after a permitted overflow or NaN");
    add(ElementClass::Unspecified, "that no reading fixes");
    return fmt::format(
        "too little verified: of {} elements, {}{}", total(judgement), why,
        found.without_Y ? "; expose Y: give the node its first output, and each step is judged by itself" : "");
  }

  std::string operator()(const reason::StillOpen& open) const {
    return fmt::format("{} bits do not tell on which side of its bound {} lies", judgement.bits,
                       open.elements == 1 ? "an element" : fmt::format("each of {} elements", open.elements));
  }

  std::string operator()(const reason::BeyondBound& beyond) const {
    return first(beyond) + (beyond.worst_case_admits
                                ? "; beyond what usual orders of summation lead to, though a worst case admits it"
                                : "");
  }

  std::string operator()(const reason::WrongOutput&) const { return expected_text(judgement.first.value()); }

  std::string operator()(const reason::ChangedOutput&) const {
    const FirstViolation& first = judgement.first.value();
    return fmt::format("asking for Y changes another output: {} is {} without Y and {} with it", place_name(first),
                       actual_text(first), expected_text(first));
  }

  std::string operator()(const reason::FaultNotThere& found) const {
    return fmt::format("the outputs show that {} is not there", found.fault);
  }

  std::string operator()(const reason::Misbehaved& found) const {
    return fmt::format("the engine {}", describe(found.misconduct));
  }

  std::string operator()(const reason::Answered& answer) const {
    using As = reason::Answered::As;
    const std::string rule = answer.words.empty() ? "a rule" : answer.words;
    switch (answer.as) {
      case As::Is:
        break;
      case As::Tolerated:
        return fmt::format("{}; refusing is tolerated here", said(answer));
      case As::Admissible:
        return fmt::format("refused, which is admissible under {}", differences_of(judgement.readings, " or "));
      case As::TwinNotRun:
        return "refused, but nothing shows that the broken rule is why: no valid twin was run";
      case As::TwinRefused:
        return fmt::format("refused, but so is the same problem with the rule repaired ({})", said(answer));
      case As::Refused:
        return fmt::format("refused: {}", rule);
      case As::RanThoughInvalid:
        return fmt::format("ran a problem that must be refused: {}", rule);
    }
    return said(answer);
  }

  std::string first(const reason::BeyondBound& beyond) const {
    const FirstViolation& first = judgement.first.value();
    const std::string where = place_name(first), expected = expected_text(first), actual = actual_text(first);
    if (judgement.kind == ViolationKind::Padding)
      return fmt::format("{} lies beyond its sequence's end and is {}, expected {}", where, actual, expected);
    if (judgement.kind == ViolationKind::State) {
      return first.step
                 ? fmt::format("{} is {}, but the last step of that sequence in Y is {}", where, actual, expected)
                 : fmt::format("{} is {}, expected {} for a sequence of no steps", where, actual, expected);
    }
    const std::string_view basis =
        beyond.from_own_state ? "one step from the engine's own state gives" : "the specification gives";
    const std::string bound = first.bound ? fmt::format(" +- {:.2g}", *first.bound) : "";
    return fmt::format("{} differs from step {} of the {} direction on: {} is {} where {} {}{}", output_name(first),
                       first.step.value_or(0), name(first.direction.value_or(Direction::Forward)), where, actual, basis,
                       expected, bound);
  }
};

std::string said_of(const reason::FaultsNotTried& untried) {
  if (untried.faults == 0) return "";
  return fmt::format("; {} not tried: the node has {} weights",
                     untried.faults == 1 ? "1 fault" : fmt::format("{} faults", untried.faults), untried.weights);
}

/// Words on other hypotheses, which come before the sentence of what was found.
struct Searched {
  const Judgement& judgement;

  std::string operator()(std::monostate) const { return ""; }

  std::string operator()(const reason::OpenUnder& open) const {
    return fmt::format("neither proved nor excluded under {}; by default, ", differences_of(open.readings));
  }

  std::string operator()(const reason::NotAllTried& untried) const {
    return untried.clause
               ? fmt::format("the readings of {} cannot be computed yet; by default, ", info(*untried.clause).id)
               : fmt::format("{} combinations of readings are too many to try; by default, ", untried.combinations);
  }

  std::string operator()(const reason::Unconfirmed& doubtful) const {
    const std::string differences = differences_of(doubtful.readings);
    const std::string contract =
        doubtful.contract ? fmt::format("{}{}", name(*doubtful.contract), differences.empty() ? "" : " with ") : "";
    return fmt::format("double excludes {}{}, which balls do not confirm; by default, ", contract, differences);
  }

  std::string operator()(const reason::ConformsUnder&) const {
    return fmt::format("conforms under {}: ", differences_of(judgement.readings));
  }

  std::string operator()(const reason::LooksLike& like) const {
    const std::string with =
        judgement.readings.are_default() ? "" : fmt::format(" with {}", differences_of(judgement.readings));
    const std::string verified = like.in_part ? ", which verifies " + share_verified(judgement) : "";
    return fmt::format("looks like {}{}{}; under {}, ", names_of(like.contracts), with, verified, name(like.own));
  }
};

}  // namespace

std::string to_text(const BrokenOutput& broken) {
  switch (broken.kind) {
    case BrokenOutput::Kind::Missing:
      break;
    case BrokenOutput::Kind::Type:
      return fmt::format("{} is {}, expected {}", output_name(broken.position), onnx_name(broken.type),
                         onnx_name(broken.expected_type));
    case BrokenOutput::Kind::Shape:
      return fmt::format("{} has shape {}, expected {}", output_name(broken.position), to_string(broken.shape),
                         to_string(broken.expected_shape));
    case BrokenOutput::Kind::NotAskedFor:
      return fmt::format("an output came at position {} that was not asked for", broken.position);
  }
  return fmt::format("{} was asked for and did not come", output_name(broken.position));
}

std::string sentence_of(const Judgement& judgement) {
  const Reason& reason = judgement.reason;
  return std::visit(Searched{judgement}, reason.searched) + std::visit(Found{judgement}, reason.found) +
         (reason.with_all_outputs ? " (judged in a run that asks for all outputs)" : "") + who_computes_so(judgement) +
         said_of(reason.untried) + reason.besides;
}

}  // namespace cellproof
