#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/step/gates_at_once.hpp"
#include "oracle/step/step.hpp"

namespace cellproof::oracle {

/// One step of a GRU.
template <class Real>
class GruStep : public Step<Real> {
 public:
  using Set = Enclosure<Real>;

  GruStep(const Cell& cell, const Arithmetic& arithmetic, Tier tier, Units units = Units::AtOnce);

 protected:
  void take_units(const StepInput<Real>& in, const double* observed, StepSets<Real>& sets, Trace* trace) override;

  // Parts that the forward bound is made of as well (oracle/forward/).

  /// r (.) H' as R[h] is multiplied with it (linear_before_reset 0).
  Set reset_of(const Set& r, const Set& h) const;
  /// W[h] x + r (.) (R[h] H' + Rb) (linear_before_reset 1).
  Set scaled_sum(const Set& from_x, const Set& r, const Set& inner) const;
  /// H = (1 - z) (.) h~ + z (.) H', also where it is computed as h~ + z (.) (H' - h~).
  Set blended(const Set& z, const Set& candidate, const Set& h) const;

  using Step<Real>::cell_, Step<Real>::m_, Step<Real>::sums_;

  StateProduct<Real> h_, reset_;

 private:
  /// z and r of all units. Returns the flags of r.
  std::uint8_t take_gates(const StepInput<Real>& in);
  void find_plain(int gate, int slot, const StateProduct<Real>& h);
  /// r (.) H', which takes the state's place in the product with R[h] (linear_before_reset 0). Returns the flags of its
  /// elements: every candidate is made from all of them.
  std::uint8_t reset_state(const StepInput<Real>& in);
  /// The pre-activation of h~.
  Set candidate_sum(const StepInput<Real>& in, int unit) const;
  /// h~, into which `flags` go.
  Image<Real> candidate_of(const StepInput<Real>& in, int unit, std::uint8_t flags) const;

  GatesAtOnce<Real> plain_;
  std::vector<Real> reset_centre_;
  std::vector<double> reset_radius_;
  std::vector<Set> z_, r_;
};

extern template class GruStep<double>;
extern template class GruStep<Ball>;

}  // namespace cellproof::oracle
