#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/factor_model.hpp"

namespace cellproof::fuzz {

/// A set of pairs or triples of values of different factors, and how many of them a row has. A value goes by its place
/// among the values of all factors, one factor's after the other's; a bit stands for a pair or triple, in every order
/// of its values, so that all that go with one value lie side by side.
class TupleTable {
 public:
  /// Empty. `strength`: 2 or 3; throws std::invalid_argument for another.
  TupleTable(const std::vector<std::size_t>& levels, std::size_t strength);

  std::size_t strength() const { return strength_; }
  /// Counts the tuples in the set.
  std::size_t size() const { return size_; }
  /// Number of values of all factors.
  std::size_t values() const { return values_; }
  std::size_t factors() const { return first_.size(); }
  std::size_t place(std::size_t factor, std::size_t value) const { return first_[factor] + value; }
  std::size_t factor_of(std::size_t place) const { return factor_of_[place]; }

  /// `places` of different factors, as many as the strength.
  bool contains(std::span<const std::size_t> places) const;
  void insert(std::span<const std::size_t> places);

  /// Places as a set, in words of 64.
  using Mask = std::vector<std::uint64_t>;
  Mask no_places() const { return Mask(words_, 0); }
  static void add(Mask& mask, std::size_t place) { mask[place / 64] |= std::uint64_t{1} << place % 64; }
  static void remove(Mask& mask, std::size_t place) { mask[place / 64] &= ~(std::uint64_t{1} << place % 64); }
  /// Counts the tuples of the set that have `place` and otherwise only places of the mask.
  std::size_t count_with(std::size_t place, const Mask& mask) const;

  /// Takes out every tuple that the row has, a place for each factor; returns how many there were.
  std::size_t erase_row(std::span<const std::size_t> row);
  /// Counts the tuples of the row.
  std::size_t count_row(std::span<const std::size_t> row) const;
  /// The first tuple at or behind a position of the table that wraps around; the set must not be empty.
  std::vector<std::size_t> any(std::uint64_t from) const;

  /// Calls visit(places) for each tuple that factors and strength allow, in or not, in order.
  void for_each_possible(auto visit) const;

 private:
  std::size_t word_row(std::span<const std::size_t> others) const;
  void flip(std::span<const std::size_t> places);

  std::size_t strength_;
  std::size_t values_ = 0;
  std::size_t words_ = 0;  ///< for a mask of places
  std::size_t size_ = 0;
  std::vector<std::size_t> first_;      ///< by factor: the place of its first value
  std::vector<std::size_t> factor_of_;  ///< by place
  std::vector<std::uint64_t> bits_;
};

void TupleTable::for_each_possible(auto visit) const {
  const auto begin_behind = [&](std::size_t place) {
    const std::size_t next = factor_of_[place] + 1;
    return next < first_.size() ? first_[next] : values_;
  };
  std::vector<std::size_t> places(strength_);
  for (places[0] = 0; places[0] < values_; ++places[0]) {
    for (places[1] = begin_behind(places[0]); places[1] < values_; ++places[1]) {
      if (strength_ == 2) {
        visit(places);
        continue;
      }
      for (places[2] = begin_behind(places[1]); places[2] < values_; ++places[2]) visit(places);
    }
  }
}

}  // namespace cellproof::fuzz
