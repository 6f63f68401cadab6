#pragma once

#include "oracle/step/gates_at_once.hpp"
#include "oracle/step/step.hpp"

namespace cellproof::oracle {

/// One step of an RNN.
template <class Real>
class RnnStep : public Step<Real> {
 public:
  using Set = Enclosure<Real>;

  RnnStep(const Cell& cell, const Arithmetic& arithmetic, Tier tier, Units units = Units::AtOnce);

 protected:
  void take_units(const StepInput<Real>& in, const double* observed, StepSets<Real>& sets, Trace* trace) override;

  using Step<Real>::cell_, Step<Real>::m_, Step<Real>::sums_;

  StateProduct<Real> h_;

 private:
  GatesAtOnce<Real> plain_;
};

extern template class RnnStep<double>;
extern template class RnnStep<Ball>;

}  // namespace cellproof::oracle
