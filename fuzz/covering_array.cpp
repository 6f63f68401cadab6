#include "fuzz/covering_array.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "spec/values/counter.hpp"

namespace cellproof::fuzz {
namespace {

ValueSet only(std::size_t value) {
  return ValueSet{1} << value;
}

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : counter_(seed, "covering array") {}
  std::uint64_t next() { return counter_.word(drawn_++, 0); }
  std::size_t below(std::size_t limit) { return next() % limit; }

 private:
  Counter counter_;
  std::uint64_t drawn_ = 0;
};

/// Values of all factors by their place, with what the constraints make of them: the decision about a tuple is made
/// once for all tuples whose values are in the same classes.
class Feasibility {
 public:
  Feasibility(const FactorSolver& solver, const TupleTable& table) : solver_(solver), table_(table) {
    for (std::size_t factor = 0; factor < table.factors(); ++factor) {
      const std::vector<std::size_t> classes = solver.classes_of(factor);
      for (const std::size_t k : classes) class_of_.push_back(class_count_ + k);
      class_count_ += 1 + *std::ranges::max_element(classes);
    }
    known_.assign(table.strength() == 2 ? class_count_ * class_count_ : class_count_ * class_count_ * class_count_,
                  Unknown);
  }

  bool operator()(std::span<const std::size_t> places) {
    std::size_t key = 0;
    for (const std::size_t place : places) key = key * class_count_ + class_of_[place];
    if (known_[key] == Unknown) known_[key] = decide(places) ? Yes : No;
    return known_[key] == Yes;
  }

 private:
  enum Answer : std::uint8_t { Unknown, Yes, No };

  bool decide(std::span<const std::size_t> places) {
    if (has_neighbour(places)) return true;
    Domains domains = solver_.all();
    for (const std::size_t place : places) {
      const std::size_t factor = table_.factor_of(place);
      if (!solver_.restrict(domains, factor, only(place - table_.place(factor, 0)))) return false;
    }
    std::optional<Row> found = solver_.complete(domains);
    if (!found) return false;
    last_ = *std::move(found);
    return true;
  }

  /// Is the last row that was found one still when it takes the values? It nearly always is: most constraints are of
  /// few factors, and tuples come in an order in which neighbours share most values.
  bool has_neighbour(std::span<const std::size_t> places) {
    if (last_.empty()) return false;
    tried_ = last_;
    for (const std::size_t place : places) {
      const std::size_t factor = table_.factor_of(place);
      tried_[factor] = place - table_.place(factor, 0);
    }
    return std::ranges::all_of(places,
                               [&](std::size_t place) { return solver_.allows(tried_, table_.factor_of(place)); });
  }

  const FactorSolver& solver_;
  const TupleTable& table_;
  std::vector<std::size_t> class_of_;  ///< by place
  std::size_t class_count_ = 0;
  std::vector<Answer> known_;
  Row last_;   ///< that was found; empty before the first
  Row tried_;  ///< kept for its memory
};

bool is_ignored(const TupleTable& table, std::size_t place, const std::vector<ValueSet>& ignored) {
  if (ignored.empty()) return false;
  const std::size_t factor = table.factor_of(place);
  return (ignored[factor] >> (place - table.place(factor, 0)) & 1U) != 0;
}

/// A row in the making.
class RowCandidate {
 public:
  RowCandidate(const FactorSolver& solver, const TupleTable& open)
      : solver_(solver), open_(open), domains_(solver.all()), chosen_(open.no_places()) {}

  /// Nothing where the constraints leave no such row; then `tuple` is not possible.
  static std::optional<Row> from(const FactorSolver& solver, const TupleTable& open,
                                 const std::vector<std::size_t>& tuple, Draws& draws) {
    RowCandidate candidate(solver, open);
    for (const std::size_t place : tuple) {
      if (!candidate.set(open.factor_of(place), place - open.place(open.factor_of(place), 0))) return std::nullopt;
    }
    const Domains start = candidate.domains_;
    if (!candidate.fill(draws)) return solver.complete(start);
    return candidate.improved(draws);
  }

 private:
  bool set(std::size_t factor, std::size_t value) {
    before_ = domains_;
    if (!solver_.restrict(domains_, factor, only(value))) {
      std::swap(domains_, before_);
      return false;
    }
    note_decided();
    return true;
  }

  /// Conclusions can have decided other factors, too.
  void note_decided() {
    for (std::size_t k = 0; k < domains_.size(); ++k) {
      if (is_one_value(domains_[k]))
        TupleTable::add(chosen_, open_.place(k, static_cast<std::size_t>(std::countr_zero(domains_[k]))));
    }
  }

  std::vector<std::size_t> any_order(Draws& draws) const {
    std::vector<std::size_t> order(domains_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[draws.below(k)]);
    return order;
  }

  bool fill(Draws& draws) {
    const std::vector<std::size_t> order = any_order(draws);
    return std::ranges::all_of(
        order, [&](std::size_t factor) { return is_one_value(domains_[factor]) || choose(factor, draws); });
  }

  struct Choice {
    std::size_t covers;
    std::uint64_t lot;
    std::size_t value;
    auto operator<=>(const Choice&) const = default;
  };

  bool choose(std::size_t factor, Draws& draws) {
    choices_.clear();
    for (ValueSet rest = domains_[factor]; rest != 0; rest &= rest - 1) {
      const auto value = static_cast<std::size_t>(std::countr_zero(rest));
      choices_.push_back({open_.count_with(open_.place(factor, value), chosen_), draws.next(), value});
    }
    while (!choices_.empty()) {
      const auto best = std::ranges::max_element(choices_);
      if (set(factor, best->value)) return true;
      choices_.erase(best);
    }
    return false;
  }

  /// The row with single values exchanged as long as it covers more for it: those that were chosen first knew little
  /// of the rest.
  Row improved(Draws& draws) {
    Row row;
    for (const ValueSet value : domains_) row.push_back(static_cast<std::size_t>(std::countr_zero(value)));
    const std::vector<std::size_t> order = any_order(draws);
    std::size_t unchanged = 0;
    for (std::size_t k = 0; unchanged < order.size(); k = (k + 1) % order.size()) {
      unchanged = exchange(order[k], row) ? 0 : unchanged + 1;
    }
    return row;
  }

  bool exchange(std::size_t factor, Row& row) {
    const std::size_t before = row[factor];
    TupleTable::remove(chosen_, open_.place(factor, before));
    std::size_t best = before;
    std::size_t most = open_.count_with(open_.place(factor, before), chosen_);
    for (ValueSet rest = solver_.all()[factor]; rest != 0; rest &= rest - 1) {
      const auto value = static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t covers = open_.count_with(open_.place(factor, value), chosen_);
      if (covers <= most) continue;
      row[factor] = value;
      if (solver_.allows(row, factor)) {
        best = value;
        most = covers;
      }
    }
    row[factor] = best;
    TupleTable::add(chosen_, open_.place(factor, best));
    return best != before;
  }

  const FactorSolver& solver_;
  const TupleTable& open_;
  Domains domains_;
  Domains before_;  ///< kept for its memory, as the choices are
  TupleTable::Mask chosen_;
  std::vector<Choice> choices_;
};

std::vector<std::size_t> places_of(const TupleTable& table, const Row& row) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < row.size(); ++k) places.push_back(table.place(k, row[k]));
  return places;
}

/// Adds rows until `open` is empty; what they cover is taken from `rest`, too.
void cover(const FactorSolver& solver, TupleTable& open, TupleTable& rest, std::size_t candidates, Draws& draws,
           std::vector<Row>& rows) {
  while (open.size() > 0) {
    std::optional<Row> best;
    std::size_t best_covers = 0;
    for (std::size_t k = 0; k < candidates; ++k) {
      std::optional<Row> row = RowCandidate::from(solver, open, open.any(draws.next()), draws);
      if (!row) throw std::logic_error("a tuple that was found possible has no row");
      const std::size_t covers = open.count_row(places_of(open, *row));
      if (best && covers <= best_covers) continue;
      best = std::move(row);
      best_covers = covers;
    }
    const std::vector<std::size_t> places = places_of(open, *best);
    open.erase_row(places);
    rest.erase_row(places);
    rows.push_back(std::move(*best));
  }
}

}  // namespace

void for_each_possible_tuple(const FactorSolver& solver, const TupleTable& table, const std::vector<ValueSet>& ignored,
                             const std::function<void(std::span<const std::size_t>)>& visit) {
  Feasibility feasible(solver, table);
  std::vector<bool> left_out;
  for (std::size_t place = 0; place < table.values(); ++place) left_out.push_back(is_ignored(table, place, ignored));
  table.for_each_possible([&](const std::vector<std::size_t>& places) {
    const bool is_left_out = std::ranges::any_of(places, [&](std::size_t place) { return left_out[place]; });
    if (!is_left_out && feasible(places)) visit(places);
  });
}

TupleTable possible_tuples(const FactorSolver& solver, const CoveringOptions& options) {
  TupleTable table(solver.model().levels, options.strength);
  for_each_possible_tuple(solver, table, options.ignored,
                          [&](std::span<const std::size_t> places) { table.insert(places); });
  return table;
}

std::vector<Row> covering_array(const FactorModel& model, const CoveringOptions& options) {
  const FactorSolver solver(model);
  TupleTable rest = possible_tuples(solver, options);
  for (const Row& row : options.there) rest.erase_row(places_of(rest, row));
  Draws draws(options.seed);
  std::vector<Row> rows;
  for (std::size_t most = 0; most < options.rare.size() && rest.size() > 0; ++most) {
    FactorModel limited = model;
    limited.limits.push_back({options.rare, most});
    const FactorSolver limited_solver(std::move(limited));
    Feasibility feasible(limited_solver, rest);
    TupleTable open(model.levels, options.strength);
    rest.for_each_possible([&](const std::vector<std::size_t>& places) {
      if (rest.contains(places) && feasible(places)) open.insert(places);
    });
    cover(limited_solver, open, rest, options.candidates, draws, rows);
  }
  TupleTable open = rest;
  cover(solver, open, rest, options.candidates, draws, rows);
  return rows;
}

}  // namespace cellproof::fuzz
