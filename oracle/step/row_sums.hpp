#pragma once

#include <optional>
#include <vector>

#include "oracle/ball/dots.hpp"
#include "oracle/step/cell.hpp"
#include "oracle/step/preactivation.hpp"
#include "oracle/step/sums.hpp"

namespace cellproof::oracle {

/// State of one row of the batch before a step.
template <class Real>
struct StepInput {
  const double* x = nullptr;         ///< [inputs]
  const Real* h = nullptr;           ///< [hidden] NaN: certainly NaN
  const double* h_radius = nullptr;  ///< [hidden] infinite: nothing is known of that element
  bool absent_state = false;         ///< the first step of a node without initial_h (and initial_c)
  bool skips_cell = false;           ///< no product with the cell before is made
  /// [rows] the two matrix products where they are not sums over the cell's weights (DynamicQuantizeLSTM), or null.
  const Enclosure<Real>* x_products = nullptr;
  const Enclosure<Real>* h_products = nullptr;
  const double* x_radius = nullptr;  ///< [inputs] infinite: nothing is known of that element; null: x is exact
};

/// The recurrent product: R with the state, or with GRU's reset state.
template <class Real>
struct StateProduct {
  const Real* centre = nullptr;  ///< [hidden] of the vector, as `radius`
  const double* radius = nullptr;
  int grid = 0;
  double largest = 0, lost = 0;  ///< of the vector's magnitudes, and by its elements as factors (Arithmetic)
  Sums<Real> sums;
};

/// Which products and biases stand in a pre-activation.
enum class Share { Both, XOnly, HOnly };

/// The pre-activations of one step of a cell, clip not applied. A row is one gate of one unit.
template <class Real>
class RowSums {
 public:
  using Set = Enclosure<Real>;

  RowSums(const Cell& cell, const Arithmetic& arithmetic, Tier tier);

  /// Multiplies W with x, for all rows. `radius`: of its elements, or null where they are exact. Both must stand until
  /// the next.
  void take_x(const double* x, const double* radius = nullptr);
  /// Makes `h` the product with this vector, of no rows as yet. The vector must stand as long as `h` is used.
  void take_state(const Real* centre, const double* radius, StateProduct<Real>& h);
  /// Multiplies rows first <= r < last of R with the vector; `after_x`: the sums go on from those over x.
  void multiply(StateProduct<Real>& h, int first, int last, bool after_x);

  /// The pre-activation of a row.
  Set sum(int row, Share share, const StateProduct<Real>& h, const StepInput<Real>& in) const;
  /// The same with p times the cell, seen through a peephole.
  Set sum_with_peephole(int row, const StateProduct<Real>& h, const StepInput<Real>& in, const Set& C, double p) const;

  const Sums<Real>& x() const { return x_; }
  int x_grid() const { return x_grid_; }
  const SumErrors& errors() const { return errors_; }

 private:
  Addends<Real> addends_of(int row, Share share, const StateProduct<Real>& h, const StepInput<Real>& in) const;
  bool factors_change() const { return m_.eta_operand > 0 || std::isfinite(m_.largest_operand); }
  double lost(double row_lost, double row_sum, double vector_lost, double vector_largest) const;
  Addends<Real> addends_given(int row, const StepInput<Real>& in) const;
  Set finite_sum(const Addends<Real>& addends, int row, const StepInput<Real>& in) const;
  Set special_sum_of(int row, Share share, const StateProduct<Real>& h, const StepInput<Real>& in) const;

  const Cell& cell_;
  const Arithmetic& m_;
  Tier tier_;
  SumErrors errors_;
  std::optional<BallMatrix> W_, R_;  ///< where Real is Ball
  std::vector<double> zeros_;
  std::vector<Real> x_values_;
  const double* x_radius_ = nullptr;
  int x_grid_ = 0;
  double x_largest_ = 0, x_lost_ = 0;
  /// [rows] What a row's weights lose as factors, and the largest of them; empty where factors stand as they are.
  std::vector<double> W_lost_, R_lost_, W_largest_, R_largest_;
  Sums<Real> x_;
};

extern template class RowSums<double>;
extern template class RowSums<Ball>;

}  // namespace cellproof::oracle
