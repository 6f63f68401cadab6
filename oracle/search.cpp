#include "oracle/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "oracle/contract.hpp"
#include "oracle/contracts_tried.hpp"
#include "oracle/name_faults.hpp"
#include "oracle/structure.hpp"
#include "oracle/task.hpp"
#include "oracle/try_hypothesis.hpp"
#include "spec/evidence.hpp"

namespace cellproof::oracle {
namespace {

constexpr std::size_t most_combinations = 256;

void add_unless_there(std::vector<Readings>& list, const Readings& readings) {
  if (readings == Readings{} || std::ranges::find(list, readings) != list.end()) return;
  list.push_back(readings);
}

std::vector<Readings> combinations(const std::vector<const ClauseInfo*>& clauses) {
  std::vector<Readings> all{Readings{}};
  for (const ClauseInfo* clause : clauses) {
    const std::size_t before = all.size();
    for (const std::string_view value : other_values(*clause)) {
      for (std::size_t k = 0; k < before; ++k) all.push_back(all[k].with(clause->clause, value));
    }
  }
  std::ranges::stable_sort(all, {}, [](const Readings& r) { return r.differences().size(); });
  return all;
}

/// Of the readings to be tried those that some contract may yet explain. Most are excluded under all contracts at once,
/// which is found out when their turn comes, and once.
class Candidates {
 public:
  Candidates(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs, std::vector<Readings> readings,
             const Arithmetic& together, const EngineContext& engine)
      : engine_(engine),
        problem_(problem),
        outputs_(outputs),
        readings_(std::move(readings)),
        together_(together),
        twice_(doubled(together)) {}

  /// The k-th of them, nullptr at the end.
  const Readings* at(std::size_t k) {
    engine_.pass_checkpoint();
    for (; left_.size() <= k && next_ < readings_.size(); ++next_) {
      engine_.pass_checkpoint();
      if (excluded_by_far(readings_[next_])) continue;
      const bool excluded =
          excluded_under(problem_, outputs_, readings_[next_], together_, Confirm::Later, &likeliest_);
      (excluded ? excluded_closely_ : left_).push_back(next_);
    }
    return k < left_.size() ? &readings_[left_[k]] : nullptr;
  }

  /// All that `double` does not exclude by more than twice what all contracts together allow.
  std::vector<Readings> not_excluded_by_far() {
    at(readings_.size());
    std::vector<Readings> close;
    for (const auto* list : {&left_, &excluded_closely_}) {
      for (const std::size_t k : *list) close.push_back(readings_[k]);
    }
    return close;
  }

  /// By so much that the error of `double` cannot matter: then no contract allows it, and balls need not be asked.
  bool excluded_by_far(const Readings& readings) {
    return excluded_under(problem_, outputs_, readings, twice_, Confirm::Later, &likeliest_);
  }

 private:
  const EngineContext& engine_;
  const Problem& problem_;
  const std::vector<std::optional<Tensor>>& outputs_;
  std::vector<Readings> readings_;
  const Arithmetic& together_;
  Arithmetic twice_;
  std::optional<Stretch> likeliest_;  ///< the place of the last violation
  std::vector<std::size_t> left_, excluded_closely_;
  std::size_t next_ = 0;
};

/// A divergence is claimed against every reading under every contract. Most are excluded in `double`: are they in
/// balls, too? The first that is not, if any.
std::optional<std::string> unconfirmed(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                                       Candidates& candidates, const ContractsTried& contracts) {
  const auto is_refuted = [&](const Readings& choice, const Arithmetic& arithmetic) {
    return excluded_under(problem, outputs, choice, arithmetic, Confirm::Later) &&
           !excluded_under(problem, outputs, choice, arithmetic, Confirm::Now);
  };
  std::vector<Readings> close = candidates.not_excluded_by_far();
  if (!candidates.excluded_by_far(Readings{})) close.emplace_back();
  for (const Readings& choice : close) {
    // What all contracts together do not allow, none does.
    if (excluded_under(problem, outputs, choice, contracts.together, Confirm::Now)) continue;
    for (const ContractId wide : contracts.wider) {
      if (is_refuted(choice, arithmetic_of(wide, value_type(problem))))
        return fmt::format("{}{}{}", name(wide), choice.differences().empty() ? "" : " with ",
                           fmt::join(choice.differences(), ", "));
    }
    if (!(choice == Readings{}) && is_refuted(choice, arithmetic_of(contracts.base, value_type(problem))))
      return fmt::format("{}", fmt::join(choice.differences(), ", "));
  }
  return std::nullopt;
}

/// A search among readings under one contract.
struct Attempt {
  std::optional<Readings> conforming, open;  ///< `open`: nothing is disproved under it, but too little verified
  bool suspect = false;
};

Attempt try_readings(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs, Candidates& candidates,
                     ContractId contract) {
  Attempt attempt;
  for (std::size_t k = 0; const Readings* readings = candidates.at(k); ++k) {
    const Verdict verdict = verdict_under(problem, outputs, {*readings, contract});
    if (verdict == Verdict::Conforms) {
      attempt.conforming = *readings;
      return attempt;
    }
    if (verdict == Verdict::Undecided && !attempt.open) attempt.open = *readings;
    attempt.suspect = attempt.suspect || verdict == Verdict::Suspect;
  }
  return attempt;
}

std::int64_t count_of(const Judgement& judgement, ElementClass c) {
  return judgement.elements.at(static_cast<std::size_t>(c));
}

std::size_t offset_in(const Tensor& tensor, const std::vector<std::int64_t>& index) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) offset = offset * tensor.shape().at(axis) + index[axis];
  return static_cast<std::size_t>(offset);
}

/// The outputs with one element of Y as it should be, also where Y_h repeats it.
std::vector<std::optional<Tensor>> repaired(const Problem& problem, std::vector<std::optional<Tensor>> outputs,
                                            const FirstViolation& first) {
  Tensor& Y = *outputs[output::Y];
  const std::size_t place = offset_in(Y, first.index);
  const double damaged = Y.value(place), right = std::strtod(first.expected.c_str(), nullptr);
  Y.set_value(place, right);
  if (outputs.size() > output::Y_h && outputs[output::Y_h]) {
    std::vector<std::int64_t> state = first.index;
    state.erase(state.begin() + (problem.attributes.layout.value_or(0) != 0 ? 1 : 0));
    Tensor& Y_h = *outputs[output::Y_h];
    const std::size_t of_state = offset_in(Y_h, state);
    if (Y_h.value(of_state) == damaged) Y_h.set_value(of_state, right);
  }
  return outputs;
}

std::int64_t count_beyond(const Judgement& judgement) {
  return count_of(judgement, ElementClass::Divergent) + count_of(judgement, ElementClass::Suspect);
}

/// Does everything else fit the contract once a single element of Y is set right? The step after it started from the
/// engine's own value, which differs a little from what is put in its place: there, twice the bounds have room for
/// that.
bool is_one_damaged_element(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                            const Judgement& narrow, const Readings& readings, ContractId base) {
  if (!narrow.first || narrow.first->output != "Y" || narrow.kind != "value" || !narrow.first->step) return false;
  const FirstViolation& damaged = *narrow.first;
  const std::vector<std::optional<Tensor>> mended = repaired(problem, outputs, damaged);
  const Judgement rest = judge(problem, mended, {readings, base});
  if (rest.verdict == Verdict::Conforms || rest.verdict == Verdict::Undecided) return true;
  if (!rest.first || rest.first->output != "Y" || rest.kind != "value" || rest.first->direction != damaged.direction)
    return false;
  const bool by_batch = problem.attributes.layout.value_or(0) != 0;
  const std::size_t batch = by_batch ? 0 : 2;
  const std::int64_t next = *damaged.step + (damaged.direction == "reverse" ? -1 : 1);
  return rest.first->index.at(batch) == damaged.index.at(batch) && rest.first->step == next &&
         count_beyond(rest) <= dimensions_of(problem).H &&
         !excluded_under(problem, mended, readings, doubled(arithmetic_of(base, value_type(problem))));
}

/// A less precise arithmetic is seen in more than one element: an arithmetic that only one needs, and which all others
/// do without, would excuse damage. So it must take more than setting that one right to make the outputs fit the
/// narrower contract, and rounding every factor of every product, as TF32 does, must show in many elements. What
/// flushes subnormals shows in those alone, and in 16 bit one rounding more is a unit in the last place of any element.
/// An engine that declares the contract is believed.
bool shows_as_it_would(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                       const Readings& readings, ContractId base, ContractId wide, const EngineContext& engine) {
  const ElementType type = value_type(problem);
  const bool declared =
      engine.declared && applies_to(*engine.declared, type) && at_least_as_wide(*engine.declared, wide);
  const bool rounds_factors = contract(wide).operand_rounding != contract(base).operand_rounding;
  const bool errs_in_functions = contract(wide).activation_ulps > contract(base).activation_ulps;
  if (declared || !(rounds_factors || errs_in_functions)) return true;
  const Judgement narrow = judge(problem, outputs, {readings, base});
  if (is_one_damaged_element(problem, outputs, narrow, readings, base)) return false;
  if (!rounds_factors) return true;
  const std::int64_t beyond = count_beyond(narrow);
  return 4 * beyond >= beyond + count_of(narrow, ElementClass::Rounding);
}

/// Of the wider contracts, listed from strict to wide, those that explain the outputs and are not wider than another
/// that does.
std::vector<ContractId> minimal_contracts(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                                          const ContractsTried& contracts, const EngineContext& engine) {
  std::vector<ContractId> minimal;
  for (const ContractId wide : contracts.wider) {
    const auto narrower = [&](ContractId other) { return at_least_as_wide(wide, other); };
    if (std::ranges::any_of(minimal, narrower)) continue;
    if (verdict_under(problem, outputs, {Readings{}, wide}) == Verdict::Conforms &&
        shows_as_it_would(problem, outputs, Readings{}, contracts.base, wide, engine))
      minimal.push_back(wide);
  }
  return minimal;
}

std::string names_of(const std::vector<ContractId>& contracts) {
  std::vector<std::string_view> names;
  names.reserve(contracts.size());
  for (const ContractId contract : contracts) names.push_back(name(contract));
  return fmt::format("{}", fmt::join(names, " or "));
}

Judgement as_reading(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                     const Readings& readings, ContractId contract) {
  Judgement judgement = judge(problem, outputs, {readings, contract});
  judgement.verdict = Verdict::Reading;
  judgement.readings = readings.differences();
  judgement.message = fmt::format("conforms under {}: {}", fmt::join(judgement.readings, ", "), judgement.message);
  return judgement;
}

/// A wider contract explains the outputs. What stays in the record is where and how far they leave the narrower one.
Judgement as_precision(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs, Judgement narrow,
                       const Readings& readings, ContractId contract, const std::string& contracts) {
  const Judgement wide = judge(problem, outputs, {readings, contract});
  const std::string under = fmt::format("{}", name(narrow.contract));
  narrow.verdict = Verdict::Precision;
  narrow.contract = contract;
  narrow.readings = readings.differences();
  narrow.elements = wide.elements;
  const std::string also = narrow.readings.empty() ? "" : fmt::format(" with {}", fmt::join(narrow.readings, ", "));
  narrow.message = fmt::format("looks like {}{}; under {}, {}", contracts, also, under, narrow.message);
  return narrow;
}

}  // namespace

std::vector<std::string_view> other_values(const ClauseInfo& clause) {
  if (clause.readings.empty()) return {};
  std::vector<std::string_view> values = answers(clause.clause);
  std::erase_if(values, [&](std::string_view v) { return v == "refuse" || v == clause.readings.front(); });
  return values;
}

ReadingChoices reading_choices(const Problem& problem, const Readings& proved) {
  ReadingChoices choices;
  std::vector<const ClauseInfo*> open;
  std::size_t combined = 1;
  Readings proved_together;
  for (const Clause clause : clauses_touched(problem)) {
    const ClauseInfo& row = info(clause);
    if (row.kind != ClauseKind::Value || other_values(row).empty()) continue;
    if (!row.executable) {
      choices.untried = fmt::format("the readings of {} cannot be computed yet", row.id);
      continue;
    }
    open.push_back(&row);
    combined *= 1 + other_values(row).size();
    if (proved.of(clause) != "refuse") proved_together = proved_together.with(clause, proved.of(clause));
  }
  const auto add_single = [&](bool only_proved) {
    for (const ClauseInfo* row : open) {
      for (const std::string_view value : other_values(*row)) {
        if (!only_proved || proved.of(row->clause) == value) {
          add_unless_there(choices.candidates, Readings{}.with(row->clause, value));
        }
      }
    }
  };
  add_single(true);
  add_single(false);
  add_unless_there(choices.candidates, proved_together);
  if (combined <= most_combinations) {
    for (const Readings& readings : combinations(open)) add_unless_there(choices.candidates, readings);
  } else {
    // What is proved stands; of the rest, as many at once as can be tried.
    for (const ClauseInfo* row : open) {
      for (const std::string_view value : other_values(*row))
        add_unless_there(choices.candidates, proved_together.with(row->clause, value));
    }
    choices.untried = fmt::format("{} combinations of readings are too many to try", combined);
  }
  return choices;
}

namespace {

Judgement search_readings_and_contracts(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                                        const EngineContext& engine) {
  const ContractsTried contracts = contracts_tried(problem, engine.declared);
  Judgement found = judge_at_first(problem, outputs, {Readings{}, contracts.base});
  if (found.verdict == Verdict::Conforms || found.verdict == Verdict::Undecided) return found;
  if (found.kind == "count" || found.kind == "type" || found.kind == "shape")
    return found;  // no hypothesis mends these

  const ReadingChoices choices = reading_choices(problem, engine.proved);
  Candidates candidates(problem, outputs, choices.candidates, contracts.together, engine);
  const Attempt attempt = try_readings(problem, outputs, candidates, contracts.base);
  if (attempt.conforming) return as_reading(problem, outputs, *attempt.conforming, contracts.base);

  // From here on it is said of the outputs that they are beyond a bound.
  found = judge(problem, outputs, {Readings{}, contracts.base});
  if (found.verdict == Verdict::Conforms || found.verdict == Verdict::Undecided) return found;
  const std::vector<ContractId> minimal = minimal_contracts(problem, outputs, contracts, engine);
  if (!minimal.empty()) {
    return as_precision(problem, outputs, found, Readings{}, minimal.front(), names_of(minimal));
  }
  for (const ContractId contract : contracts.wider) {
    if (const Attempt both = try_readings(problem, outputs, candidates, contract);
        both.conforming && shows_as_it_would(problem, outputs, *both.conforming, contracts.base, contract, engine)) {
      return as_precision(problem, outputs, found, *both.conforming, contract, std::string(name(contract)));
    }
  }

  if (attempt.open) {
    found.verdict = Verdict::Undecided;
    found.message = fmt::format("neither proved nor excluded under {}; by default, {}",
                                fmt::join(attempt.open->differences(), ", "), found.message);
  } else if (!choices.untried.empty()) {
    found.verdict = Verdict::Undecided;
    found.message = fmt::format("{}; by default, {}", choices.untried, found.message);
  } else if (attempt.suspect) {
    found.verdict = Verdict::Suspect;
  } else if (found.verdict == Verdict::Diverges) {
    if (const auto doubtful = unconfirmed(problem, outputs, candidates, contracts)) {
      found.verdict = Verdict::Undecided;
      found.message =
          fmt::format("double excludes {}, which balls do not confirm; by default, {}", *doubtful, found.message);
    }
  }
  return found;
}

}  // namespace

Judgement search(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                 const EngineContext& engine) {
  Judgement found = search_readings_and_contracts(problem, outputs, engine);
  const bool broken = found.kind == "count" || found.kind == "type" || found.kind == "shape";
  if (found.verdict == Verdict::Diverges && engine.names_faults && !broken)
    found.faults = faults_that_explain(problem, outputs, engine);
  return found;
}

Verdict search_verdict(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                       const EngineContext& engine) {
  const ContractsTried contracts = contracts_tried(problem, engine.declared);
  const Verdict by_default = verdict_under(problem, outputs, {Readings{}, contracts.base});
  if (by_default == Verdict::Conforms) return by_default;
  if (by_default == Verdict::Undecided)
    return judge(problem, outputs, {Readings{}, contracts.base}).verdict.value_or(by_default);
  if (broken_outputs(problem, outputs)) return by_default;
  const ReadingChoices choices = reading_choices(problem, engine.proved);
  Candidates candidates(problem, outputs, choices.candidates, contracts.together, engine);
  const Attempt attempt = try_readings(problem, outputs, candidates, contracts.base);
  if (attempt.conforming) return Verdict::Reading;
  for (const ContractId contract : contracts.wider) {
    const auto shows = [&](const Readings& readings) {
      return shows_as_it_would(problem, outputs, readings, contracts.base, contract, engine);
    };
    if (verdict_under(problem, outputs, {Readings{}, contract}) == Verdict::Conforms && shows(Readings{}))
      return Verdict::Precision;
    const Attempt both = try_readings(problem, outputs, candidates, contract);
    if (both.conforming && shows(*both.conforming)) return Verdict::Precision;
  }
  if (attempt.open || !choices.untried.empty()) return Verdict::Undecided;
  return attempt.suspect ? Verdict::Suspect : by_default;
}

}  // namespace cellproof::oracle
