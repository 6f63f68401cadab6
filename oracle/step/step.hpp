#pragma once

#include <vector>

#include "oracle/step/cell.hpp"
#include "oracle/step/observation.hpp"
#include "oracle/step/row_sums.hpp"
#include "spec/gate_value.hpp"

namespace cellproof::oracle {

/// The gates of one unit.
struct Trace {
  int unit = 0;
  using Value = GateValue;
  std::vector<Value> values;
};

/// Adds a set to the trace, if there is one and it is of this unit.
template <class Real>
void note(Trace* trace, int unit, const char* name, const Enclosure<Real>& value);

/// The sets that a step goes from and to.
template <class Real>
struct StepSets {
  std::vector<Enclosure<Real>> C;  ///< [units] LSTM: the cells before the step, then those after it
  std::vector<Enclosure<Real>> H;  ///< [units] the new state before it is rounded to the tensor's type
  std::vector<Match> matches;      ///< [units] of the observed elements
};

/// Plain units may be computed many at once (oracle/step/plain_gates.hpp): quicker, with the same results.
enum class Units { AtOnce, OneByOne };

/// One step of one row of one direction: from the state before to the sets that hold the state after it. Compiled for
/// double and for balls.
template <class Real>
class Step {
 public:
  using Set = Enclosure<Real>;

  virtual ~Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  /// With `observed` ([units], the engine's own elements; or null) the matches are filled and every C is shrunk to
  /// what can have produced its element.
  void take(const StepInput<Real>& in, const double* observed, StepSets<Real>& sets, Trace* trace = nullptr);

 protected:
  Step(const Cell& cell, const Arithmetic& arithmetic, Tier tier);

  /// Takes all units through the step; the products with x stand in `sums_`, H and the matches have their sizes.
  virtual void take_units(const StepInput<Real>& in, const double* observed, StepSets<Real>& sets, Trace* trace) = 0;

  // Parts of a step. The hypothesis of a fault overrides one or the other (oracle/faulty_step/).

  /// Makes x, or a vector for R, the factors of a product. `radius` of x: null where it is exact.
  virtual void take_x(const double* x, const double* radius);
  virtual void take_state(const Real* centre, const double* radius, StateProduct<Real>& h);
  /// One product of a pre-activation with its bias.
  virtual Set part(int row, Share share, const StateProduct<Real>& h, const StepInput<Real>& in) const;
  /// A pre-activation, but for a peephole, and the same with p times the cell.
  virtual Set summed(int row, const StateProduct<Real>& h, const StepInput<Real>& in) const;
  virtual Set summed_with_peephole(int row, const StateProduct<Real>& h, const StepInput<Real>& in, const Set& C,
                                   double p) const;
  virtual Set clipped(const Set& a) const;
  /// The function in `slot` of a pre-activation, clipped first or not.
  virtual Image<Real> function_of(int slot, const Set& a, bool clips) const;
  /// A gate of its pre-activation; its function is that in `slot`.
  virtual Image<Real> gate_of(int gate, int slot, const Set& a) const;

  const Cell& cell_;
  const Arithmetic& m_;
  RowSums<Real> sums_;
};

extern template class Step<double>;
extern template class Step<Ball>;
extern template void note(Trace*, int, const char*, const Enclosure<double>&);
extern template void note(Trace*, int, const char*, const Enclosure<Ball>&);

}  // namespace cellproof::oracle
