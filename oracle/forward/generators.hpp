#pragma once

#include <functional>
#include <span>
#include <vector>

#include "oracle/forward/products.hpp"

namespace cellproof::oracle {

/// Distances of states from a reference, as linear forms of symbols, each of which is any number from -1 to 1. A state
/// h or c of a unit is off by a sum of coefficients times symbols.
class Generators {
 public:
  Generators(int units, bool has_cell);

  /// Coefficients of the symbols that are new with this step: two for each unit, one that acts on the cell and, through
  /// it, on h, and one of h alone.
  std::vector<double> cell_c, cell_h, own_h;

  /// Takes all symbols through a step: `move` replaces panels' coefficients by those after the step. The new symbols
  /// are then those of the next step, to be filled in.
  void advance(const std::function<void(std::span<Panel>)>& move);

  /// Makes the new symbols hold all of the least ones as well, such that no more than `most` old ones are left, and
  /// those that together amount to a share of less than `share` of what the states are off by. `h`, `c`: how far that
  /// is, by unit; filled in again.
  void reduce(int most, double share, std::vector<double>& h, std::vector<double>& c);

  /// Makes a unit's h a number of its own, which no symbol takes anywhere but `own_h`, to be filled in.
  void forget_h(int unit);

  int count() const { return columns_; }

 private:
  double* panel_h(int panel) { return h_.data() + place(panel); }
  double* panel_c(int panel) { return has_cell_ ? c_.data() + place(panel) : nullptr; }
  std::size_t place(int panel) const;
  void take_in(int kind);
  void keep(const std::vector<int>& columns);

  int units_;
  bool has_cell_;
  int columns_ = 0;                      ///< of h_ and c_; the last panel may hold more room, which is 0
  std::vector<double> h_, c_;            ///< [panel][unit][panel_width]
  std::vector<double> kept_h_, kept_c_;  ///< room for the next ones
};

}  // namespace cellproof::oracle
