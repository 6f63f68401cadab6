#pragma once

#include "oracle/forward/linear_step.hpp"
#include "oracle/step/lstm_step.hpp"

namespace cellproof::oracle {

/// The forward step of an LSTM.
template <class Real>
class LstmForward : public LinearStep<LstmStep<Real>, Real> {
 public:
  using Base = LinearStep<LstmStep<Real>, Real>;
  using Set = Enclosure<Real>;

  LstmForward(const Cell& cell, const Arithmetic& arithmetic, Tier tier)
      : LstmForward(cell, cell.R, arithmetic, tier) {}

  bool take(StepInput<Real> in, ForwardState<Real>& state) override;

 protected:
  /// `R`: what takes the state's distances into the gates' arguments.
  LstmForward(const Cell& cell, const std::vector<double>& R, const Arithmetic& arithmetic, Tier tier);

  using Base::cell_, Base::m_, Base::sums_, Base::h_, Base::failed_;

  /// Begins a step: with the products of x and of the state, where they are sums over the cell's weights.
  void begin(const StepInput<Real>& in, const ForwardState<Real>& state);
  /// Takes the state through it. False as with take().
  bool go_through(const StepInput<Real>& in, ForwardState<Real>& state);

 private:
  /// Numbers that rows of coefficients are multiplied with to make a unit's new state.
  struct Unit {
    double of_c = 0, of_i = 0, of_f = 0, of_g = 0;  ///< for the new cell
    bool stands = false;                            ///< does the cell stand at its clip?
    double of_cell = 0, of_o = 0;                   ///< for h
    double slope_of_h = 0;
  };

  double peephole(int gate, int unit) const { return cell_.P.empty() ? 0 : cell_.P[at(gate * cell_.hidden + unit)]; }
  bool is_computed(int gate) const;
  /// The coefficients for the new cell, where the gates have these values.
  Unit cell_of(double i, double f, double g, double c, int unit) const;
  void find_arguments(const StepInput<Real>& in, const ForwardState<Real>& state);
  void move(std::span<Panel> panels);
  void move(Panel& panel, PanelProducts& products);
  /// The unit's step from what is known of its rows; fills its new symbols.
  void finish(const StepInput<Real>& in, int unit, ForwardState<Real>& state);
  /// The new cell from the one before. Returns what is its own.
  double take_cell(int unit, const ForwardState<Real>& state, Real& cell);
  /// By how much a new cell can miss the bilinear form of its gates.
  double cell_error(const Line<Real>& i, const Line<Real>& f, const Line<Real>& g, const Set& before, Real& centre);
  /// Clips a stored cell, around which there are `own` and what the gates take it by. Returns what is its own then.
  double clip_cell(const Unit& unit, double linear, double gates, double own, Real& cell);

  PackedRows R_;
  std::vector<PanelProducts> products_;
  std::vector<Argument<Real>> arguments_;  ///< [4 * hidden]
  std::vector<Unit> units_;
  std::vector<double> linear_;           ///< [4 * hidden] how far the old symbols take the arguments
  std::vector<double> h_sums_, c_sums_;  ///< [hidden] the same of the new states
};

}  // namespace cellproof::oracle
