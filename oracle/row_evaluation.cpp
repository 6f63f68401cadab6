#include "oracle/row_evaluation.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "oracle/at.hpp"
#include "oracle/faulty_step/faulty_step.hpp"
#include "oracle/forward/forward_row.hpp"
#include "oracle/precision_levels.hpp"

namespace cellproof::oracle {

namespace {

/// Walks rows of one direction; keeps its buffers from row to row.
template <class Real>
class Walker {
 public:
  using Set = Enclosure<Real>;

  /// `unit`: looks at no other, where it need not.
  Walker(const Task& task, std::int64_t direction, Tier tier, std::int64_t unit = Task::every_unit)
      : task_(task),
        f_(task.layout),
        m_(task.arithmetic),
        d_(direction),
        cell_(task.cell(direction, unit)),
        step_(faulty_step_of<Real>(cell_, m_, tier)) {
    if (task.fault_hooks.late_cell) {
      early_cell_ = task.early_cell(direction, unit);
      early_step_ = faulty_step_of<Real>(early_cell_, m_, tier);
    }
    const auto units = at(f_.H);
    h_.resize(units);
    radius_.resize(units);
    sets_.C.resize(at(cell_.units));
  }

  std::int64_t first_unit() const { return cell_.first_unit; }
  std::int64_t units() const { return cell_.units; }

  void begin(std::int64_t b) {
    b_ = b;
    if (b > 0 && task_.fault_hooks.state_goes_to_next_row) return;
    start(b);
    if (task_.fault_hooks.warms_up_in_padding && f_.reversed[at(d_)]) warm_up();
  }

  /// Takes the row's initial state.
  void start(std::int64_t b) {
    dead_ = false;
    carried_flags_ = 0;
    for (std::int64_t j = 0; j < f_.H; ++j) {
      const double h = task_.initial_state_of_h(d_, b, j);
      h_[at(j)] = h;
      radius_[at(j)] = m_.radius_of_input(h);
    }
    for (std::int64_t j = 0; j < units(); ++j)
      sets_.C[at(j)] = input_set<Real>(task_.initial_state_of_c(d_, b, first_unit() + j), m_);
  }

  /// Takes step `rank`. With Y: fills its elements. Returns false where nothing can be said any more.
  bool step(std::int64_t rank, Element* elements, Trace* trace) {
    if (dead_) {
      for (std::int64_t j = 0; elements && j < f_.H; ++j) elements[j].cls = ElementClass::Unverifiable;
      return false;
    }
    const std::int64_t t = f_.time(d_, b_, rank);
    if (task_.fault_hooks.resets(rank)) start(b_);
    const std::int64_t input_time = f_.time(d_, b_, task_.fault_hooks.input_rank(rank, f_.lengths[at(b_)]));
    StepInput<Real> in{task_.X.data() + f_.x_offset(input_time, b_), h_.data(), radius_.data(),
                       rank == 0 && task_.initial_h.empty(), rank == 0 && cell_.skips_absent_c};
    in.x_radius = task_.x_radius(input_time, b_);
    const double* observed = task_.Y ? task_.Y->data() + f_.y_offset(t, d_, b_) : nullptr;
    step_at(t).take(in, observed ? observed + first_unit() : nullptr, sets_, trace);
    for (std::int64_t j = 0; observed && elements && j < units(); ++j) {
      const std::int64_t unit = first_unit() + j;
      elements[unit] = element_of(sets_.H[at(j)], sets_.matches[at(j)], observed[unit], m_);
    }
    for (std::int64_t j = 0; j < f_.H; ++j) observed ? start_from_observed(j, observed[j]) : start_from_set(at(j));
    return true;
  }

  /// `followed`: the same set, from the bound that follows the Jacobians; or null.
  Element last_h(std::int64_t j, double observed, const Set* followed) const {
    return end_element(sets_.H[at(j)].with(carried_flags_), observed, followed);
  }
  Element last_c(std::int64_t j, double observed, const Set* followed) const {
    return end_element(sets_.C[at(j)].with(task_.Y ? 0 : carried_flags_), observed, followed);
  }
  bool dead() const { return dead_; }

  /// Goes on from the centres alone.
  void pin() {
    std::ranges::fill(radius_, 0);
    for (Set& C : sets_.C) C = Set::point(C.centre);
  }
  /// Is a last state off by more than this, and by more than its own size explains? Where the sets that `by` comes from
  /// hold nothing but 0, other values have errors of their own.
  bool is_off(std::int64_t d, std::int64_t b, double by) const {
    constexpr double share = 0x1p-6;
    const auto differs = [&](const std::vector<double>& seen, auto value_at) {
      for (std::size_t j = 0; j < h_.size(); ++j) {
        const double value = seen[f_.state_offset(d, b) + j];
        const double distance = std::abs(value - static_cast<double>(value_at(j)));
        if (std::isfinite(distance) && distance > by + share * std::abs(value)) return true;
      }
      return false;
    };
    return (task_.Y_h && differs(*task_.Y_h, [&](std::size_t j) { return h_[j]; })) ||
           (task_.Y_c && differs(*task_.Y_c, [&](std::size_t j) { return sets_.C[j].centre; }));
  }
  const std::vector<Set>& H() const { return sets_.H; }
  const std::vector<Set>& C() const { return sets_.C; }

 private:
  Step<Real>& step_at(std::int64_t t) { return early_step_ && 2 * t < f_.T ? *early_step_ : *step_; }

  /// A faulty start of the reverse direction: through the row's padding, unseen.
  void warm_up() {
    for (std::int64_t t = f_.T - 1; t >= f_.lengths[at(b_)]; --t) {
      StepInput<Real> in{task_.X.data() + f_.x_offset(t, b_), h_.data(), radius_.data()};
      in.x_radius = task_.x_radius(t, b_);
      step_->take(in, nullptr, sets_);
      for (std::int64_t j = 0; j < f_.H; ++j) start_from_set(at(j));
    }
    carried_flags_ = 0;
  }

  Element end_element(const Set& set, double observed, const Set* followed) const {
    // A set without numbers is out of the ordinary, too.
    const bool is_sharper =
        dead_ || !is_ordinary(set.flags) || !set.is_finite() || (followed && followed->radius() < set.radius());
    if (followed && is_sharper) return element_of(*followed, match(*followed, observed, m_), observed, m_);
    if (!dead_) return element_of(set, match(set, observed, m_), observed, m_);
    Element e;
    e.observed = observed;
    e.cls = ElementClass::Unverifiable;
    return e;
  }

  void start_from_observed(std::int64_t j, double observed) {
    const std::int64_t k = j - first_unit();
    // Nothing is known of a unit that is not looked at.
    const bool is_point = k >= 0 && k < units() && sets_.H[at(k)].is_point() && sets_.H[at(k)].centre == observed;
    h_[at(j)] = observed;
    if (std::isinf(observed)) {
      // After an overflow on the way out, the state itself may still be finite.
      dead_ = dead_ || !is_point;
      radius_[at(j)] = 0;
    } else {
      radius_[at(j)] = std::isnan(observed) || is_point ? 0 : radius_behind(observed, m_);
    }
  }

  void start_from_set(std::size_t j) {
    const Set next = fed_back(sets_.H[j], m_);
    carried_flags_ |= next.flags & static_cast<std::uint8_t>(~may_be_nan);
    // All of a ball's error goes into the radius: what is summed up stays sharp, whatever the sets grow to.
    h_[j] = midpoint(next.centre);
    radius_[j] = Set{h_[j], next.lo, next.hi, 0}.radius();
    if (next.empty()) {
      h_[j] = std::numeric_limits<Real>::quiet_NaN();
    } else if (next.has(may_be_nan) || next.has(may_have_overflowed) || (!next.is_finite() && !next.is_point())) {
      h_[j] = 0;
      radius_[j] = std::numeric_limits<double>::infinity();
    }
  }

  const Task& task_;
  const Layout& f_;
  const Arithmetic& m_;
  std::int64_t d_, b_ = 0;
  FaultyCell cell_, early_cell_;  ///< `early_cell_`: without the faults that sleep at first, where there are some
  std::unique_ptr<Step<Real>> step_, early_step_;
  std::vector<Real> h_;
  std::vector<double> radius_;
  StepSets<Real> sets_;
  std::uint8_t carried_flags_ = 0;
  bool dead_ = false;
};

void note_row(ElementEvaluation& evaluation, const Element* first, std::int64_t count) {
  for (const Element* e = first; e != first + count; ++e) {
    evaluation.any_beyond = evaluation.any_beyond || e->cls == ElementClass::Divergent;
    evaluation.any_open = evaluation.any_open || e->open;
  }
}

template <class Real>
ElementEvaluation evaluation_in(const Task& task, Tier tier, bool stop_early, const Stretch* only) {
  const Layout& f = task.layout;
  ElementEvaluation evaluation = ElementEvaluation::untouched(task);
  for (std::int64_t k = 0; k < f.D; ++k) {
    const std::int64_t d = stop_early ? likeliest_first(f, k) : k;
    if (only && d != only->d) continue;
    Walker<Real> walker(task, d, tier, only ? only->unit : Task::every_unit);
    std::optional<ForwardRow<Real>> forward;
    if (!task.Y) forward.emplace(task, d, tier);
    for (std::int64_t b = 0; b < f.N; ++b) {
      if (only && b != only->b) continue;
      const std::int64_t all_steps = f.lengths[at(b)];
      const std::int64_t steps = only ? std::min(all_steps, only->last + 1) : all_steps;
      walker.begin(b);
      for (std::int64_t rank = 0; rank < steps; ++rank) {
        Element* elements = task.Y ? &evaluation.Y[ElementEvaluation::y_place(f, rank, d, b)] : nullptr;
        walker.step(rank, elements, nullptr);
        if (elements) note_row(evaluation, elements, f.H);
        if (evaluation.any_beyond && stop_early) return evaluation;
      }
      const bool follows = forward && steps == all_steps && forward->run(b, steps);
      for (std::int64_t j = 0; steps > 0 && steps == all_steps && j < walker.units(); ++j) {
        const std::int64_t unit = walker.first_unit() + j;
        const std::size_t place = ElementEvaluation::state_place(f, d, b) + at(unit),
                          offset = f.state_offset(d, b) + at(unit);
        for (auto* list : {&evaluation.Y_h, &evaluation.Y_c}) {
          if (list->empty()) continue;
          const bool is_h = list == &evaluation.Y_h;
          Element& e = (*list)[place];
          const auto* followed = follows ? &(is_h ? forward->H() : forward->C())[at(j)] : nullptr;
          e = is_h ? walker.last_h(j, (*task.Y_h)[offset], followed) : walker.last_c(j, (*task.Y_c)[offset], followed);
          note_row(evaluation, &e, 1);
        }
      }
      if (evaluation.any_beyond && stop_early) return evaluation;
    }
  }
  return evaluation;
}

template <class Real>
std::vector<Trace::Value> gates_in(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                   std::int64_t unit) {
  Walker<Real> walker(task, d, Tier::Running,
                      task.is_dear_in_balls() && task.can_look_at_one_unit() ? unit : Task::every_unit);
  walker.begin(b);
  Trace trace{static_cast<int>(unit - walker.first_unit()), {}};
  for (std::int64_t r = 0; r <= rank; ++r) {
    if (!walker.step(r, nullptr, r == rank ? &trace : nullptr)) break;
  }
  return trace.values;
}

template <class Real>
Trajectory forward_sets_in(const Task& task) {
  const Layout& f = task.layout;
  Trajectory all;
  all.H.resize(at(f.T * f.D * f.N * f.H));
  all.C.resize(has_cell_state(task.problem.version.op) ? at(f.D * f.N * f.H) : 0);
  const auto as_balls = [](const Enclosure<Real>& s) { return Enclosure<Ball>{s.centre, s.lo, s.hi, s.flags}; };
  for (std::int64_t d = 0; d < f.D; ++d) {
    Walker<Real> walker(task, d, Tier::Certified);
    for (std::int64_t b = 0; b < f.N; ++b) {
      walker.begin(b);
      for (std::int64_t rank = 0; rank < f.lengths[at(b)]; ++rank) {
        walker.step(rank, nullptr, nullptr);
        const auto place = static_cast<std::ptrdiff_t>(ElementEvaluation::y_place(f, rank, d, b));
        std::ranges::transform(walker.H(), all.H.begin() + place, as_balls);
      }
      if (all.C.empty()) continue;
      const auto place = static_cast<std::ptrdiff_t>(ElementEvaluation::state_place(f, d, b));
      std::ranges::transform(walker.C(), all.C.begin() + place, as_balls);
    }
  }
  return all;
}

}  // namespace

ElementEvaluation run_row_evaluation(const Task& task, Tier tier, bool stop_early, int bits, const Stretch* only) {
  if (bits == bits_of_double) return evaluation_in<double>(task, tier, stop_early, only);
  const WorkingPrecision precision(bits);
  return evaluation_in<Ball>(task, tier, stop_early, only);
}

std::vector<Trace::Value> row_gates_at(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                       std::int64_t unit, int bits) {
  if (bits == bits_of_double) return gates_in<double>(task, d, b, rank, unit);
  const WorkingPrecision precision(bits);
  return gates_in<Ball>(task, d, b, rank, unit);
}

Trajectory row_forward_sets(const Task& task, int bits) {
  if (bits == bits_of_double) return forward_sets_in<double>(task);
  const WorkingPrecision precision(bits);
  return forward_sets_in<Ball>(task);
}

double reach_of_last_states(const Task& task) {
  double reach = 0;
  for (std::int64_t d = 0; d < task.layout.D; ++d) {
    ForwardRow<double> row(task, d, Tier::Certified);
    for (std::int64_t b = 0; b < task.layout.N; ++b) {
      const std::int64_t steps = task.layout.lengths[at(b)];
      if (steps == 0) continue;
      if (!row.run(b, steps)) return std::numeric_limits<double>::infinity();
      for (const auto* sets : {&row.H(), &row.C()})
        for (const Enclosure<double>& set : *sets) reach = std::max(reach, set.radius());
    }
  }
  return reach;
}

bool is_far_off(const Task& task, double by, std::optional<BatchRow>* likeliest) {
  const auto is_off = [&](Walker<double>& walker, const BatchRow& row) {
    walker.begin(row.b);
    const std::int64_t steps = task.layout.lengths[at(row.b)];
    for (std::int64_t rank = 0; rank < steps; ++rank) {
      walker.step(rank, nullptr, nullptr);
      walker.pin();
    }
    return steps > 0 && !walker.dead() && walker.is_off(row.d, row.b, by);
  };
  const BatchRow first = likeliest ? likeliest->value_or(BatchRow{task.layout.D}) : BatchRow{task.layout.D};
  if (first.d < task.layout.D && first.b < task.layout.N) {  // a fault may change the layout
    Walker<double> walker(task, first.d, Tier::Certified);
    if (is_off(walker, first)) return true;
  }
  for (BatchRow row; row.d < task.layout.D; ++row.d) {
    Walker<double> walker(task, row.d, Tier::Certified);
    for (row.b = 0; row.b < task.layout.N; ++row.b) {
      if (!is_off(walker, row)) continue;
      if (likeliest) *likeliest = row;
      return true;
    }
  }
  return false;
}

}  // namespace cellproof::oracle
