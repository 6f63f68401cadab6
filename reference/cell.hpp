#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/activation.hpp"
#include "reference/numbers.hpp"

namespace cellproof::reference {

template <class Real>
using Vector = std::vector<Real>;

/// State that a sequence carries from step to step: Ht and, for LSTM, Ct (else empty).
template <class Real>
struct State {
  Vector<Real> H, C;
};

/// An activation function as a cell calls it: clip "bounds the elements of a tensor in the range of
/// [-threshold, +threshold] and is applied to the input of activations". A NaN stays NaN: no bound is above or below
/// it.
template <class Real>
struct Activate {
  Activation activation;
  std::optional<Real> clip;

  static Real clipped(const Real& x, const std::optional<Real>& threshold) {
    if (!threshold) return x;
    if (x < -*threshold) return -*threshold;
    if (x > *threshold) return *threshold;
    return x;
  }
  Real operator()(const Real& x) const { return apply(activation, clipped(x, clip)); }
};

/// The parameters of one direction under the names of the pages. Gates are stacked in W and R, and B holds the Wb of
/// all gates before the Rb of all gates. A gate's number is its position in the stack.
template <class Real>
class Parameters {
 public:
  /// W [D,gates*H,I], R [D,gates*H,H], B [D,2*gates*H], P [D,3*H] (or null): not owned.
  Parameters(const Numbers<Real>& W, const Numbers<Real>& R, const Numbers<Real>& B, const Numbers<Real>* P,
             std::int64_t direction, std::int64_t gates, std::int64_t H)
      : W_(W), R_(R), B_(B), P_(P), d_(direction), gates_(gates), H_(H) {}

  std::int64_t hidden_size() const { return H_; }
  const Real& Wb(std::int64_t gate, std::int64_t j) const { return B_.at({d_, gate * H_ + j}); }
  const Real& Rb(std::int64_t gate, std::int64_t j) const { return B_.at({d_, (gates_ + gate) * H_ + j}); }
  const Real& P(std::int64_t gate, std::int64_t j) const { return P_->at({d_, gate * H_ + j}); }

  /// Element j of x * (W[gate]^T)
  Real times_W(const Vector<Real>& x, std::int64_t gate, std::int64_t j) const { return times(x, W_, gate, j); }
  /// Element j of h * (R[gate]^T)
  Real times_R(const Vector<Real>& h, std::int64_t gate, std::int64_t j) const { return times(h, R_, gate, j); }

 private:
  Real times(const Vector<Real>& v, const Numbers<Real>& matrix, std::int64_t gate, std::int64_t j) const {
    Real sum(0);
    for (std::size_t k = 0; k < v.size(); ++k)
      sum += v[k] * matrix.at({d_, gate * H_ + j, static_cast<std::int64_t>(k)});
    return sum;
  }

  const Numbers<Real>& W_;
  const Numbers<Real>& R_;
  const Numbers<Real>& B_;
  const Numbers<Real>* P_;
  std::int64_t d_, gates_, H_;
};

}  // namespace cellproof::reference
