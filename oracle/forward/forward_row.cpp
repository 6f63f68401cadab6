#include "oracle/forward/forward_row.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/at.hpp"
#include "oracle/forward/gru_forward.hpp"
#include "oracle/forward/lstm_forward.hpp"
#include "oracle/forward/rnn_forward.hpp"

namespace cellproof::oracle {
namespace {

/// Old symbols that are kept for each unit.
constexpr int most_of_a_unit = 10, least_of_a_unit = 2;

/// Rows' products with symbols that a task may cost in all, and multiplications where few symbols let the bound run
/// away: those take a minute.
constexpr double few_products = 2.2e8, many_multiplications = 6e11, many_multiplications_in_float = 1.3e12;

int symbols_for(double products, const Layout& layout, const Cell& cell) {
  double steps = 0;
  for (const std::int64_t length : layout.lengths) steps += static_cast<double>(length * layout.D);
  const double affordable = products / (steps * cell.rows);
  return static_cast<int>(std::clamp<double>(affordable, least_of_a_unit * cell.hidden, most_of_a_unit * cell.hidden));
}

/// Is a state known so badly that little follows from it?
template <class Real>
bool ran_away(const ForwardState<Real>& state) {
  double radius = 0, magnitude = 0;
  for (std::size_t j = 0; j < state.h.size(); ++j) {
    radius += state.h_radius[j];
    magnitude += std::abs(static_cast<double>(state.h[j]));
  }
  return !(radius <= magnitude / 16);
}

}  // namespace

KeptSymbols kept_symbols(const Layout& layout, const Cell& cell) {
  const double multiplications = cell.hidden < units_for_float ? many_multiplications : many_multiplications_in_float;
  return {symbols_for(few_products, layout, cell), symbols_for(multiplications / cell.hidden, layout, cell)};
}

template <class Real>
std::unique_ptr<ForwardStep<Real>> forward_step_of(const Cell& cell, const Arithmetic& arithmetic, Tier tier) {
  switch (cell.op) {
    case Operator::GRU:
      return std::make_unique<GruForward<Real>>(cell, arithmetic, tier);
    case Operator::RNN:
      return std::make_unique<RnnForward<Real>>(cell, arithmetic, tier);
    default:
      return std::make_unique<LstmForward<Real>>(cell, arithmetic, tier);
  }
}

template <class Real>
ForwardRow<Real>::ForwardRow(const Task& task, std::int64_t direction, Tier tier)
    : task_(task), d_(direction), cell_(task.cell(direction)), early_cell_(task.early_cell(direction)) {
  if (!suits()) return;
  late_step_ = forward_step_of<Real>(cell_, task.arithmetic, tier);
  if (task.fault_hooks.late_cell) early_step_ = forward_step_of<Real>(early_cell_, task.arithmetic, tier);
}

template <class Real>
bool ForwardRow<Real>::suits() const {
  const FaultHooks& fault_hooks = task_.fault_hooks;
  return cell_.switches == StepSwitches{} && early_cell_.switches == StepSwitches{} &&
         !fault_hooks.warms_up_in_padding && !fault_hooks.state_goes_to_next_row && fault_hooks.resets_every == 0;
}

template <class Real>
bool ForwardRow<Real>::begin(std::int64_t b, ForwardState<Real>& state) const {
  const auto radius_of = [&](double value) { return task_.arithmetic.radius_of_input(value) * (1 + 0x1p-50); };
  for (std::int64_t j = 0; j < task_.layout.H; ++j) {
    const double h = task_.initial_state_of_h(d_, b, j);
    if (!std::isfinite(h) || !std::isfinite(radius_of(h))) return false;
    state.h[at(j)] = h;
    state.h_radius[at(j)] = state.symbols.own_h[at(j)] = radius_of(h);
    if (state.c.empty()) continue;
    const double c = task_.initial_state_of_c(d_, b, j);
    if (!std::isfinite(c) || !std::isfinite(radius_of(c))) return false;
    state.c[at(j)] = c;
    state.c_radius[at(j)] = state.symbols.cell_c[at(j)] = radius_of(c);
  }
  return true;
}

template <class Real>
bool ForwardRow<Real>::run(std::int64_t b, std::int64_t steps, const std::function<void(std::int64_t)>& after_step) {
  return run(b, steps, kept_symbols(task_.layout, cell_), after_step);
}

template <class Real>
bool ForwardRow<Real>::run(std::int64_t b, std::int64_t steps, KeptSymbols kept,
                           const std::function<void(std::int64_t)>& after_step) {
  if (!late_step_) return false;
  return (kept.many > kept.few && follow(b, steps, kept.few, true, after_step)) ||
         follow(b, steps, std::max(kept.few, kept.many), false, after_step);
}

template <class Real>
bool ForwardRow<Real>::follow(std::int64_t b, std::int64_t steps, int symbols, bool closely,
                              const std::function<void(std::int64_t)>& after_step) {
  const Layout& f = task_.layout;
  const int units = static_cast<int>(f.H);
  ForwardState<Real> state(units, has_cell_state(task_.problem.version.op));
  if (!begin(b, state)) return false;
  for (std::int64_t rank = 0; rank < steps; ++rank) {
    const std::int64_t t = f.time(d_, b, rank);
    const std::int64_t input_time = f.time(d_, b, task_.fault_hooks.input_rank(rank, f.lengths[at(b)]));
    step_ = early_step_ && 2 * t < f.T ? early_step_.get() : late_step_.get();
    StepInput<Real> in;
    in.x = task_.X.data() + f.x_offset(input_time, b);
    in.x_radius = task_.x_radius(input_time, b);
    if (rank > 0 && !state.is_bounded()) return false;
    if (!step_->take(in, state)) return false;
    if (closely && ran_away(state)) return false;
    if (after_step) after_step(rank);
    if (rank + 1 == steps) break;
    state.reduce(symbols);
  }
  return steps > 0;
}

template class ForwardRow<double>;
template class ForwardRow<Ball>;
template std::unique_ptr<ForwardStep<double>> forward_step_of(const Cell&, const Arithmetic&, Tier);
template std::unique_ptr<ForwardStep<Ball>> forward_step_of(const Cell&, const Arithmetic&, Tier);

}  // namespace cellproof::oracle
