#pragma once

#include <optional>
#include <vector>

#include "oracle/step/plain_lstm.hpp"
#include "oracle/step/step.hpp"

namespace cellproof::oracle {

/// One step of an LSTM.
template <class Real>
class LstmStep : public Step<Real> {
 public:
  using Set = Enclosure<Real>;

  LstmStep(const Cell& cell, const Arithmetic& arithmetic, Tier tier, Units units = Units::AtOnce);

 protected:
  void take_units(const StepInput<Real>& in, const double* observed, StepSets<Real>& sets, Trace* trace) override;

  // As the virtual functions of Step.

  /// The cell that the output gate looks at, where it is known before the new one is; no cell at all is 0.
  virtual std::optional<Set> seen_by_o(const Set& before) const;
  /// The new cell as it is kept.
  virtual Set stored(const Set& C) const;
  /// Bounds the slope of o h(C) over C from below, given h at the centre; 0 where that is not known.
  virtual double least_rise(const Set& o, const Set& C, const Set& h) const;

  // Parts that the forward bound is made of as well (oracle/forward/).

  /// The pre-activation of a gate that looks at the cell, through a peephole if there is one.
  Set gate_sum(const StepInput<Real>& in, int gate, int unit, const Set& C) const;
  /// C = f (.) C' + i (.) c~, or the coupled form, (1 - lead) (.) at_zero + lead (.) at_one.
  Set uncoupled_cell(const Set& i, const Set& f, const Set& g, const Set& before) const;
  Set coupled_cell(const Set& lead, const Set& at_zero, const Set& at_one) const;
  /// H = o (.) h(C).
  Set output_from(const Set& o, const Set& h) const;
  bool clips_argument_of_h() const { return cell_.clip_scope == ClipScope::ArgumentOfH; }

  using Step<Real>::cell_, Step<Real>::m_, Step<Real>::sums_;

  StateProduct<Real> h_;

 private:
  struct Gates {
    Image<Real> i, f, g;
    std::optional<Image<Real>> o;  ///< where it does not look at the new cell
  };
  /// Outcome of a unit's new cell: the output, and the cells that agree with the observed element.
  struct Outcome {
    Set H, kept;
    bool agrees = false;
    bool surely = false;  ///< and that was no close call
    /// Least slope of the output, where o and h are single parts and h surely rises with C; otherwise 0.
    double rise = 0;
    double below = 0, above = 0;  ///< of the element's match
  };

  /// One unit from the sums of its rows.
  void take_unit(const StepInput<Real>& in, int unit, const double* observed, StepSets<Real>& sets, Trace* trace) const;
  /// The same from what is known of all plain units; false where this one is none.
  bool take_plain_unit(int unit, const double* observed, StepSets<Real>& sets) const;

  Gates gates_of(const StepInput<Real>& in, int unit, const Set& before) const;
  /// The new cell, as it is kept.
  Set cell_after(const StepInput<Real>& in, const Set& i, const Set& f, const Set& g, const Set& before) const;
  /// The first cell where nothing was before.
  Set first_cell(const Set& i, const Set& f, const Set& g) const;
  /// H = o (.) h(C) over a set of cells. The output gate `o` is given where it does not depend on C.
  Outcome output_of(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                    const double* observed) const;
  /// As output_of, and cuts off the ends of the set of cells that cannot have produced the observed element.
  Outcome observe(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                  const double* observed) const;
  /// The same where nothing is known of how the output rises: each part of the set is asked by itself.
  Outcome observe_slices(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                         const double* observed, Outcome whole) const;
  /// Adds what another set of cells leads to.
  static void join(Outcome& all, const Outcome& one, bool observed);

  std::optional<PlainLstm> plain_;  ///< where Real is double, and the cell has plain units
};

extern template class LstmStep<double>;
extern template class LstmStep<Ball>;

}  // namespace cellproof::oracle
