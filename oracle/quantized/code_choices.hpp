#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "oracle/quantized/direction_walk.hpp"

namespace cellproof::oracle {

/// Takes a walk to its end once for each choice of codes that arithmetic leaves, where states are not observed: an
/// honest engine makes one of these choices, and each leads to narrow sets. Where choices become too many, codes stay
/// open, and the sets hold all of them.
template <class Real>
class CodeChoices {
 public:
  /// `most`: the number of times that the walk may be taken to its end.
  CodeChoices(DirectionWalk<Real>& walk, std::int64_t most) : walk_(walk), left_(most - 1) {}

  /// The likeliest choices come first. Calls `at_end` after each, until it returns true.
  template <class AtEnd>
  void follow(const AtEnd& at_end) {
    if (walk_.steps() > 0) walk_.quantise(0);
    go_on(0, 0, at_end);
  }

 private:
  /// From step `rank` on, the codes before `first` being chosen.
  template <class AtEnd>
  bool go_on(std::int64_t rank, std::size_t first, const AtEnd& at_end) {
    while (rank < walk_.steps()) {
      if (const std::optional<std::size_t> open = next_open(first)) return try_each(rank, *open, at_end);
      walk_.take(rank, nullptr);
      if (++rank < walk_.steps()) walk_.quantise(rank);
      first = 0;
    }
    return at_end();
  }

  template <class AtEnd>
  bool try_each(std::int64_t rank, std::size_t k, const AtEnd& at_end) {
    const typename DirectionWalk<Real>::State before = walk_.state();
    const Digit open = before.codes[k];
    left_ -= open.hi - open.lo;
    const int likeliest = std::clamp(open.expected, open.lo, open.hi);
    choose(k, open, likeliest);
    if (go_on(rank, k + 1, at_end)) return true;
    for (int code = open.lo; code <= open.hi; ++code) {
      if (code == likeliest) continue;
      walk_.go_back_to(before);
      choose(k, open, code);
      if (go_on(rank, k + 1, at_end)) return true;
    }
    return false;
  }

  void choose(std::size_t k, const Digit& from, int code) { walk_.codes()[k] = {code, code, code, from.open}; }

  /// The first code that is open, if there is room for all choices of this step.
  std::optional<std::size_t> next_open(std::size_t first) const {
    const auto& codes = walk_.codes();
    const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(first);
    const auto open = std::find_if(begin, codes.end(), [](const Digit& d) { return !d.decided(); });
    std::int64_t choices = 1;
    for (auto k = open; k != codes.end(); ++k) {
      choices *= 1 + k->hi - k->lo;
      if (choices > left_ + 1) return std::nullopt;
    }
    if (open == codes.end()) return std::nullopt;
    return static_cast<std::size_t>(open - codes.begin());
  }

  DirectionWalk<Real>& walk_;
  std::int64_t left_;  ///< how many more ends there may be
};

}  // namespace cellproof::oracle
