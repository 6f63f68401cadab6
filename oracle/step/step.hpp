#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/ball/dots.hpp"
#include "oracle/step/cell.hpp"
#include "oracle/step/observation.hpp"
#include "oracle/step/plain_lstm.hpp"
#include "oracle/step/preactivation.hpp"
#include "oracle/step/sums.hpp"

namespace cellproof::oracle {

/// Where one row of the batch stands before a step.
template <class Real>
struct StepInput {
  const double* x = nullptr;         ///< [inputs]
  const Real* h = nullptr;           ///< [hidden] NaN: certainly NaN
  const double* h_radius = nullptr;  ///< [hidden] infinite: nothing is known of that element
  bool absent_state = false;         ///< the first step of a node without initial_h (and initial_c)
  /// [rows] the two matrix products where they are not sums over the cell's weights (DynamicQuantizeLSTM), or null.
  const Enclosure<Real>* x_products = nullptr;
  const Enclosure<Real>* h_products = nullptr;
};

/// The gates of one unit, for people.
struct Trace {
  int unit = 0;
  struct Value {
    std::string name;
    double centre, radius;
  };
  std::vector<Value> values;
};

/// One step of one row of one direction: from the state before to the sets that hold the state after it. Compiled for
/// double and for balls.
template <class Real>
class Stepper {
 public:
  using Set = Enclosure<Real>;

  Stepper(const Cell& cell, const Arithmetic& arithmetic, Tier tier);

  /// `C` (LSTM: [hidden]) goes from before to after the step. `H` ([hidden]) receives the new state before it is
  /// rounded to the tensor's type. With `observed` ([hidden], the engine's own elements) `matches` is filled and every
  /// C is shrunk to what can have produced its element.
  void step(const StepInput<Real>& in, std::vector<Set>& C, const double* observed, std::vector<Set>& H,
            std::vector<Match>& matches, Trace* trace = nullptr);

 private:
  /// What the recurrent product is taken with: the state, or GRU's reset state.
  struct Vector {
    const Real* centre;
    const double* radius;
    int grid;
    double sum;  ///< of magnitudes
  };

  void lstm(const StepInput<Real>& in, std::vector<Set>& C, const double* observed, std::vector<Set>& H,
            std::vector<Match>& matches, Trace* trace);
  void gru(const StepInput<Real>& in, const double* observed, std::vector<Set>& H, std::vector<Match>& matches,
           Trace* trace);
  void rnn(const StepInput<Real>& in, const double* observed, std::vector<Set>& H, std::vector<Match>& matches,
           Trace* trace);

  /// What an LSTM unit's new cell leads to: the output, and the cells that agree with the observed element.
  struct Outcome {
    Set H, kept;
    bool agrees = false;
    bool surely = false;  ///< and that was no close call
    /// Where o and h are single parts and h surely rises with C: how fast the output does at least; otherwise 0.
    double rise = 0;
    double below = 0, above = 0;  ///< of the element's match
  };
  Set lstm_cell(const Set& i, const Set& f, const Set& g, const Set& before) const;
  Set lstm_gate_sum(const StepInput<Real>& in, int gate, int unit, const Set& C) const;
  Outcome lstm_output(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                      const double* observed) const;
  double least_rise(const Set& o, const Set& C, const Set& h, bool clips) const;
  Set producing(const Set& C, double rise, double below, double above) const;
  Outcome lstm_observe(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                       const double* observed) const;
  void lstm_unit(const StepInput<Real>& in, int unit, std::vector<Set>& C, const double* observed, std::vector<Set>& H,
                 std::vector<Match>& matches, Trace* trace) const;
  /// The same from what is known of all plain units; false where this one is none.
  bool plain_lstm_unit(int unit, std::vector<Set>& C, const double* observed, std::vector<Set>& H,
                       std::vector<Match>& matches) const;
  /// Finds out which units have a plain gate, whose function is that in `slot`, and computes it.
  void find_plain_gates(int gate, int slot, const Sums<Real>& h, const Vector& v);
  /// The gate of a row where it is plain, otherwise nullopt.
  std::optional<Set> plain_gate(int row) const;
  Set gru_blend(const Set& z, const Set& candidate, const Set& h) const;
  Set gru_candidate(const StepInput<Real>& in, int unit) const;
  std::uint8_t gru_reset_state(const StepInput<Real>& in);

  void sum_over_x(const double* x);
  void sum_over(const Vector& v, int first, int last, Sums<Real>& sums, const std::vector<double>& before);
  Vector vector_of(const Real* centre, const double* radius);
  /// The vector with factors rounded as the switches say.
  Vector rounded_operands(const Real* centre, const double* radius);
  Set state_of(const StepInput<Real>& in, int unit) const;

  enum class Share { Both, XOnly, HOnly };  ///< which products and biases stand in a pre-activation
  /// The pre-activation of a row, clip not applied. `C` is the peephole's cell, or nullptr.
  Set sum_of_row(int row, Share share, const Sums<Real>& h, const Vector& v, const StepInput<Real>& in, const Set* C,
                 double p) const;
  Addends<Real> addends_of(int row, Share share, const Sums<Real>& h, const Vector& v) const;
  Addends<Real> addends_given(int row, const StepInput<Real>& in) const;
  Set special_row(int row, Share share, const Vector& v, const StepInput<Real>& in) const;
  Set clipped(const Set& a) const;
  /// The function in `slot` of a pre-activation.
  Image<Real> function_of(int slot, const Set& a, bool clips) const;
  /// What an overflow in a literally evaluated formula makes of the image (softplus_overflows, tanh_overflows).
  void let_overflow(const Activation& function, const Set& argument, Image<Real>& image_of) const;
  /// A gate of its pre-activation.
  Image<Real> gate_of(int gate, int slot, const Set& a) const;
  /// A sum of two parts that were computed each by itself. Beside an infinity a finite part that overflows to the
  /// other one makes an honest NaN, which a fused operation does not.
  Set sum_of_parts(const Set& a, const Set& b) const;
  /// (1 - z) a + z b, of which the same holds.
  Set blend_of_parts(const Set& z, const Set& a, const Set& b) const;
  /// The result of elementwise operations whose roundings amount to those of `intermediates` (a sum of magnitudes) and
  /// of the result; `storable`: it may pass through the tensor's type; `exact`: proved to need no rounding.
  Set elementwise(const Set& value, double intermediates, bool storable, bool exact) const;
  void note(Trace* trace, int unit, const char* name, const Set& value) const;

  const Cell& cell_;
  const Arithmetic& m_;
  Tier tier_;
  SumErrors errors_;                       ///< of its pre-activations
  std::optional<PlainLstm> plain_lstm_;    ///< where Real is double, and the cell has plain units
  std::optional<PlainGates> plain_gates_;  ///< likewise of GRU and RNN
  std::optional<BallMatrix> W_, R_;        ///< where Real is Ball
  Sums<Real> x_, h_, reset_;
  std::vector<Real> x_values_, reset_centre_;
  std::vector<double> zeros_;
  std::vector<double> reset_radius_;
  std::vector<Real> rounded_centre_;
  std::vector<double> rounded_radius_;
  std::vector<Set> z_, r_;
  Vector state_{}, reset_state_{};
  int x_grid_ = 0;
  double x_sum_ = 0;
};

}  // namespace cellproof::oracle
