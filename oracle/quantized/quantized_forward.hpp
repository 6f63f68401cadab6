#pragma once

#include "oracle/forward/lstm_forward.hpp"
#include "oracle/quantized/product.hpp"

namespace cellproof::oracle {

/// The forward step of a DynamicQuantizeLSTM: an LSTM's, from a state that is quantised first. Where a code is certain,
/// or nearly, the state's own distance ends there, and a code that may fall either way is a symbol of a code's size.
/// Where a state may have many codes, its distance goes on, and quantisation adds half a code.
template <class Real>
class QuantizedForward : public LstmForward<Real> {
 public:
  using Base = LstmForward<Real>;
  using Set = Enclosure<Real>;

  /// The cell has no W and R. `R` must outlive it.
  QuantizedForward(const Cell& cell, const QuantizedMatrix& R, const Arithmetic& arithmetic, Tier tier);

  /// Takes a row's state through the step for which its h has these codes ([hidden]) and x leads to `x_products`.
  /// `in`: of the step; its state and products of h are replaced.
  bool take(StepInput<Real> in, const Digit* codes, const Quantiser<Real>& quantiser, ForwardState<Real>& state);

 private:
  using Base::cell_, Base::m_, Base::h_;
  using Base::take;

  /// Moves the state's reference to what it is quantised to, or lets the state stand.
  void quantise(const Digit* codes, ForwardState<Real>& state);
  /// Finds the products of R and the quantised state. False where sums may leave their formats.
  bool multiply(const ForwardState<Real>& state);

  const QuantizedMatrix& matrix_;
  std::vector<double> magnitudes_;                             ///< [hidden][rows] of the real weights
  double scale_ = 0, largest_scale_ = 0, relative_error_ = 0;  ///< of the quantiser
  std::vector<double> middle_;                                 ///< [hidden] the code that stands for a unit, or NaN
  std::vector<double> from_codes_, spread_;                    ///< [rows]
  std::vector<Real> from_states_;                              ///< [rows] sums of integers and states
  std::vector<double> states_;                                 ///< [rows] sums of their magnitudes
  std::vector<Set> h_products_;
};

extern template class QuantizedForward<double>;
extern template class QuantizedForward<Ball>;

}  // namespace cellproof::oracle
