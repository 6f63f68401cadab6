#pragma once

#include <functional>
#include <span>
#include <vector>

namespace cellproof::oracle {

/// From so many units on, symbols are multiplied in float: that takes half the time, and what it rounds is far below
/// what the engine's own sums may be off by.
inline constexpr int units_for_float = 256;

/// Products with all symbols are off by rounding: by this share of the sum of magnitudes of what is multiplied.
double share_lost_in_products(int units);
/// And by so much at the least, where the symbols take all units together by `reach`.
double least_lost_in_products(int units, double reach);

/// Rows of a matrix, so packed that products with panels of symbols are quick.
class PackedRows {
 public:
  PackedRows() = default;
  /// Rows first <= r < last of weights[c * rows + r].
  PackedRows(const std::vector<double>& weights, int rows, int first, int last, int columns);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  /// [row / 8][column][row % 8], with rows of zeros at the end.
  const double* block(int row) const { return data_.data() + offset(row, 0); }
  double weight(int row, int column) const { return data_[offset(row, column)]; }
  /// The same in float; only where they are many and none is so large that float might overflow.
  bool in_float() const { return !floats_.empty(); }
  const float* float_block(int row) const { return floats_.data() + offset(row, 0); }

 private:
  std::size_t offset(int row, int column) const;

  int rows_ = 0, columns_ = 0;
  std::vector<double> data_;
  std::vector<float> floats_;
};

/// So many symbols at a time.
inline constexpr int panel_width = 16;

/// Coefficients of some symbols in each unit's state: [unit][panel_width].
struct Panel {
  double* h;
  double* c;              ///< null where there is no cell
  int diagonal_from = 0;  ///< the k-th symbol acts on unit diagonal_from + k alone
  bool is_diagonal = false;
};

/// Numbers [rows][panel_width], with room for a last block.
using PanelProducts = std::vector<double>;

/// So many panels are taken through a step together: the rows are then fetched once for all of them.
inline constexpr std::size_t panels_at_once = 4;

/// The products of all rows and each panel's h, or of another matrix [columns][panel_width] in h's place.
void multiply(const PackedRows& rows, std::span<const Panel> panels, std::vector<PanelProducts>& products);
void multiply(const PackedRows& rows, const double* vectors, PanelProducts& products);

/// Adds to sums[r] the magnitudes of row r of [rows][panel_width].
void add_magnitudes(const double* rows, int count, double* sums);

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
