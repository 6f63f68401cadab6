#include "fuzz/coverage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "fuzz/suites.hpp"

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

std::size_t number_of(const CaseFactor& factor, const std::string& value) {
  return static_cast<std::size_t>(std::ranges::find(factor.values, value) - factor.values.begin());
}

/// The row of a case of the version that has the default on every axis.
Row plain_row(const CaseSpace& space, OperatorVersion version) {
  Row row;
  for (const CaseFactor& factor : space.factors) {
    const auto values =
        factor.row == nullptr ? std::vector{std::to_string(version.since_version)} : factor.row->values(version);
    row.push_back(number_of(factor, values.empty() ? "" : values.front()));
  }
  return row;
}

/// An operator with its possible tuples, which take longer to find than all else here.
struct OperatorSpace {
  explicit OperatorSpace(Operator op)
      : space(case_space(op)),
        pairs(possible_tuples(FactorSolver(space.model), {.strength = 2, .ignored = space.ignored})),
        is_possible(pairs.values() * pairs.values() * pairs.values()) {
    for_each_possible_tuple(
        FactorSolver(space.model), TupleTable(space.model.levels, 3), space.ignored,
        [&](std::span<const std::size_t> places) { is_possible[index_of(places[0], places[1], places[2])] = true; });
  }

  /// Number of a triple of places a < b < c.
  std::size_t index_of(std::size_t a, std::size_t b, std::size_t c) const {
    return (a * pairs.values() + b) * pairs.values() + c;
  }

  CaseSpace space;
  TupleTable pairs;
  std::vector<bool> is_possible;  ///< by number of the triple
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
        raise(pairs_[places[a] * values_ + places[b]]);
        const std::size_t first = of_.index_of(places[a], places[b], 0);
        for (std::size_t c = b + 1; c < places.size(); ++c) raise(triples_[first + places[c]]);
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
    for (std::size_t triple = 0; triple < triples_.size(); ++triple)
      if (of_.is_possible[triple]) count(coverage.triples, triples_[triple]);
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

const Row& FindingRows::of(const Finding& finding) {
  const auto [known, is_new] = plain_.try_emplace(finding.version);
  if (is_new) known->second = plain_row(space_, finding.version);
  row_ = known->second;
  for (const auto& [name, value] : finding.axes) {
    const auto factor = std::ranges::find(space_.factors, name, &CaseFactor::axis);
    if (factor == space_.factors.end()) continue;
    row_[static_cast<std::size_t>(factor - space_.factors.begin())] = number_of(*factor, value);
  }
  return row_;
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
    FindingRows rows(space.space);
    Tally tally(space);
    for (const Finding& finding : findings) {
      if (finding.engine == engine && finding.version.op == op &&
          finding.expectation.kind != Expectation::Kind::Refuse && state_of(finding) != TupleState::Untried)
        tally.add(rows.of(finding), state_of(finding));
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
