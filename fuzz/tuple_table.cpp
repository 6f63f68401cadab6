#include "fuzz/tuple_table.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <stdexcept>

namespace cellproof::fuzz {
namespace {

/// Number of set bits, by adding neighbours: without a popcount instruction, which not every machine that we build for
/// has, the compiler would call a function that looks up bytes.
std::size_t ones(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F;
  return word * 0x0101010101010101 >> 56;
}

}  // namespace

TupleTable::TupleTable(const std::vector<std::size_t>& levels, std::size_t strength) : strength_(strength) {
  if (strength != 2 && strength != 3)
    throw std::invalid_argument(fmt::format("strength {}: pairs (2) and triples (3) are counted", strength));
  for (std::size_t k = 0; k < levels.size(); ++k) {
    first_.push_back(values_);
    values_ += levels[k];
    factor_of_.insert(factor_of_.end(), levels[k], k);
  }
  words_ = (values_ + 63) / 64;
  bits_.assign((strength == 2 ? values_ : values_ * values_) * words_, 0);
}

/// Beginning of the words that say which places go with these, one or two of them.
std::size_t TupleTable::word_row(std::span<const std::size_t> others) const {
  std::size_t row = 0;
  for (const std::size_t place : others) row = row * values_ + place;
  return row * words_;
}

bool TupleTable::contains(std::span<const std::size_t> places) const {
  const std::size_t last = places[strength_ - 1];
  return (bits_[word_row(places.first(strength_ - 1)) + last / 64] >> last % 64 & 1U) != 0;
}

void TupleTable::flip(std::span<const std::size_t> places) {
  const auto flip_bit = [&](std::size_t row, std::size_t last) {
    bits_[row * words_ + last / 64] ^= std::uint64_t{1} << last % 64;
  };
  if (strength_ == 2) {
    flip_bit(places[0], places[1]);
    flip_bit(places[1], places[0]);
    return;
  }
  for (const auto& [a, b, c] :
       {std::array<std::size_t, 3>{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    flip_bit(places[a] * values_ + places[b], places[c]);
  }
}

void TupleTable::insert(std::span<const std::size_t> places) {
  if (contains(places)) return;
  flip(places);
  ++size_;
}

std::size_t TupleTable::count_with(std::size_t place, const Mask& mask) const {
  const auto count_in = [&](std::size_t begin, std::size_t from, std::uint64_t first) {
    std::size_t count = ones(bits_[begin + from] & first);
    for (std::size_t w = from + 1; w < words_; ++w) {
      const std::uint64_t both = bits_[begin + w] & mask[w];
      if (both != 0) count += ones(both);  // most of a table is empty when half of the rows are there
    }
    return count;
  };
  if (strength_ == 2) return count_in(place * words_, 0, mask[0]);
  std::size_t count = 0;  // each pair of others once, by its smaller place
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t rest = mask[w]; rest != 0; rest &= rest - 1) {
      const std::size_t other = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      count += count_in((place * values_ + other) * words_, w, rest & (rest - 1));
    }
  }
  return count;
}

std::size_t TupleTable::count_row(std::span<const std::size_t> row) const {
  Mask mask = no_places();
  std::size_t count = 0;
  for (const std::size_t place : row) {
    count += count_with(place, mask);
    add(mask, place);
  }
  return count;
}

std::size_t TupleTable::erase_row(std::span<const std::size_t> row) {
  Mask mask = no_places();
  for (const std::size_t place : row) add(mask, place);
  std::size_t erased = 0;  // each tuple in every order of its values
  const auto erase_in = [&](std::size_t begin) {
    for (std::size_t w = 0; w < words_; ++w) {
      erased += ones(bits_[begin + w] & mask[w]);
      bits_[begin + w] &= ~mask[w];
    }
  };
  for (const std::size_t a : row) {
    if (strength_ == 2) erase_in(a * words_);
    for (std::size_t k = 0; strength_ == 3 && k < row.size(); ++k) erase_in((a * values_ + row[k]) * words_);
  }
  erased /= strength_ == 2 ? 2 : 6;
  size_ -= erased;
  return erased;
}

std::vector<std::size_t> TupleTable::any(std::uint64_t from) const {
  std::size_t word = from % bits_.size();
  while (bits_[word] == 0) word = (word + 1) % bits_.size();
  const std::size_t row = word / words_;
  std::vector<std::size_t> places = {word % words_ * 64 + static_cast<std::size_t>(std::countr_zero(bits_[word]))};
  if (strength_ == 3) places.push_back(row / values_);
  places.push_back(row % values_);
  return places;
}

}  // namespace cellproof::fuzz
