#include "oracle/exact_trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "oracle/at.hpp"
#include "oracle/ball/dots.hpp"
#include "oracle/element_evaluation.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/quantized/evaluation.hpp"
#include "oracle/step/real.hpp"
#include "oracle/value_type.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle {
namespace {

using Balls = std::vector<Ball>;

// Order of the gates in W, R and B, by operator.
constexpr int lstm_i = 0, lstm_o = 1, lstm_f = 2, lstm_c = 3;
constexpr int gru_z = 0, gru_r = 1, gru_h = 2;
// Order of the peepholes in P is that of the first three gates of an LSTM.

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

/// Is a state known to no digit? Nearly all weights take the others there with the next step. Large ones are beyond all
/// doubles.
bool is_lost(const Ball& state) {
  constexpr slong too_far = -10;  // as a power of two
  return !isfinite(state) ||
         (mag_cmp_2exp_si(arb_radref(state.arb()), too_far) >= 0 && arb_rel_accuracy_bits(state.arb()) <= 0);
}

/// Returns a ball of which nothing is known but that it is a number.
Ball any_number() {
  Ball any;
  arb_zero_pm_inf(any.arb());
  return any;
}

/// One row of one direction, step by step.
class ExactWalk {
 public:
  explicit ExactWalk(Cell cell)
      : cell_(std::move(cell)),
        W_(cell_.W, cell_.rows, cell_.inputs),
        R_(cell_.R, cell_.rows, cell_.hidden),
        finite_weights_(all_finite(cell_.W) && all_finite(cell_.R) && all_finite(cell_.Wb) && all_finite(cell_.Rb) &&
                        all_finite(cell_.P)) {}

  void begin(Balls h, Balls C) {
    h_ = std::move(h);
    C_ = std::move(C);
    special_ = !finite_weights_;
    lost_ = false;
    for (const Balls* state : {&h_, &C_}) {
      for (const Ball& value : *state) special_ = special_ || !isfinite(value);
    }
  }

  /// `x`: [inputs].
  void step(const double* x) {
    special_ = special_ || !std::all_of(x, x + cell_.inputs, [](double v) { return std::isfinite(v); });
    if (special_) {
      for (Balls* state : {&h_, &C_}) std::ranges::fill(*state, std::numeric_limits<Ball>::quiet_NaN());
      return;
    }
    if (lost_) return;
    multiply_and_squash(x);
    lost_ = std::ranges::all_of(h_, is_lost);
    if (lost_)
      for (Balls* state : {&h_, &C_}) std::ranges::fill(*state, any_number());
  }

  const Balls& h() const { return h_; }
  const Balls& C() const { return C_; }

 private:
  void multiply_and_squash(const double* x) {
    x_.assign(x, x + cell_.inputs);
    from_x_.assign(cell_.Wb.begin(), cell_.Wb.end());
    from_h_.assign(cell_.Rb.begin(), cell_.Rb.end());
    W_.add_products(0, cell_.rows, x_.data(), from_x_);
    if (cell_.op == Operator::GRU) return gru();
    R_.add_products(0, cell_.rows, h_.data(), from_h_);
    return cell_.op == Operator::RNN ? rnn() : lstm();
  }

  std::size_t row(int gate, int unit) const { return at(gate * cell_.hidden + unit); }
  Ball sum_of(int gate, int unit) const { return from_x_[row(gate, unit)] + from_h_[row(gate, unit)]; }

  Ball clipped(const Ball& a) const {
    if (!cell_.clip || !isfinite(a)) return a;
    return clamped(a, Ball(-*cell_.clip), Ball(*cell_.clip));
  }
  /// Comparisons in a function would make a number of what is none.
  Ball function(int slot, const Ball& argument) const {
    return isfinite(argument) ? value_of(cell_.activation[at(slot)], argument) : std::numeric_limits<Ball>::quiet_NaN();
  }
  Ball gate(int slot, const Ball& a) const { return function(slot, clipped(a)); }

  void rnn() {
    for (int j = 0; j < cell_.hidden; ++j) h_[at(j)] = gate(0, sum_of(0, j));
  }

  void gru() {
    const int hidden = cell_.hidden;
    R_.add_products(0, gru_h * hidden, h_.data(), from_h_);
    z_.resize(at(hidden));
    r_.resize(at(hidden));
    for (int j = 0; j < hidden; ++j) {
      z_[at(j)] = gate(0, sum_of(gru_z, j));
      r_[at(j)] = gate(0, sum_of(gru_r, j));
    }
    if (!cell_.linear_before_reset) {
      reset_ = h_;
      for (int j = 0; j < hidden; ++j) reset_[at(j)] = r_[at(j)] * h_[at(j)];
    }
    R_.add_products(gru_h * hidden, cell_.rows, (cell_.linear_before_reset ? h_ : reset_).data(), from_h_);
    for (int j = 0; j < hidden; ++j) {
      const Ball inner = from_h_[row(gru_h, j)];
      const Ball a = from_x_[row(gru_h, j)] + (cell_.linear_before_reset ? r_[at(j)] * inner : inner);
      const Ball candidate = gate(1, a);
      h_[at(j)] = (1 - z_[at(j)]) * candidate + z_[at(j)] * h_[at(j)];
    }
  }

  Ball with_peephole(int which, int unit, const Ball& cell) const {
    const Ball a = sum_of(which, unit);
    return cell_.P.empty() ? a : a + cell_.P[row(which, unit)] * cell;
  }

  void lstm() {
    for (int j = 0; j < cell_.hidden; ++j) {
      Ball& C = C_[at(j)];
      Ball i, f;
      if (cell_.coupling != Coupling::ForgetLeads) i = gate(0, with_peephole(lstm_i, j, C));
      if (cell_.coupling != Coupling::InputLeads) f = gate(0, with_peephole(lstm_f, j, C));
      if (cell_.coupling == Coupling::ForgetLeads) i = 1 - f;
      if (cell_.coupling == Coupling::InputLeads) f = 1 - i;
      C = f * C + i * gate(1, sum_of(lstm_c, j));
      if (cell_.clip_scope == ClipScope::StoredCell) C = clipped(C);
      const Ball o = gate(0, with_peephole(lstm_o, j, C));
      h_[at(j)] = o * function(2, cell_.clip_scope == ClipScope::ArgumentOfH ? clipped(C) : C);
    }
  }

  Cell cell_;
  BallMatrix W_, R_;
  bool finite_weights_;
  bool special_ = false;  ///< an infinity or NaN has come in: what follows is a matter of IEEE 754, not of real numbers
  bool lost_ = false;     ///< the balls hold no digit of any state
  Balls h_, C_, x_, from_x_, from_h_, z_, r_, reset_;
};

bool is_certain(const Balls& states, const Layout& f, ElementType type, bool by_step) {
  for (std::int64_t d = 0; d < f.D; ++d) {
    for (std::int64_t b = 0; b < f.N; ++b) {
      const std::int64_t steps = f.lengths[at(b)];
      for (std::int64_t rank = by_step || steps == 0 ? 0 : steps - 1; rank < steps; ++rank) {
        const std::size_t place =
            by_step ? ElementEvaluation::y_place(f, rank, d, b) : ElementEvaluation::state_place(f, d, b);
        for (std::int64_t j = 0; j < f.H; ++j) {
          const Ball& state = states[place + at(j)];
          if (!isnan(state) && !correctly_rounded(state, type)) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

ExactTrajectory exact_trajectory(const Task& task, int bits) {
  if (quantises(task)) throw std::invalid_argument("a quantised recurrence has no exact trajectory");
  const WorkingPrecision precision(bits);
  const Layout& f = task.layout;
  ExactTrajectory all;
  all.bits = bits;
  all.H.resize(at(f.T * f.D * f.N * f.H));
  const bool has_cell = has_cell_state(task.problem.version.op);
  all.C.resize(has_cell ? at(f.D * f.N * f.H) : 0);
  for (std::int64_t d = 0; d < f.D; ++d) {
    ExactWalk walk(cell_of(task.problem, task.readings, static_cast<int>(d)));
    for (std::int64_t b = 0; b < f.N; ++b) {
      Balls h, C;
      for (std::int64_t j = 0; j < f.H; ++j) {
        h.emplace_back(task.initial_state_of_h(d, b, j));
        if (has_cell) C.emplace_back(task.initial_state_of_c(d, b, j));
      }
      walk.begin(std::move(h), std::move(C));
      for (std::int64_t rank = 0; rank < f.lengths[at(b)]; ++rank) {
        walk.step(task.X.data() + f.x_offset(f.time(d, b, rank), b));
        std::ranges::copy(walk.h(),
                          all.H.begin() + static_cast<std::ptrdiff_t>(ElementEvaluation::y_place(f, rank, d, b)));
      }
      if (has_cell) {
        std::ranges::copy(walk.C(),
                          all.C.begin() + static_cast<std::ptrdiff_t>(ElementEvaluation::state_place(f, d, b)));
      }
    }
  }
  const ElementType type = value_type(task.problem);
  all.certain = is_certain(all.H, f, type, true) && (!has_cell || is_certain(all.C, f, type, false));
  return all;
}

ExactTrajectory certified_trajectory(const Task& task, int most) {
  int bits = first_bits_of_balls;
  ExactTrajectory trajectory = exact_trajectory(task, bits);
  while (!trajectory.certain && 2 * bits <= most) {
    bits *= 2;
    trajectory = exact_trajectory(task, bits);
  }
  return trajectory;
}

std::optional<double> correctly_rounded(const Ball& x, ElementType type) {
  if (!isfinite(x)) return std::nullopt;
  const auto rounded = [type](const Ball& bound) {
    return round_to(type, type == ElementType::Double ? static_cast<double>(bound) : to_odd(bound));
  };
  const double least = rounded(lower_bound(x)), greatest = rounded(upper_bound(x));
  return least == greatest ? std::optional(least) : std::nullopt;
}

}  // namespace cellproof::oracle
