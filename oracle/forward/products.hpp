#pragma once

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
  std::span<const double> doubles() const { return data_; }
  /// The same in float; empty where they are few, or one is so large that float might overflow.
  std::span<const float> floats() const { return floats_; }

 private:
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
inline constexpr int panels_at_once = 3;

/// The products of all rows and each panel's h, of at most `panels_at_once`.
void multiply(const PackedRows& rows, std::span<const Panel> panels, std::vector<PanelProducts>& products);

/// Adds to sums[r] the magnitudes of row r of [rows][panel_width].
void add_magnitudes(const double* rows, int count, double* sums);

}  // namespace cellproof::oracle
