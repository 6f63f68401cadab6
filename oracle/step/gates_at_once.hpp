#pragma once

#include <optional>

#include "oracle/at.hpp"
#include "oracle/step/plain_gates.hpp"
#include "oracle/step/step.hpp"

namespace cellproof::oracle {

/// The plain gates of a GRU or RNN (oracle/step/plain_gates.hpp). Of balls none is plain.
template <class Real>
class GatesAtOnce {
 public:
  GatesAtOnce(const Cell& cell, const Arithmetic& arithmetic, const SumErrors& errors, Tier tier, Units units)
      : cell_(cell), m_(arithmetic) {
    if constexpr (!carries_its_error<Real>) {
      if (units == Units::AtOnce) plain_.emplace(cell, arithmetic, errors, tier);
    }
  }

  /// Computes those rows of a gate that are plain; the gate's function is that in `slot`.
  void compute(int gate, int slot, const Sums<Real>& x, const Sums<Real>& h, int x_grid, int h_grid) {
    if constexpr (!carries_its_error<Real>) {
      if (!plain_ || !PlainGates::suits(cell_, m_, slot)) return;
      plain_->compute(gate * cell_.units, (gate + 1) * cell_.units, slot, x, h, x_grid, h_grid);
    }
  }

  /// The gate of a row where it is plain, otherwise nullopt.
  std::optional<Enclosure<Real>> operator[](int row) const {
    if constexpr (!carries_its_error<Real>) {
      if (plain_ && plain_->plain[at(row)]) return plain_->sets[at(row)];
    }
    return std::nullopt;
  }

 private:
  const Cell& cell_;
  const Arithmetic& m_;
  std::optional<PlainGates> plain_;  ///< where Real is double, and units may be computed at once
};

}  // namespace cellproof::oracle
