#include "oracle/quantized/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "oracle/at.hpp"
#include "oracle/faulty_step/faulty_quantisation.hpp"
#include "oracle/faulty_step/faulty_step.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/quantized/product.hpp"

namespace cellproof::oracle {
namespace {

FaultyCell cell_of_direction(const Task& task, std::int64_t d) {
  FaultyCell cell = task.cell(d);
  cell.W.clear();  // the products come from outside
  cell.R.clear();
  cell.terms = 5;  // the two products, two biases and the peephole
  return cell;
}

/// All sequences of one direction, step by step together.
template <class Real>
class DirectionWalk {
 public:
  using Set = Enclosure<Real>;

  /// `only_row`: takes no other row through its steps; ranges then need the states that were observed.
  DirectionWalk(const Task& task, std::int64_t d, Tier tier, std::int64_t chunk, std::int64_t only_row = -1)
      : task_(task),
        f_(task.layout),
        m_(task.arithmetic),
        d_(d),
        chunk_(chunk),
        only_row_(only_row),
        cell_(cell_of_direction(task, d)),
        W_(matrix_of_W(task.problem, task.readings, static_cast<int>(d))),
        R_(matrix_of_R(task.problem, task.readings, static_cast<int>(d))),
        switches_(task.fault_hooks.quantiser),
        by_W_(faulty_product_of<Real>(W_, m_, switches_)),
        by_R_(faulty_product_of<Real>(R_, m_, switches_)),
        step_(faulty_step_of<Real>(cell_, m_, tier)),
        x_per_step_(task.readings.is(Clause::DqGranularity, "per-step")),
        longest_(f_.lengths.empty() ? 0 : *std::ranges::max_element(f_.lengths)) {
    for (std::int64_t b = 0; b < f_.N; ++b) {
      for (std::int64_t j = 0; j < f_.H; ++j) {
        h_.push_back(input_set<Real>(task.initial_state_of_h(d, b, j), m_));
        C_.push_back(input_set<Real>(task.initial_state_of_c(d, b, j), m_));
      }
    }
    if (!x_per_step_) quantise_block();
  }

  std::int64_t steps() const { return longest_; }

  /// Takes step `rank` of every sequence that has it; with Y, fills its elements. False where one is beyond its bound.
  bool step(std::int64_t rank, ElementEvaluation* evaluation, std::int64_t traced = -1, Trace* trace = nullptr) {
    bool all_inside = true;
    if (x_per_step_) quantise_step(rank);
    next_h_ = h_;
    for (std::int64_t first = 0; first < f_.N; first += chunk_) {
      const std::int64_t last = std::min(f_.N, first + chunk_);
      const Shared h_quantiser = quantiser_of_h(rank, first, last);
      for (std::int64_t b = first; b < last; ++b) {
        if (rank >= f_.lengths[at(b)]) continue;
        if (only_row_ >= 0 && b != only_row_) {
          start_from_observed(rank, b);
          continue;
        }
        all_inside = row(rank, b, *h_quantiser, evaluation, b == traced ? trace : nullptr) && all_inside;
      }
    }
    h_.swap(next_h_);
    return all_inside;
  }

  /// An element whose honest values are `set`.
  Element judged(const Set& set, const Match& match, double observed) const {
    Element e = element_of(set, match, observed, m_);
    e.open = e.open || (open_ && (e.cls == ElementClass::Exact || e.cls == ElementClass::Rounding));
    return e;
  }

  Set last_h(std::int64_t b, std::int64_t j) const { return unrounded_[at(b * f_.H + j)].with(carried_flags_); }
  Set last_c(std::int64_t b, std::int64_t j) const { return C_[at(b * f_.H + j)].with(task_.Y ? 0 : carried_flags_); }

 private:
  using Shared = std::shared_ptr<const Quantiser<Real>>;

  void quantise_block() {
    const auto range = faulty_range_of<Real>(switches_);
    for (std::int64_t t = 0; t < longest_; ++t) {
      for (std::int64_t b = 0; b < f_.N; ++b) {
        if (!switches_.X_range_without_padding || t < f_.lengths[at(b)]) add_x(*range, t, b);
      }
    }
    x_quantiser_ = faulty_quantiser_of<Real>(*range, m_, switches_);
  }

  void quantise_step(std::int64_t rank) {
    const auto range = faulty_range_of<Real>(switches_);
    for (std::int64_t b = 0; b < f_.N; ++b) {
      if (rank < f_.lengths[at(b)]) add_x(*range, f_.time(d_, b, rank), b);
    }
    x_quantiser_ = faulty_quantiser_of<Real>(*range, m_, switches_);
  }

  void add_x(DataRange<Real>& range, std::int64_t t, std::int64_t b) const {
    for (std::int64_t k = 0; k < f_.I; ++k) range.add(input_set<Real>(task_.X[f_.x_offset(t, b) + at(k)], m_));
  }

  /// Does a row count with its last state? One that has ended, or that counts as 0, leaves no trace: 0 is in every
  /// range. The kernel of the default reading looks into Y, where the last state stands for one more step.
  bool counts(std::int64_t rank, std::int64_t b) const {
    const std::int64_t length = f_.lengths[at(b)];
    if (rank < length) return true;
    if (!task_.readings.is(Clause::DqFinishedRows, "as-kernel")) return false;
    return rank == length || !task_.problem.asks_for(output::Y);
  }

  Shared quantiser_of_h(std::int64_t rank, std::int64_t first, std::int64_t last) {
    if (!switches_.H_range_of_first_step) return quantiser_over_h(rank, first, last);
    if (rank == 0) first_h_quantisers_.push_back(quantiser_over_h(rank, first, last));
    return first_h_quantisers_[at(first / chunk_)];
  }

  Shared quantiser_over_h(std::int64_t rank, std::int64_t first, std::int64_t last) const {
    const auto range = faulty_range_of<Real>(switches_);
    for (std::int64_t b = first; b < last; ++b) {
      if (!counts(rank, b)) continue;
      for (std::int64_t j = 0; j < f_.H; ++j) range->add(h_[at(b * f_.H + j)]);
    }
    return faulty_quantiser_of<Real>(*range, m_, switches_);
  }

  bool row(std::int64_t rank, std::int64_t b, const Quantiser<Real>& h_quantiser, ElementEvaluation* evaluation,
           Trace* trace) {
    const std::int64_t t = f_.time(d_, b, rank);
    const double* x = task_.X.data() + f_.x_offset(t, b);
    digits_.clear();
    for (std::int64_t k = 0; k < f_.I; ++k) take(x_quantiser_->digit(input_set<Real>(x[k], m_)));
    by_W_->multiply(digits_, *x_quantiser_, from_x_);
    digits_.clear();
    const auto* h = h_.data() + b * f_.H;
    for (std::int64_t j = 0; j < f_.H; ++j) take(h_quantiser.digit(h[j]));
    by_R_->multiply(digits_, h_quantiser, from_h_);

    h_centre_.assign(at(f_.H), 0);  // only the products depend on the state
    h_radius_.assign(at(f_.H), 0);
    const StepInput<Real> in{
        x, h_centre_.data(), h_radius_.data(), rank == 0 && task_.initial_h.empty(), from_x_.data(), from_h_.data()};
    const auto units = C_.begin() + b * f_.H;
    row_.C.assign(units, units + f_.H);
    const double* observed = task_.Y ? task_.Y->data() + f_.y_offset(t, d_, b) : nullptr;
    step_->take(in, observed, row_, trace);
    std::ranges::copy(row_.C, units);
    unrounded_.resize(h_.size());
    std::ranges::copy(row_.H, unrounded_.begin() + b * f_.H);
    return observed ? observe(rank, b, observed, evaluation) : carry_on(b);
  }

  void take(const Digit& digit) {
    digits_.push_back(digit);
    open_ = open_ || digit.open;
  }

  /// H is quantised from the output, which is a float already: nothing wider stands behind it.
  bool observe(std::int64_t rank, std::int64_t b, const double* observed, ElementEvaluation* evaluation) {
    bool all_inside = true;
    for (std::int64_t j = 0; j < f_.H; ++j) {
      next_h_[at(b * f_.H + j)] = input_set<Real>(observed[j], m_);
      const Element e = judged(row_.H[at(j)], row_.matches[at(j)], observed[j]);
      all_inside = all_inside && e.cls != ElementClass::Divergent;
      if (!evaluation) continue;
      evaluation->Y[ElementEvaluation::y_place(f_, rank, d_, b) + at(j)] = e;
      evaluation->any_open = evaluation->any_open || e.open;
    }
    return all_inside;
  }

  void start_from_observed(std::int64_t rank, std::int64_t b) {
    const double* observed = task_.Y->data() + f_.y_offset(f_.time(d_, b, rank), d_, b);
    for (std::int64_t j = 0; j < f_.H; ++j) next_h_[at(b * f_.H + j)] = input_set<Real>(observed[j], m_);
  }

  bool carry_on(std::int64_t b) {
    for (std::int64_t j = 0; j < f_.H; ++j) {
      const Set next = fed_back(row_.H[at(j)], m_);
      carried_flags_ |= next.flags & static_cast<std::uint8_t>(~may_be_nan);
      const bool is_known = next.is_finite() && !next.has(may_be_nan) && !next.has(may_have_overflowed);
      next_h_[at(b * f_.H + j)] = is_known ? Set{next.centre, next.lo, next.hi, 0} : Set::anything(0, 0);
    }
    return true;
  }

  const Task& task_;
  const Layout& f_;
  const Arithmetic& m_;
  std::int64_t d_, chunk_, only_row_;
  FaultyCell cell_;
  QuantizedMatrix W_, R_;
  QuantiserSwitches switches_;
  std::unique_ptr<QuantizedProduct<Real>> by_W_, by_R_;
  std::unique_ptr<Step<Real>> step_;
  bool x_per_step_;
  std::int64_t longest_;
  Shared x_quantiser_;
  std::vector<Shared> first_h_quantisers_;  ///< by chunk; only for a fault
  std::vector<Set> h_, next_h_;             ///< [N][H] as they are quantised
  std::vector<Set> C_, unrounded_;          ///< [N][H]
  std::uint8_t carried_flags_ = 0;
  bool open_ = false;  ///< a code that was used is in doubt, and with it all that follows
  std::vector<Digit> digits_;
  std::vector<Set> from_x_, from_h_;
  StepSets<Real> row_;
  std::vector<Real> h_centre_;
  std::vector<double> h_radius_;
};

template <class Real>
void judge_last_states(const Task& task, std::int64_t d, const DirectionWalk<Real>& walk, ElementEvaluation& evaluation,
                       const Stretch* only) {
  const Layout& f = task.layout;
  for (std::int64_t b = 0; b < f.N; ++b) {
    if (f.lengths[at(b)] == 0) continue;
    if (only && (b != only->b || only->last + 1 < f.lengths[at(b)])) continue;
    for (std::int64_t j = 0; j < f.H; ++j) {
      const std::size_t place = ElementEvaluation::state_place(f, d, b) + at(j), offset = f.state_offset(d, b) + at(j);
      const auto judge_one = [&](std::vector<Element>& list, const Enclosure<Real>& set,
                                 const std::vector<double>& observed) {
        list[place] = walk.judged(set, match(set, observed[offset], task.arithmetic), observed[offset]);
        if (list[place].cls == ElementClass::Divergent) evaluation.any_beyond = true;
        evaluation.any_open = evaluation.any_open || list[place].open;
      };
      if (!evaluation.Y_h.empty()) judge_one(evaluation.Y_h, walk.last_h(b, j), *task.Y_h);
      if (!evaluation.Y_c.empty()) judge_one(evaluation.Y_c, walk.last_c(b, j), *task.Y_c);
    }
  }
}

template <class Real>
ElementEvaluation evaluation_in_chunks(const Task& task, Tier tier, bool stop_early, std::int64_t chunk,
                                       const Stretch* only) {
  const Layout& f = task.layout;
  ElementEvaluation evaluation = ElementEvaluation::untouched(task);
  for (std::int64_t k = 0; k < f.D; ++k) {
    const std::int64_t d = stop_early ? likeliest_first(f, k) : k;
    if (only && d != only->d) continue;
    DirectionWalk<Real> walk(task, d, tier, chunk, only ? only->b : -1);
    const std::int64_t steps = only ? std::min(walk.steps(), only->last + 1) : walk.steps();
    for (std::int64_t rank = 0; rank < steps; ++rank) {
      if (!walk.step(rank, &evaluation)) evaluation.any_beyond = true;
      if (evaluation.any_beyond && stop_early) return evaluation;
    }
    judge_last_states(task, d, walk, evaluation, only);
    if (evaluation.any_beyond && stop_early) return evaluation;
  }
  return evaluation;
}

template <class Real>
ElementEvaluation quantized_evaluation_in(const Task& task, Tier tier, bool stop_early, const Stretch* only) {
  const std::vector<std::int64_t> sizes = chunk_sizes(task);
  ElementEvaluation first = evaluation_in_chunks<Real>(task, tier, stop_early, sizes.front(), only);
  for (std::size_t k = 1; first.any_beyond && k < sizes.size(); ++k) {
    ElementEvaluation other = evaluation_in_chunks<Real>(task, tier, stop_early, sizes[k], only);
    if (!other.any_beyond) return other;
  }
  return first;
}

template <class Real>
std::vector<Trace::Value> quantized_gates_in(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                             std::int64_t unit) {
  DirectionWalk<Real> walk(task, d, Tier::Running, chunk_sizes(task).front(), is_quantized_by_rows(task) ? b : -1);
  Trace trace{static_cast<int>(unit), {}};
  for (std::int64_t r = 0; r <= rank; ++r) walk.step(r, nullptr, b, r == rank ? &trace : nullptr);
  return trace.values;
}

template <class Real>
Trajectory quantized_forward_sets_in(const Task& task, std::int64_t chunk) {
  const Layout& f = task.layout;
  Trajectory all;
  all.H.resize(at(f.T * f.D * f.N * f.H));
  all.C.resize(at(f.D * f.N * f.H));
  const auto as_balls = [](const Enclosure<Real>& s) { return Enclosure<Ball>{s.centre, s.lo, s.hi, s.flags}; };
  for (std::int64_t d = 0; d < f.D; ++d) {
    DirectionWalk<Real> walk(task, d, Tier::Certified, chunk);
    for (std::int64_t rank = 0; rank < walk.steps(); ++rank) {
      walk.step(rank, nullptr);
      for (std::int64_t b = 0; b < f.N; ++b) {
        for (std::int64_t j = 0; rank < f.lengths[at(b)] && j < f.H; ++j) {
          all.H[ElementEvaluation::y_place(f, rank, d, b) + at(j)] = as_balls(walk.last_h(b, j));
          all.C[ElementEvaluation::state_place(f, d, b) + at(j)] = as_balls(walk.last_c(b, j));
        }
      }
    }
  }
  return all;
}

}  // namespace

bool quantises(const Task& task) {
  return is_quantised(task.problem.version.op) && !task.readings.is(Clause::DqGranularity, "none");
}

std::vector<std::int64_t> chunk_sizes(const Task& task) {
  const std::int64_t N = task.layout.N;
  std::vector<std::int64_t> sizes;
  if (task.readings.is(Clause::DqGranularity, "block-chunked")) {
    for (std::int64_t chunks = 2; chunks <= N; ++chunks) {
      const std::int64_t size = (N + chunks - 1) / chunks;
      if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
    }
  }
  if (sizes.empty()) sizes.push_back(std::max<std::int64_t>(N, 1));
  return sizes;
}

bool is_quantized_by_rows(const Task& task) {
  return task.Y && chunk_sizes(task).size() == 1;
}

ElementEvaluation run_quantized_evaluation(const Task& task, Tier tier, bool stop_early, int bits,
                                           const Stretch* only) {
  if (bits == bits_of_double) return quantized_evaluation_in<double>(task, tier, stop_early, only);
  const WorkingPrecision precision(bits);
  return quantized_evaluation_in<Ball>(task, tier, stop_early, only);
}

std::vector<Trace::Value> quantized_gates_at(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                             std::int64_t unit, int bits) {
  if (bits == bits_of_double) return quantized_gates_in<double>(task, d, b, rank, unit);
  const WorkingPrecision precision(bits);
  return quantized_gates_in<Ball>(task, d, b, rank, unit);
}

Trajectory quantized_forward_sets(const Task& task, std::int64_t chunk, int bits) {
  if (bits == bits_of_double) return quantized_forward_sets_in<double>(task, chunk);
  const WorkingPrecision precision(bits);
  return quantized_forward_sets_in<Ball>(task, chunk);
}

}  // namespace cellproof::oracle
