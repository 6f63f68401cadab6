#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "oracle/quantized/direction_walk.hpp"

namespace cellproof::oracle {

/// Takes a walk to its end by choices of codes that arithmetic leaves, where states are not observed: an honest engine
/// makes one of these choices, and each leads to narrow sets. Where choices become too many, codes stay open, and the
/// sets hold all of them. Each of its functions takes the walk from its start.
template <class Real>
class CodeChoices {
 public:
  /// `most`: the number of choices that may be told apart.
  CodeChoices(DirectionWalk<Real>& walk, std::int64_t most) : walk_(walk), left_(most - 1) {}

  /// Leaves all codes open that are. Returns whether any is.
  bool leave_open() {
    start();
    return leave_open(0, 0);
  }

  /// Makes the likeliest choice.
  void take_likeliest() {
    start();
    for (std::int64_t rank = 0; rank < walk_.steps(); next_step(rank)) {
      for (auto open = next_open(0); open; open = next_open(*open + 1)) {
        const Digit digit = walk_.codes()[*open];
        left_ -= digit.hi - digit.lo;
        choose(*open, digit, likeliest(digit));
      }
    }
  }

  /// Makes a choice at whose end `at_end` returns true; false where there is none. Once a code is chosen, it is also
  /// asked of the sets that hold all choices that are left, where false rules out each of them. For leave_open(), which
  /// holds all, the caller has asked that.
  template <class AtEnd>
  bool find(const AtEnd& at_end) {
    start();
    return branch(0, 0, at_end);
  }

 private:
  void start() {
    if (walk_.steps() > 0) walk_.quantise(0);
  }

  void next_step(std::int64_t& rank) {
    walk_.take(rank, nullptr);
    if (++rank < walk_.steps()) walk_.quantise(rank);
  }

  /// From step `rank` on, the codes before `first` being chosen.
  bool leave_open(std::int64_t rank, std::size_t first) {
    bool is_open = false;
    for (; rank < walk_.steps(); next_step(rank), first = 0) {
      const auto begin = walk_.codes().begin() + static_cast<std::ptrdiff_t>(first);
      is_open = is_open || !std::all_of(begin, walk_.codes().end(), [](const Digit& d) { return d.decided(); });
    }
    return is_open;
  }

  /// Likewise.
  template <class AtEnd>
  bool look(std::int64_t rank, std::size_t first, const AtEnd& at_end) {
    const typename DirectionWalk<Real>::State here = walk_.state();
    const bool is_open = leave_open(rank, first);
    if (!at_end()) return false;
    if (!is_open) return true;
    walk_.go_back_to(here);
    return branch(rank, first, at_end);
  }

  template <class AtEnd>
  bool branch(std::int64_t rank, std::size_t first, const AtEnd& at_end) {
    for (; rank < walk_.steps(); next_step(rank), first = 0)
      if (const std::optional<std::size_t> open = next_open(first)) return look_at_each(rank, *open, at_end);
    return at_end();
  }

  template <class AtEnd>
  bool look_at_each(std::int64_t rank, std::size_t k, const AtEnd& at_end) {
    const typename DirectionWalk<Real>::State before = walk_.state();
    const Digit open = before.codes[k];
    left_ -= open.hi - open.lo;
    choose(k, open, likeliest(open));
    if (look(rank, k + 1, at_end)) return true;
    for (int code = open.lo; code <= open.hi; ++code) {
      if (code == likeliest(open)) continue;
      walk_.go_back_to(before);
      choose(k, open, code);
      if (look(rank, k + 1, at_end)) return true;
    }
    return false;
  }

  static int likeliest(const Digit& open) { return std::clamp(open.expected, open.lo, open.hi); }

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
