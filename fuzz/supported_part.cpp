#include "fuzz/supported_part.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cellproof::fuzz {
namespace {

/// Learns what an engine supports, one value after the other.
class Learning {
 public:
  Learning(const CaseSpace& space, const engines::Probe& ask)
      : space_(space), ask_(ask), solver_(space.model), supported_(space.ignored), refused_(space.ignored.size(), 0) {}

  /// Finds the newest version with a plain case that runs.
  bool has_base() {
    for (std::size_t version = 0; version < space_.model.levels[0]; ++version) {
      const std::optional<Row> row = plain_row_with(0, version, solver_.all());
      if (!row || !runs(*row)) continue;
      add(*row);
      return true;
    }
    return false;
  }

  /// Each value once, as soon as there is a case with it beside values that are supported.
  void learn() {
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (std::size_t factor = 0; factor < supported_.size(); ++factor) {
        for (ValueSet open = space_.model.all_values(factor) & ~(supported_[factor] | refused_[factor]); open != 0;
             open &= open - 1) {
          const auto value = static_cast<std::size_t>(std::countr_zero(open));
          const std::optional<Row> row = plain_row_with(factor, value, supported_);
          if (!row) continue;
          goes_on = true;
          if (runs(*row))
            add(*row);
          else
            refused_[factor] |= ValueSet{1} << value;
        }
      }
    }
  }

  const Domains& supported() const { return supported_; }

 private:
  /// The row with the value that has the earliest values of all others: the plain ones.
  std::optional<Row> plain_row_with(std::size_t factor, std::size_t value, const Domains& others) const {
    Domains domains = solver_.all();
    if (!solver_.restrict(domains, factor, ValueSet{1} << value)) return std::nullopt;
    for (std::size_t k = 0; k < domains.size(); ++k)
      if (k != factor && !solver_.restrict(domains, k, others[k])) return std::nullopt;
    return solver_.complete(domains);
  }

  bool runs(const Row& row) const { return ask_(make_problem(case_of(space_, row, 1))).kind == OutcomeKind::Ran; }

  void add(const Row& row) {
    for (std::size_t k = 0; k < row.size(); ++k) supported_[k] |= ValueSet{1} << row[k];
  }

  const CaseSpace& space_;
  const engines::Probe& ask_;
  FactorSolver solver_;
  Domains supported_;
  Domains refused_;
};

bool lies_within(const Row& row, const Domains& values) {
  for (std::size_t k = 0; k < row.size(); ++k)
    if ((values[k] >> row[k] & 1U) == 0) return false;
  return true;
}

}  // namespace

std::optional<SpacePart> supported_part(const CaseSpace& space, const std::vector<Row>& rows,
                                        const engines::Probe& ask) {
  Learning learning(space, ask);
  if (!learning.has_base()) return std::nullopt;
  learning.learn();
  SpacePart part{learning.supported(), {}};
  std::ranges::copy_if(rows, std::back_inserter(part.there),
                       [&](const Row& row) { return lies_within(row, part.values); });
  return part.there.size() == rows.size() ? std::nullopt : std::optional(std::move(part));
}

}  // namespace cellproof::fuzz
