#include "fuzz/coverage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "fuzz/suites.hpp"
#include "spec/axes.hpp"

namespace cellproof::fuzz {
namespace {

/// Knowledge of a tuple; more is better known.
enum class TupleState : std::uint8_t { Untried, Refused, Failing, Undecided, Passed };

TupleState state_of(const Finding& finding) {
  if (!finding.law.empty()) return TupleState::Untried;  // a law that holds does not say that the results are right
  switch (finding.outcome) {
    case OutcomeKind::Ran:
      if (finding.judgement.verdict == Verdict::Undecided) return TupleState::Undecided;  // the gate lets it through
      return finding.pass ? TupleState::Passed : TupleState::Failing;
    case OutcomeKind::Crashed:
    case OutcomeKind::TimedOut:
    case OutcomeKind::OutOfMemory:
      return TupleState::Failing;
    case OutcomeKind::NotSupported:
    case OutcomeKind::Rejected:
      return TupleState::Refused;
    case OutcomeKind::EngineAbsent:
    case OutcomeKind::HarnessError:
      return TupleState::Untried;
  }
  return TupleState::Untried;
}

void count(TupleCounts& counts, TupleState state) {
  ++counts.possible;
  counts.passed += state == TupleState::Passed;
  counts.undecided += state == TupleState::Undecided;
  counts.failing += state == TupleState::Failing;
  counts.refused += state == TupleState::Refused;
}

/// An operator with its possible tuples, which take longer to find than all else here.
struct OperatorSpace {
  explicit OperatorSpace(Operator op)
      : space(case_space(op)),
        pairs(possible_tuples(FactorSolver(space.model), {.strength = 2, .ignored = space.ignored})),
        triples(possible_tuples(FactorSolver(space.model), {.strength = 3, .ignored = space.ignored})) {}

  CaseSpace space;
  TupleTable pairs;
  TupleTable triples;
};

/// The state of each pair and triple of places a < b < c.
class Tally {
 public:
  explicit Tally(const OperatorSpace& of)
      : of_(of),
        values_(of.pairs.values()),
        supported_(of.space.factors.size(), 0),
        pairs_(values_ * values_, TupleState::Untried),
        triples_(values_ * values_ * values_, TupleState::Untried) {}

  void add(const Row& row, TupleState state) {
    for (std::size_t k = 0; k < row.size() && state > TupleState::Refused; ++k) supported_[k] |= ValueSet{1} << row[k];
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < row.size(); ++k) places.push_back(of_.pairs.place(k, row[k]));
    const auto raise = [&](TupleState& known) { known = std::max(known, state); };
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = a + 1; b < places.size(); ++b) {
        const std::size_t pair = places[a] * values_ + places[b];
        raise(pairs_[pair]);
        for (std::size_t c = b + 1; c < places.size(); ++c) raise(triples_[pair * values_ + places[c]]);
      }
    }
  }

  Coverage result(const std::string& engine) const {
    Coverage coverage{engine, of_.space.op, {}, {}, {}, {}};
    for (const CaseFactor& factor : of_.space.factors) coverage.axes.push_back(factor.axis);
    coverage.cells.resize(coverage.axes.size() * (coverage.axes.size() - 1) / 2);
    of_.pairs.for_each_possible([&](const std::vector<std::size_t>& places) {
      if (!of_.pairs.contains(places)) return;
      const TupleState state = pairs_[places[0] * values_ + places[1]];
      const std::size_t a = of_.pairs.factor_of(places[0]);
      const std::size_t b = of_.pairs.factor_of(places[1]);
      count(coverage.pairs, state);
      count(coverage.cells[b * (b - 1) / 2 + a], state);
    });
    of_.triples.for_each_possible([&](const std::vector<std::size_t>& places) {
      if (of_.triples.contains(places))
        count(coverage.triples, triples_[(places[0] * values_ + places[1]) * values_ + places[2]]);
    });
    coverage.pairs_of_supported = count_of_supported();
    return coverage;
  }

 private:
  std::size_t count_of_supported() const {
    if (supported_.front() == 0) return 0;  // no case ran
    const FactorSolver solver(model_of(of_.space, supported_));
    return possible_tuples(solver, {.strength = 2, .ignored = of_.space.ignored}).size();
  }

  const OperatorSpace& of_;
  std::size_t values_;
  Domains supported_;  ///< by factor: values of cases that ran
  std::vector<TupleState> pairs_;
  std::vector<TupleState> triples_;
};

}  // namespace

Row row_of(const CaseSpace& space, const Finding& finding) {
  Row row;
  for (const CaseFactor& factor : space.factors) {
    std::string value = std::to_string(finding.version.since_version);
    if (factor.axis != "version") {
      const auto values = axis(factor.axis).values(finding.version);
      value = values.empty() ? "" : values.front();
      for (const auto& [name, own] : finding.axes) {
        if (name == factor.axis) value = own;
      }
    }
    row.push_back(static_cast<std::size_t>(std::ranges::find(factor.values, value) - factor.values.begin()));
  }
  return row;
}

std::vector<Coverage> coverage_of(std::span<const Finding> findings) {
  std::vector<std::pair<std::string, Operator>> order;
  for (const Finding& finding : findings) {
    const std::pair key(finding.engine, finding.version.op);
    const bool counts =
        finding.expectation.kind != Expectation::Kind::Refuse && state_of(finding) != TupleState::Untried;
    if (counts && std::ranges::find(order, key) == order.end()) order.push_back(key);
  }
  std::map<Operator, OperatorSpace> spaces;
  std::vector<Coverage> result;
  for (const auto& [engine, op] : order) {
    const OperatorSpace& space = spaces.try_emplace(op, op).first->second;
    Tally tally(space);
    for (const Finding& finding : findings) {
      if (finding.engine == engine && finding.version.op == op &&
          finding.expectation.kind != Expectation::Kind::Refuse && state_of(finding) != TupleState::Untried)
        tally.add(row_of(space.space, finding), state_of(finding));
    }
    result.push_back(tally.result(engine));
  }
  return result;
}

std::vector<Coverage> coverage_where_searched(const std::vector<Finding>& findings) {
  const auto searched = [](const Finding& f) { return is_made_to_cover(f.suite); };
  return std::ranges::any_of(findings, searched) ? coverage_of(findings) : std::vector<Coverage>{};
}

}  // namespace cellproof::fuzz
