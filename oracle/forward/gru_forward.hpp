#pragma once

#include "oracle/forward/linear_step.hpp"
#include "oracle/step/gru_step.hpp"

namespace cellproof::oracle {

/// The forward step of a GRU.
template <class Real>
class GruForward : public LinearStep<GruStep<Real>, Real> {
 public:
  using Base = LinearStep<GruStep<Real>, Real>;
  using Set = Enclosure<Real>;

  GruForward(const Cell& cell, const Arithmetic& arithmetic, Tier tier);

  bool take(StepInput<Real> in, ForwardState<Real>& state) override;

 private:
  using Base::cell_, Base::m_, Base::sums_, Base::h_, Base::reset_, Base::failed_;

  /// Numbers that rows of coefficients are multiplied with to make a unit's candidate and new state.
  struct Unit {
    double of_r = 0, of_inner = 0;  ///< for r (.) h or r (.) (R[h] h + Rb), by r's sum and by the other factor
    double of_z = 0, of_candidate = 0, of_h = 0;
  };

  std::size_t row(int gate, int unit) const { return at(gate * cell_.hidden + unit); }
  void find_arguments(const StepInput<Real>& in, const ForwardState<Real>& state);
  void move(std::span<Panel> panels);
  void move(Panel& panel, PanelProducts& products, PanelProducts& candidates);
  /// Products of R[h] with reset states, as the operator is written with linear_before_reset 0.
  void multiply_reset(std::span<const Panel> panels);
  /// Finds what is the own of every reset state.
  void reset(const StepInput<Real>& in, const ForwardState<Real>& state);
  /// The same of the candidate's sum, as the operator is written with linear_before_reset 0 and 1.
  Argument<Real> candidate_after_reset(const StepInput<Real>& in, int unit);
  Argument<Real> candidate_before_reset(const StepInput<Real>& in, int unit);
  void finish(const StepInput<Real>& in, int unit, ForwardState<Real>& state);
  Line<Real> line_of(int gate, int unit) {
    return this->line(0, arguments_[row(gate, unit)], this->up(linear_[row(gate, unit)]), true);
  }

  PackedRows gates_, R_h_;
  std::vector<PanelProducts> products_, candidates_;
  std::vector<std::vector<double>> reset_panels_;
  std::vector<Argument<Real>> arguments_;  ///< [3 * hidden]
  std::vector<Unit> units_;
  std::vector<double> linear_;               ///< [3 * hidden] how far the old symbols take the arguments
  std::vector<double> inner_sums_, h_sums_;  ///< [hidden] the same of r's other factor or r (.) h, and of new states
  std::vector<Real> reset_centre_;
  std::vector<double> reset_radius_, reset_own_;
};

}  // namespace cellproof::oracle
