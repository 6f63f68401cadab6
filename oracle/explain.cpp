#include "oracle/explain.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/run_evaluation.hpp"

namespace cellproof::oracle {
namespace {

/// Plots and JSON have no infinity.
constexpr double largest_drawn = 1e30;

const StructuralViolation* broken_at(const std::vector<StructuralViolation>& broken, const Place& p) {
  const auto found = std::ranges::find_if(broken, [&](const StructuralViolation& v) {
    return v.output == p.output && v.rank == p.rank && v.d == p.d && v.b == p.b && v.j == p.j;
  });
  return found == broken.end() ? nullptr : &*found;
}

Direction direction_of(const Layout& f, std::int64_t d) {
  return f.reversed[static_cast<std::size_t>(d)] ? Direction::Reverse : Direction::Forward;
}

}  // namespace

ViolationKind kind_at(const std::vector<StructuralViolation>& broken, const Place& place) {
  const StructuralViolation* v = broken_at(broken, place);
  return v ? v->kind : ViolationKind::Value;
}

FirstViolation first_violation(const Task& task, const ElementEvaluation& evaluation, int bits,
                               const std::vector<StructuralViolation>& broken, const Place& p) {
  const Layout& f = task.layout;
  FirstViolation first;
  first.output = p.output;
  first.direction = direction_of(f, p.d);
  first.type = task.arithmetic.type;
  if (const StructuralViolation* v = broken_at(broken, p)) {
    first.index = v->index;
    first.step = v->step;
    first.expected = v->expected;
    first.actual = v->actual;
    return first;
  }
  const Element& e = element_at(task, evaluation, p);
  first.step = f.time(p.d, p.b, p.rank);
  first.index = p.output == output::Y ? f.y_index(*first.step, p.d, p.b, p.j) : f.state_index(p.d, p.b, p.j);
  first.expected = e.expected;
  first.actual = e.observed;
  if (std::isfinite(e.error)) {
    first.error = e.error;
    first.bound = e.bound;
  }
  first.gates = gates_at(task, p.d, p.b, p.rank, p.j, bits);
  return first;
}

std::vector<StepPoint> series_of(const Task& task, const ElementEvaluation& evaluation) {
  const Layout& f = task.layout;
  std::vector<StepPoint> series;
  if (evaluation.Y.empty()) return series;
  for (std::int64_t d = 0; d < f.D; ++d) {
    for (std::int64_t rank = 0; rank < f.T; ++rank) {
      const Element* worst = nullptr;
      std::int64_t worst_row = 0;
      for (std::int64_t b = 0; b < f.N; ++b) {
        if (rank >= f.lengths[static_cast<std::size_t>(b)]) continue;
        const Element* row = &evaluation.Y[ElementEvaluation::y_place(f, rank, d, b)];
        for (std::int64_t j = 0; j < f.H; ++j) {
          if (worst && !(row[j].ratio > worst->ratio)) continue;
          worst = &row[j];
          worst_row = b;
        }
      }
      if (!worst) continue;
      StepPoint point;
      point.step = f.time(d, worst_row, rank);
      point.direction = direction_of(f, d);
      point.error = std::min(worst->error, largest_drawn);
      point.bound = std::min(worst->bound, largest_drawn);
      point.ratio = std::min(worst->ratio, largest_drawn);
      series.push_back(point);
    }
  }
  return series;
}

}  // namespace cellproof::oracle
