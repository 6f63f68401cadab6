#include "oracle/honest_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/exact_trajectory.hpp"
#include "oracle/other_layout.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/quantized/evaluation.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/value_type.hpp"
#include "spec/expectation.hpp"

namespace cellproof::oracle {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

bool same_number(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

HonestElement exactly(double value) {
  if (std::isnan(value)) return {value, no_limit, -no_limit, true};
  return {value, value, value, false};
}

/// Elements of all outputs from the sets of all steps.
class HonestTrajectory {
 public:
  HonestTrajectory(const Task& task, const Trajectory& sets, const std::optional<ExactTrajectory>& exact)
      : task_(task), f_(task.layout), sets_(sets), exact_(exact) {}

  HonestOutputs outputs() {
    const Problem& problem = task_.problem;
    HonestOutputs all(output_names(problem.version.op).size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!problem.asks_for(k)) continue;
      const Shape shape = k == output::Y ? f_.y_shape() : f_.state_shape();
      all[k] = HonestOutput{shape, std::vector<HonestElement>(element_count(shape))};
    }
    for (std::int64_t d = 0; d < f_.D; ++d) {
      for (std::int64_t b = 0; b < f_.N; ++b) row(d, b, all);
    }
    return all;
  }

 private:
  /// The last elements of a row's states.
  struct Last {
    std::vector<HonestElement> h, c;
  };

  void row(std::int64_t d, std::int64_t b, HonestOutputs& all) const {
    Last last = initial(d, b);
    take_steps(d, b, last, all);
    const std::size_t offset = f_.state_offset(d, b);
    if (all[output::Y_h]) put(*all[output::Y_h], offset, last.h);
    if (all.size() > output::Y_c && all[output::Y_c]) put(*all[output::Y_c], offset, last.c);
    if (!all[output::Y]) return;
    if (!task_.readings.is(Clause::PaddingOfY, "carry")) std::ranges::fill(last.h, HonestElement{});
    for (std::int64_t t = f_.lengths[at(b)]; t < f_.T; ++t) put(*all[output::Y], f_.y_offset(t, d, b), last.h);
  }

  /// The states of a row that takes no step.
  Last initial(std::int64_t d, std::int64_t b) const {
    const bool zero = task_.stateless_rows_are_zero();
    Last last;
    for (std::int64_t j = 0; j < f_.H; ++j) {
      last.h.push_back(exactly(zero ? 0 : task_.initial_state_of_h(d, b, j)));
      if (!sets_.C.empty()) last.c.push_back(exactly(zero ? 0 : task_.initial_state_of_c(d, b, j)));
    }
    return last;
  }

  void take_steps(std::int64_t d, std::int64_t b, Last& last, HonestOutputs& all) const {
    const std::int64_t steps = f_.lengths[at(b)];
    bool is_open = false;  // behind an overflow nothing is known of the row any more
    for (std::int64_t rank = 0; rank < steps; ++rank) {
      const std::size_t place = ElementEvaluation::y_place(f_, rank, d, b);
      for (std::size_t j = 0; j < last.h.size(); ++j)
        last.h[j] = element(sets_.H[place + j], exact_ ? &exact_->H[place + j] : nullptr, is_open);
      is_open = is_open || std::any_of(last.h.begin(), last.h.end(), is_anything);
      if (all[output::Y]) put(*all[output::Y], f_.y_offset(f_.time(d, b, rank), d, b), last.h);
    }
    if (steps == 0) return;
    const std::size_t place = ElementEvaluation::state_place(f_, d, b);
    for (std::size_t j = 0; j < last.c.size(); ++j)
      last.c[j] = element(sets_.C[place + j], exact_ ? &exact_->C[place + j] : nullptr, is_open);
  }

  static void put(HonestOutput& output, std::size_t offset, const std::vector<HonestElement>& units) {
    std::ranges::copy(units, output.elements.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  static bool is_anything(const HonestElement& e) { return e.lo == -no_limit && e.hi == no_limit && e.may_be_nan; }

  HonestElement element(const Enclosure<Ball>& set, const Ball* exact, bool is_open) const {
    HonestElement e;
    e.value = expected_value(set, task_.arithmetic);
    const auto rounded = exact && !isnan(*exact) ? correctly_rounded(*exact, task_.arithmetic.type) : std::nullopt;
    if (rounded) e.value = *rounded;
    if (std::isnan(e.value)) e.value = std::numeric_limits<double>::quiet_NaN();  // of one sign on every processor
    if (is_open || set.has(may_have_overflowed)) {
      e.lo = -no_limit, e.hi = no_limit, e.may_be_nan = true;
      return e;
    }
    const StorableEnds ends = storable_ends(set, task_.arithmetic);
    e.lo = ends.lo, e.hi = ends.hi;
    e.may_be_nan = set.has(may_be_nan);
    return e;
  }

  const Task& task_;
  const Layout& f_;
  const Trajectory& sets_;
  const std::optional<ExactTrajectory>& exact_;
};

}  // namespace

bool HonestElement::admits(double observed) const {
  return std::isnan(observed) ? may_be_nan : lo <= observed && observed <= hi;
}

bool operator==(const HonestElement& a, const HonestElement& b) {
  return same_number(a.value, b.value) && a.lo == b.lo && a.hi == b.hi && a.may_be_nan == b.may_be_nan;
}

std::vector<HonestOutputs> honest_outputs(const Problem& given, const Readings& readings) {
  const bool other_layout = is_read_as_layout_0(given, readings);
  const Problem problem = other_layout ? in_layout_0(given) : given;
  if (other_layout && expectation_of(problem).kind == Expectation::Kind::Refuse) return {};
  const ElementType type = value_type(problem);
  const Outputs none(output_names(problem.version.op).size());
  const Observed unanswered(problem, none);
  const Task task(unanswered, readings, arithmetic_of(default_contract(type), type));
  std::vector<HonestOutputs> ways;
  if (quantises(task)) {
    for (const std::int64_t chunk : chunk_sizes(task)) {
      const Trajectory sets = quantized_forward_sets(task, chunk, first_bits_of_balls);
      ways.push_back(HonestTrajectory(task, sets, std::nullopt).outputs());
    }
    return ways;
  }
  const Trajectory sets = forward_sets(task, first_bits_of_balls);
  return {HonestTrajectory(task, sets, certified_trajectory(task)).outputs()};
}

bool admits(const HonestOutputs& honest, const Outputs& outputs) {
  for (std::size_t k = 0; k < honest.size(); ++k) {
    if (!honest[k]) continue;
    if (k >= outputs.size() || !outputs[k] || outputs[k]->shape() != honest[k]->shape) return false;
    for (std::size_t i = 0; i < honest[k]->elements.size(); ++i) {
      if (!honest[k]->elements[i].admits(outputs[k]->value(i))) return false;
    }
  }
  return true;
}

}  // namespace cellproof::oracle
