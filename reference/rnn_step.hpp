#pragma once

#include "reference/cell.hpp"

namespace cellproof::reference {

/// RNN: the functions of one direction.
template <class Real>
struct RnnFunctions {
  Activate<Real> f;
};

/// One step of one sequence: Ht from Xt and Ht-1.
template <class Real>
Vector<Real> rnn_step(const Parameters<Real>& p, const RnnFunctions<Real>& functions, const Vector<Real>& Xt,
                      const Vector<Real>& Ht_1) {
  const auto& [f] = functions;
  constexpr int i = 0;  // "i - input gate", the only one
  Vector<Real> Ht;
  for (std::int64_t j = 0; j < p.hidden_size(); ++j) {
    // Ht = f(Xt*(Wi^T) + Ht-1*(Ri^T) + Wbi + Rbi)
    Ht.push_back(f(p.times_W(Xt, i, j) + p.times_R(Ht_1, i, j) + p.Wb(i, j) + p.Rb(i, j)));
  }
  return Ht;
}

}  // namespace cellproof::reference
