#include "oracle/quantized/evaluation.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/quantized/code_choices.hpp"
#include "oracle/quantized/direction_walk.hpp"

namespace cellproof::oracle {
namespace {

/// So many choices of codes are tried, and fewer where each would take long.
constexpr double most_choices = 64, least_choices = 4;

template <class Real>
std::int64_t affordable_choices(const Task& task) {
  constexpr double choices_by_products = std::is_same_v<Real, double> ? 4e9 : 5e6;
  const double products = 1 + task.layout.products(task.problem.version.op);
  return static_cast<std::int64_t>(std::clamp(choices_by_products / products, least_choices, most_choices));
}

/// Fills the elements of last states. Returns how many of them are beyond their bounds.
template <class Real>
std::int64_t judge_last_states(const Task& task, std::int64_t d, const DirectionWalk<Real>& walk,
                               ElementEvaluation& evaluation, const Stretch* only) {
  const Layout& f = task.layout;
  std::int64_t beyond = 0;
  for (std::int64_t b = 0; b < f.N; ++b) {
    if (f.lengths[at(b)] == 0) continue;
    if (only && (b != only->b || only->last + 1 < f.lengths[at(b)])) continue;
    for (std::int64_t j = 0; j < f.H; ++j) {
      if (only && only->unit != Task::every_unit && j != only->unit) continue;
      const std::size_t place = ElementEvaluation::state_place(f, d, b) + at(j), offset = f.state_offset(d, b) + at(j);
      const auto judge_one = [&](std::vector<Element>& list, const Enclosure<Real>& set,
                                 const std::vector<double>& observed) {
        list[place] = walk.judged(set, match(set, observed[offset], task.arithmetic), observed[offset]);
        if (list[place].cls == ElementClass::Divergent) ++beyond;
        evaluation.any_open = evaluation.any_open || list[place].open;
      };
      if (!evaluation.Y_h.empty()) judge_one(evaluation.Y_h, walk.last_h(b, j), *task.Y_h);
      if (!evaluation.Y_c.empty()) judge_one(evaluation.Y_c, walk.last_c(b, j), *task.Y_c);
    }
  }
  evaluation.any_beyond = evaluation.any_beyond || beyond > 0;
  return beyond;
}

/// Likewise without Y, where each choice of codes leads to states of its own: the elements are those of a choice that
/// explains all of them. Where none does, they are those of the sets, with all choices or some of them, that explain
/// most and not all.
template <class Real>
void judge_by_choices(const Task& task, std::int64_t d, DirectionWalk<Real>& walk, ElementEvaluation& evaluation) {
  const typename DirectionWalk<Real>::State start = walk.state();
  ElementEvaluation here, best;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const auto explains = [&] {
    here = evaluation;
    const std::int64_t beyond = judge_last_states(task, d, walk, here, nullptr);
    if (beyond > 0 && beyond < least) {
      least = beyond;
      best = here;
    }
    return beyond == 0;
  };
  const auto is_explained = [&] {
    const std::int64_t most = affordable_choices<Real>(task);
    // Sets that hold all choices exclude each of them, once for all, where a hypothesis is wrong. Most are.
    const bool is_open = CodeChoices<Real>(walk, 1).leave_open();
    if (!explains()) return false;
    if (!is_open) return true;
    walk.go_back_to(start);
    CodeChoices<Real>(walk, most).take_likeliest();
    if (explains()) return true;
    walk.go_back_to(start);
    return CodeChoices<Real>(walk, most).find(explains);
  };
  evaluation = is_explained() ? std::move(here) : std::move(best);
}

template <class Real>
ElementEvaluation evaluation_in_chunks(const Task& task, Tier tier, bool stop_early, std::int64_t chunk,
                                       const Stretch* only) {
  const Layout& f = task.layout;
  ElementEvaluation evaluation = ElementEvaluation::untouched(task);
  for (std::int64_t k = 0; k < f.D; ++k) {
    const std::int64_t d = stop_early ? likeliest_first(f, k) : k;
    if (only && d != only->d) continue;
    DirectionWalk<Real> walk(task, d, tier, chunk, only ? only->b : -1, only ? only->unit : Task::every_unit);
    if (!task.Y) {
      judge_by_choices(task, d, walk, evaluation);
    } else {
      const std::int64_t steps = only ? std::min(walk.steps(), only->last + 1) : walk.steps();
      for (std::int64_t rank = 0; rank < steps; ++rank) {
        if (!walk.step(rank, &evaluation)) evaluation.any_beyond = true;
        if (evaluation.any_beyond && stop_early) return evaluation;
      }
      judge_last_states(task, d, walk, evaluation, only);
    }
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
  const bool is_by_rows = is_quantized_by_rows(task);
  const bool alone = is_by_rows && task.is_dear_in_balls() && task.can_look_at_one_unit();
  DirectionWalk<Real> walk(task, d, Tier::Running, chunk_sizes(task).front(), is_by_rows ? b : -1,
                           alone ? unit : Task::every_unit);
  Trace trace{alone ? 0 : static_cast<int>(unit), {}};
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
  if (task.chunk) return {*task.chunk};
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
