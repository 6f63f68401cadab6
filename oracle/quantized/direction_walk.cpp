#include "oracle/quantized/direction_walk.hpp"

#include "oracle/at.hpp"
#include "oracle/faulty_step/faulty_quantisation.hpp"
#include "oracle/faulty_step/faulty_step.hpp"

namespace cellproof::oracle {
namespace {

FaultyCell cell_of_direction(const Task& task, std::int64_t d, std::int64_t unit) {
  FaultyCell cell = task.cell(d, unit);
  cell.W.clear();  // the products come from outside
  cell.R.clear();
  cell.terms = 5;  // the two products, two biases and the peephole
  return cell;
}

/// With what a fault makes of them.
Matrices matrices_of_direction(const Task& task, std::int64_t direction, std::int64_t unit) {
  const auto d = static_cast<int>(direction);
  const Problem& problem = task.problem;
  KnownCells* const known = task.known_cells;
  Matrices of{known ? known->matrix_of_W(problem, task.readings, d) : matrix_of_W(problem, task.readings, d),
              known ? known->matrix_of_R(problem, task.readings, d) : matrix_of_R(problem, task.readings, d)};
  if (task.fault_hooks.matrices) task.fault_hooks.matrices(of.W, of.R, {problem, task.readings, d});
  for (QuantizedMatrix* matrix : {&of.W, &of.R}) {
    if (unit != Task::every_unit) matrix->narrow_to(static_cast<int>(unit), static_cast<int>(task.layout.H));
    if (task.fault_hooks.matrices) matrix->summarise();
  }
  return of;
}

/// The set of a number that both sets hold.
template <class Real>
Enclosure<Real> narrowed(const Enclosure<Real>& set, const Enclosure<Real>& other) {
  if (!is_ordinary(set.flags) || !set.is_finite() || set.empty()) return other;
  Enclosure<Real> both{set.centre, max(set.lo, other.lo), min(set.hi, other.hi), set.flags};
  if (!surely_at_most(both.lo, both.hi)) return other.radius() < set.radius() ? other : set;
  both.centre = clamped(set.centre, both.lo, both.hi);
  return both;
}

}  // namespace

template <class Real>
DirectionWalk<Real>::DirectionWalk(const Task& task, std::int64_t d, Tier tier, std::int64_t chunk,
                                   std::int64_t only_row, std::int64_t unit)
    : task_(task),
      f_(task.layout),
      m_(task.arithmetic),
      d_(d),
      chunk_(chunk),
      only_row_(only_row),
      cell_(cell_of_direction(task, d, unit)),
      matrices_(matrices_of_direction(task, d, unit)),
      switches_(task.fault_hooks.quantiser),
      by_W_(faulty_product_of<Real>(matrices_.W, m_, switches_)),
      by_R_(faulty_product_of<Real>(matrices_.R, m_, switches_)),
      step_(faulty_step_of<Real>(cell_, m_, tier)),
      x_per_step_(task.readings.is(Clause::DqGranularity, "per-step")),
      longest_(f_.lengths.empty() ? 0 : *std::ranges::max_element(f_.lengths)) {
  start(0);
  state_.unrounded.resize(state_.h.size());
  if (!task.Y && cell_.switches == StepSwitches{} && switches_ == QuantiserSwitches{})
    forward_.emplace(cell_, matrices_.R, m_, tier);
  if (!x_per_step_) quantise_block();
}

template <class Real>
void DirectionWalk<Real>::start(std::int64_t rank) {
  state_.h.resize(at(f_.N * f_.H));
  state_.C.resize(at(f_.N * f_.H));
  state_.followed.resize(at(f_.N));
  for (std::int64_t b = 0; b < f_.N; ++b) {
    if (rank > 0 && rank >= f_.lengths[at(b)]) continue;
    for (std::int64_t j = 0; j < f_.H; ++j) {
      state_.h[at(b * f_.H + j)] = input_set<Real>(task_.initial_state_of_h(d_, b, j), m_);
      state_.C[at(b * f_.H + j)] = input_set<Real>(task_.initial_state_of_c(d_, b, j), m_);
    }
    state_.followed[at(b)].reset();
  }
}

template <class Real>
bool DirectionWalk<Real>::is_walked(std::int64_t rank, std::int64_t b) const {
  return rank < f_.lengths[at(b)] && (only_row_ < 0 || b == only_row_);
}

template <class Real>
void DirectionWalk<Real>::quantise(std::int64_t rank) {
  if (x_per_step_) quantise_step(rank);
  if (task_.fault_hooks.resets(rank)) start(rank);
  state_.h_quantisers.clear();
  for (std::int64_t first = 0; first < f_.N; first += chunk_)
    state_.h_quantisers.push_back(quantiser_of_h(rank, first, std::min(f_.N, first + chunk_)));
  state_.codes.clear();
  for (std::int64_t b = 0; b < f_.N; ++b) {
    if (!is_walked(rank, b)) continue;
    const double* x = x_of(rank, b);
    for (std::int64_t k = 0; k < f_.I; ++k)
      state_.codes.push_back(state_.x_quantiser->digit(input_set<Real>(x[k], m_)));
    const Quantiser<Real>& of_h = *state_.h_quantisers[at(b / chunk_)];
    for (std::int64_t j = 0; j < f_.H; ++j) state_.codes.push_back(of_h.digit(state_.h[at(b * f_.H + j)]));
  }
}

template <class Real>
bool DirectionWalk<Real>::take(std::int64_t rank, ElementEvaluation* evaluation, std::int64_t traced, Trace* trace) {
  bool all_inside = true;
  next_h_ = state_.h;
  next_code_ = state_.codes.cbegin();
  for (std::int64_t b = 0; b < f_.N; ++b) {
    if (is_walked(rank, b)) {
      all_inside = row(rank, b, evaluation, b == traced ? trace : nullptr) && all_inside;
    } else if (rank < f_.lengths[at(b)]) {
      start_from_observed(rank, b);
    }
  }
  state_.h.swap(next_h_);
  return all_inside;
}

template <class Real>
Element DirectionWalk<Real>::judged(const Set& set, const Match& match, double observed) const {
  Element e = element_of(set, match, observed, m_);
  e.open = e.open || (state_.open && (e.cls == ElementClass::Exact || e.cls == ElementClass::Rounding));
  return e;
}

template <class Real>
auto DirectionWalk<Real>::last_h(std::int64_t b, std::int64_t j) const -> Set {
  return state_.unrounded[at(b * f_.H + j)].with(state_.carried_flags);
}

template <class Real>
auto DirectionWalk<Real>::last_c(std::int64_t b, std::int64_t j) const -> Set {
  return state_.C[at(b * f_.H + j)].with(task_.Y ? 0 : state_.carried_flags);
}

template <class Real>
void DirectionWalk<Real>::quantise_block() {
  const auto range = faulty_range_of<Real>(switches_);
  for (std::int64_t t = 0; t < longest_; ++t) {
    for (std::int64_t b = 0; b < f_.N; ++b) {
      if (!switches_.X_range_without_padding || t < f_.lengths[at(b)]) add_x(*range, t, b);
    }
  }
  state_.x_quantiser = faulty_quantiser_of<Real>(*range, m_, switches_);
}

template <class Real>
void DirectionWalk<Real>::quantise_step(std::int64_t rank) {
  const auto range = faulty_range_of<Real>(switches_);
  for (std::int64_t b = 0; b < f_.N; ++b) {
    if (rank < f_.lengths[at(b)]) add_x(*range, f_.time(d_, b, rank), b);
  }
  state_.x_quantiser = faulty_quantiser_of<Real>(*range, m_, switches_);
}

template <class Real>
void DirectionWalk<Real>::add_x(DataRange<Real>& range, std::int64_t t, std::int64_t b) const {
  for (std::int64_t k = 0; k < f_.I; ++k) range.add(input_set<Real>(task_.X[f_.x_offset(t, b) + at(k)], m_));
}

/// Does a row count with its last state? One that has ended, or that counts as 0, leaves no trace: 0 is in every range.
/// The kernel of the default reading looks into Y, where the last state stands for one more step. An engine that keeps
/// states beside Y sees it to the end.
template <class Real>
bool DirectionWalk<Real>::counts(std::int64_t rank, std::int64_t b) const {
  const std::int64_t length = f_.lengths[at(b)];
  if (rank < length) return true;
  if (!task_.readings.is(Clause::DqFinishedRows, "as-kernel"))
    return task_.readings.is(Clause::DqFinishedRows, "last-state");
  return rank == length || !task_.problem.asks_for(output::Y);
}

template <class Real>
auto DirectionWalk<Real>::quantiser_of_h(std::int64_t rank, std::int64_t first, std::int64_t last) -> Shared {
  if (!switches_.H_range_of_first_step) return quantiser_over_h(rank, first, last);
  if (rank == 0) first_h_quantisers_.push_back(quantiser_over_h(rank, first, last));
  return first_h_quantisers_[at(first / chunk_)];
}

template <class Real>
auto DirectionWalk<Real>::quantiser_over_h(std::int64_t rank, std::int64_t first, std::int64_t last) const -> Shared {
  const auto range = faulty_range_of<Real>(switches_);
  for (std::int64_t b = first; b < last; ++b) {
    if (!counts(rank, b)) continue;
    for (std::int64_t j = 0; j < f_.H; ++j) range->add(state_.h[at(b * f_.H + j)]);
  }
  return faulty_quantiser_of<Real>(*range, m_, switches_);
}

template <class Real>
bool DirectionWalk<Real>::row(std::int64_t rank, std::int64_t b, ElementEvaluation* evaluation, Trace* trace) {
  take_codes(f_.I);
  by_W_->multiply(digits_, *state_.x_quantiser, from_x_);
  take_codes(f_.H);
  by_R_->multiply(digits_, *state_.h_quantisers[at(b / chunk_)], from_h_);

  h_centre_.assign(at(f_.H), 0);  // only the products depend on the state
  h_radius_.assign(at(f_.H), 0);
  const bool first = rank == 0, no_h = first && task_.initial_h.empty(), no_c = first && cell_.skips_absent_c;
  const StepInput<Real> in{x_of(rank, b), h_centre_.data(), h_radius_.data(), no_h,
                           no_c,          from_x_.data(),   from_h_.data()};
  const auto units = state_.C.begin() + b * f_.H + cell_.first_unit;
  row_.C.assign(units, units + cell_.units);
  const double* observed = task_.Y ? task_.Y->data() + f_.y_offset(f_.time(d_, b, rank), d_, b) : nullptr;
  step_->take(in, observed ? observed + cell_.first_unit : nullptr, row_, trace);
  if (forward_) follow(b, in);
  std::ranges::copy(row_.C, units);
  std::ranges::copy(row_.H, state_.unrounded.begin() + b * f_.H + cell_.first_unit);
  return observed ? observe(rank, b, observed, evaluation) : carry_on(b);
}

template <class Real>
void DirectionWalk<Real>::take_codes(std::int64_t count) {
  digits_.assign(next_code_, next_code_ + count);
  next_code_ += count;
  state_.open = state_.open || std::ranges::any_of(digits_, &Digit::open);
}

/// H is quantised from the output, which is a float already: nothing wider stands behind it.
template <class Real>
bool DirectionWalk<Real>::observe(std::int64_t rank, std::int64_t b, const double* observed,
                                  ElementEvaluation* evaluation) {
  bool all_inside = true;
  for (std::int64_t j = 0; j < f_.H; ++j) next_h_[at(b * f_.H + j)] = input_set<Real>(observed[j], m_);
  for (std::int64_t j = 0; j < cell_.units; ++j) {
    const std::int64_t unit = cell_.first_unit + j;
    const Element e = judged(row_.H[at(j)], row_.matches[at(j)], observed[unit]);
    all_inside = all_inside && e.cls != ElementClass::Divergent;
    if (!evaluation) continue;
    evaluation->Y[ElementEvaluation::y_place(f_, rank, d_, b) + at(unit)] = e;
    evaluation->any_open = evaluation->any_open || e.open;
  }
  return all_inside;
}

template <class Real>
void DirectionWalk<Real>::start_from_observed(std::int64_t rank, std::int64_t b) {
  const double* observed = task_.Y->data() + f_.y_offset(f_.time(d_, b, rank), d_, b);
  for (std::int64_t j = 0; j < f_.H; ++j) next_h_[at(b * f_.H + j)] = input_set<Real>(observed[j], m_);
}

template <class Real>
void DirectionWalk<Real>::follow(std::int64_t b, const StepInput<Real>& in) {
  auto& followed = state_.followed[at(b)];
  if (!followed && std::ranges::all_of(digits_, &Digit::decided)) return;
  if (!followed) followed = followed_from_sets(b);
  if (!followed) return;
  if (!forward_->take(in, digits_.data(), *state_.h_quantisers[at(b / chunk_)], *followed) || !followed->is_bounded()) {
    followed.reset();
    return;
  }
  for (std::int64_t j = 0; j < f_.H; ++j) {
    row_.H[at(j)] = narrowed(row_.H[at(j)], forward_->H[at(j)]);
    row_.C[at(j)] = narrowed(row_.C[at(j)], forward_->C[at(j)]);
  }
  followed->reduce(kept_symbols(f_, cell_).few);
}

template <class Real>
auto DirectionWalk<Real>::followed_from_sets(std::int64_t b) const -> std::optional<ForwardState<Real>> {
  ForwardState<Real> state(static_cast<int>(f_.H), true);
  const auto start = [](const Set& set, Real& reference, double& radius, double& own) {
    reference = midpoint(set.centre);
    radius = own = Set{reference, set.lo, set.hi, 0}.radius() * (1 + 0x1p-50);
  };
  for (std::size_t j = 0; j < at(f_.H); ++j) {
    const std::size_t unit = at(b * f_.H) + j;
    start(state_.h[unit], state.h[j], state.h_radius[j], state.symbols.own_h[j]);
    start(state_.C[unit], state.c[j], state.c_radius[j], state.symbols.cell_c[j]);
    if (!is_ordinary(state_.C[unit].flags)) return std::nullopt;
  }
  if (!state.is_bounded()) return std::nullopt;
  return state;
}

template <class Real>
bool DirectionWalk<Real>::carry_on(std::int64_t b) {
  for (std::int64_t j = 0; j < f_.H; ++j) {
    const Set next = fed_back(row_.H[at(j)], m_);
    state_.carried_flags |= next.flags & static_cast<std::uint8_t>(~may_be_nan);
    const bool is_known = next.is_finite() && !next.has(may_be_nan) && !next.has(may_have_overflowed);
    next_h_[at(b * f_.H + j)] = is_known ? Set{next.centre, next.lo, next.hi, 0} : Set::anything(0, 0);
  }
  return true;
}

template class DirectionWalk<double>;
template class DirectionWalk<Ball>;

}  // namespace cellproof::oracle
