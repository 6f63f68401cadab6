#pragma once

#include <optional>

#include "reference/cell.hpp"
#include "reference/settings.hpp"

namespace cellproof::reference {

/// Gates in the order of W, R and B: "W[iofc]". The first three are also the order of P: "P[iof]".
namespace lstm_gate {
inline constexpr int i = 0, o = 1, f = 2, c = 3;
}

/// LSTM: the functions of one direction. f and g clip their arguments; whether h does is the clause clip-scope.
template <class Real>
struct LstmFunctions {
  Activate<Real> f, g, h;
  std::optional<Real> cell_clip;  ///< bounds the stored C (clip-scope=gates+cell)
  Coupling coupling = Coupling::None;
  bool forgets_nothing = false;  ///< there is no Ct-1, and no product with it (absent-initial-c=skipped)
};

/// One step of one sequence: (Ht, Ct) from Ht-1 and Ct-1. The products come in from outside, because
/// DynamicQuantizeLSTM forms them from integers: Xt_W(gate, j) is element j of Xt*(W[gate]^T), Ht_1_R(gate, j) is
/// element j of Ht-1*(R[gate]^T).
template <class Real, class ProductOfX, class ProductOfH>
State<Real> lstm_step(const Parameters<Real>& p, const LstmFunctions<Real>& functions, const ProductOfX& Xt_W,
                      const ProductOfH& Ht_1_R, const Vector<Real>& Ct_1) {
  const auto& [f, g, h, cell_clip, coupling, forgets_nothing] = functions;
  State<Real> next;
  for (std::int64_t j = 0; j < p.hidden_size(); ++j) {
    const Real& C_before = Ct_1[static_cast<std::size_t>(j)];
    // it = f(Xt*(Wi^T) + Ht-1*(Ri^T) + Pi (.) Ct-1 + Wbi + Rbi)
    // ft = f(Xt*(Wf^T) + Ht-1*(Rf^T) + Pf (.) Ct-1 + Wbf + Rbf)
    const auto gate = [&](int name) {
      return functions.f(Xt_W(name, j) + Ht_1_R(name, j) + p.P(name, j) * C_before + p.Wb(name, j) + p.Rb(name, j));
    };
    const bool forget_gate_leads = coupling == Coupling::InputIsOneMinusForget;
    const Real leading = gate(forget_gate_leads ? lstm_gate::f : lstm_gate::i);
    const Real other = coupling == Coupling::None ? gate(lstm_gate::f) : Real(1 - leading);
    const Real it = forget_gate_leads ? other : leading;
    const Real ft = forget_gate_leads ? leading : other;
    using lstm_gate::c, lstm_gate::o;
    // ct = g(Xt*(Wc^T) + Ht-1*(Rc^T) + Wbc + Rbc)
    const Real ct = g(Xt_W(c, j) + Ht_1_R(c, j) + p.Wb(c, j) + p.Rb(c, j));
    // Ct = ft (.) Ct-1 + it (.) ct
    const Real Ct = Activate<Real>::clipped(forgets_nothing ? it * ct : ft * C_before + it * ct, cell_clip);
    // ot = f(Xt*(Wo^T) + Ht-1*(Ro^T) + Po (.) Ct + Wbo + Rbo)
    const Real ot = f(Xt_W(o, j) + Ht_1_R(o, j) + p.P(o, j) * Ct + p.Wb(o, j) + p.Rb(o, j));
    // Ht = ot (.) h(Ct)
    next.H.push_back(ot * h(Ct));
    next.C.push_back(Ct);
  }
  return next;
}

}  // namespace cellproof::reference
