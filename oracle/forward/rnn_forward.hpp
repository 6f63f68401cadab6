#pragma once

#include "oracle/forward/linear_step.hpp"
#include "oracle/step/rnn_step.hpp"

namespace cellproof::oracle {

/// The forward step of an RNN.
template <class Real>
class RnnForward : public LinearStep<RnnStep<Real>, Real> {
 public:
  using Base = LinearStep<RnnStep<Real>, Real>;
  using Set = Enclosure<Real>;

  RnnForward(const Cell& cell, const Arithmetic& arithmetic, Tier tier);

  bool take(StepInput<Real> in, ForwardState<Real>& state) override;

 private:
  using Base::cell_, Base::m_, Base::sums_, Base::h_, Base::failed_;

  void move(std::span<Panel> panels);
  void move(Panel& panel, PanelProducts& products);
  void finish(int unit, ForwardState<Real>& state);

  PackedRows R_;
  std::vector<PanelProducts> products_;
  std::vector<Argument<Real>> arguments_;
  std::vector<double> linear_, h_sums_;
};

}  // namespace cellproof::oracle
