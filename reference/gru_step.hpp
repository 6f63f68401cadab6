#pragma once

#include "reference/cell.hpp"

namespace cellproof::reference {

/// GRU: the functions of one direction.
template <class Real>
struct GruFunctions {
  Activate<Real> f, g;
  bool linear_before_reset = false;
};

/// One step of one sequence: Ht from Xt and Ht-1. Gates stand in the order z, r, h.
template <class Real>
Vector<Real> gru_step(const Parameters<Real>& p, const GruFunctions<Real>& functions, const Vector<Real>& Xt,
                      const Vector<Real>& Ht_1) {
  const auto& [f, g, linear_before_reset] = functions;
  constexpr int z = 0, r = 1, h = 2;
  const std::int64_t H = p.hidden_size();
  Vector<Real> zt, rt, rt_Ht_1, Ht;
  for (std::int64_t j = 0; j < H; ++j) {
    // zt = f(Xt*(Wz^T) + Ht-1*(Rz^T) + Wbz + Rbz)
    zt.push_back(f(p.times_W(Xt, z, j) + p.times_R(Ht_1, z, j) + p.Wb(z, j) + p.Rb(z, j)));
    // rt = f(Xt*(Wr^T) + Ht-1*(Rr^T) + Wbr + Rbr)
    rt.push_back(f(p.times_W(Xt, r, j) + p.times_R(Ht_1, r, j) + p.Wb(r, j) + p.Rb(r, j)));
    // rt (.) Ht-1
    rt_Ht_1.push_back(rt.back() * Ht_1[static_cast<std::size_t>(j)]);
  }
  for (std::int64_t j = 0; j < H; ++j) {
    const auto unit = static_cast<std::size_t>(j);
    // ht = g(Xt*(Wh^T) + (rt (.) Ht-1)*(Rh^T) + Rbh + Wbh)      when linear_before_reset = 0
    // ht = g(Xt*(Wh^T) + (rt (.) (Ht-1*(Rh^T) + Rbh)) + Wbh)    when linear_before_reset != 0
    const Real ht = linear_before_reset
                        ? g(p.times_W(Xt, h, j) + rt[unit] * (p.times_R(Ht_1, h, j) + p.Rb(h, j)) + p.Wb(h, j))
                        : g(p.times_W(Xt, h, j) + p.times_R(rt_Ht_1, h, j) + p.Rb(h, j) + p.Wb(h, j));
    // Ht = (1 - zt) (.) ht + zt (.) Ht-1
    Ht.push_back((1 - zt[unit]) * ht + zt[unit] * Ht_1[unit]);
  }
  return Ht;
}

}  // namespace cellproof::reference
