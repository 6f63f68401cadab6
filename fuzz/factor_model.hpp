#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cellproof::fuzz {

/// Values of one factor, one bit for each by its number: a factor has at most 64.
using ValueSet = std::uint64_t;

/// "The factor has one of these values."
struct Term {
  std::size_t factor;
  ValueSet values;
};

/// "At most so many of the terms hold."
struct Limit {
  std::vector<Term> terms;
  std::size_t most;
};

/// Factors with their values, and which of their combinations exist: what a covering array is made over. It knows
/// nothing of what a factor stands for.
struct FactorModel {
  std::vector<std::size_t> levels;            ///< how many values each factor has, 1 to 64
  std::vector<std::vector<Term>> exclusions;  ///< the terms of one never hold all at once
  std::vector<Limit> limits;

  ValueSet all_values(std::size_t factor) const {
    return levels[factor] == 64 ? ~ValueSet{0} : (ValueSet{1} << levels[factor]) - 1;
  }
};

/// Is it one value? (A popcount would be a call on machines that may lack the instruction.)
constexpr bool is_one_value(ValueSet values) {
  return values != 0 && (values & (values - 1)) == 0;
}

/// For each factor the values that it may still have.
using Domains = std::vector<ValueSet>;

/// Decides what a model's constraints leave possible, exactly: by unit propagation and, where that decides nothing, by
/// trying every completion.
class FactorSolver {
 public:
  /// Throws std::invalid_argument for a model that is none: a factor without values or with more than 64, a term of a
  /// factor that is not there.
  explicit FactorSolver(FactorModel model);

  const FactorModel& model() const { return model_; }
  /// Every value that the constraints by themselves leave; nothing where they leave no row at all.
  const Domains& all() const { return all_; }
  /// Do the constraints allow the row?
  bool allows(const std::vector<std::size_t>& row) const;
  /// Do those that have a term of the factor? All do where the row differs in this factor alone from one that is
  /// allowed.
  bool allows(const std::vector<std::size_t>& row, std::size_t factor) const;
  /// Leaves the factor only these values and draws the conclusions. False: nothing is left; then the domains are of no
  /// more use.
  bool restrict(Domains& domains, std::size_t factor, ValueSet values) const;
  /// An assignment of one value to each factor within the domains, or nothing where there is none: a proof. Earlier
  /// values are preferred.
  std::optional<std::vector<std::size_t>> complete(const Domains& domains) const;
  /// Numbers such that two values of a factor with the same number are in the same terms, and so are possible in the
  /// same combinations.
  std::vector<std::size_t> classes_of(std::size_t factor) const;

 private:
  bool propagate(Domains& domains, std::size_t factor) const;
  bool apply_exclusion(const std::vector<Term>& exclusion, Domains& domains, std::vector<std::size_t>& changed) const;
  bool apply_limit(const Limit& limit, Domains& domains, std::vector<std::size_t>& changed) const;

  FactorModel model_;
  Domains all_;
  std::vector<std::vector<std::size_t>> exclusions_of_;  ///< by factor: which exclusions have a term of it
  std::vector<std::vector<std::size_t>> limits_of_;
};

}  // namespace cellproof::fuzz
