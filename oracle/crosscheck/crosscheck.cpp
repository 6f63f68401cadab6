#include "oracle/crosscheck/crosscheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "oracle/evaluate.hpp"
#include "oracle/exact_trajectory.hpp"
#include "oracle/other_layout.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/quantized/evaluation.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/value_type.hpp"
#include "reference/rounded_outputs.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using reference::Mpfr50;
using Set = Enclosure<Ball>;

/// The reference has fifty digits; what it rounds off where the balls need not is less than this share.
constexpr int trusted_bits = 140;

/// Stands for the exponent of 0: less than any exponent.
constexpr long exponent_of_zero = -1'000'000;

/// The exponent of the largest finite magnitude.
long exponent_of(const Tensor* tensor) {
  long most = exponent_of_zero;
  for (std::size_t k = 0; tensor != nullptr && k < tensor->size(); ++k) {
    const double value = tensor->value(k);
    if (value != 0 && std::isfinite(value)) most = std::max<long>(most, std::ilogb(value));
  }
  return most;
}

long exponent_of(const std::vector<Mpfr50>& values) {
  long most = exponent_of_zero;
  for (const Mpfr50& value : values) {
    if (value != 0 && isfinite(value)) most = std::max<long>(most, ilogb(value));
  }
  return most;
}

/// Greatest exponent that the terms of a pre-activation can have: if they cancel, what is left has lost as many bits.
long exponent_of_terms(const Problem& problem, const reference::Trajectory<Mpfr50>& exact) {
  const auto of = [&](std::size_t position) { return exponent_of(problem.input(position)); };
  const long h = std::max(of(input::initial_h), exponent_of(exact.Y));
  long terms = std::max({of(input::X) + of(input::W), h + of(input::R), of(input::B)});
  if (has_cell_state(problem.version.op))
    terms = std::max(terms, of(input::P) + std::max(of(input::initial_c), exponent_of(exact.Y_c)));
  return terms;
}

Ball ball(const Mpfr50& value, long terms) {
  Ball near;
  arf_set_mpfr(arb_midref(near.arb()), value.backend().data());
  const long magnitude = std::max(value == 0 ? 0 : static_cast<long>(ilogb(value)), terms);
  if (isfinite(near)) arb_add_error_2exp_si(near.arb(), magnitude - trusted_bits);
  return near;
}

bool contains(const Set& set, const Mpfr50& value, long terms) {
  if (reference::Functions<Mpfr50>::is_nan(value)) return set.has(may_be_nan);
  if (set.has(may_have_overflowed)) return true;
  const Ball near = ball(value, terms);
  return !set.empty() && !surely_less(near, set.lo) && !surely_less(set.hi, near);
}

/// Has the reference's value become infinite where the judge's is only too large for the reference's exponents? Balls
/// have no largest number. What overflows there inside a step is a product of a few factors.
bool has_outgrown_the_reference(const Set& set, const Mpfr50& value) {
  if (!isinf(value) || contains(set, value, exponent_of_zero)) return false;
  Ball large = 1;
  arb_mul_2exp_si(large.arb(), large.arb(), mpfr_get_emax() / 8);
  return value > 0 ? !surely_less(set.hi, large) : !surely_less(-large, set.lo);
}

/// Has a step that begins with these states, in which something too large for the reference's exponents can come up,
/// led to a NaN there? Infinities that balls do not know cancel, or meet a factor that is 0.
bool has_lost_its_way(const Set& set, const Mpfr50& value, std::span<const Mpfr50> states_before) {
  if (!reference::Functions<Mpfr50>::is_nan(value) || set.has(may_be_nan)) return false;
  return std::ranges::any_of(states_before, [](const Mpfr50& state) {
    return isinf(state) || (state != 0 && isfinite(state) && ilogb(state) > mpfr_get_emax() / 8);
  });
}

std::string text(const Mpfr50& value) {
  return value.str(12);
}

/// The judge's own trajectory: balls around what is exact, and, where infinities or NaN have come in, or where the
/// operator itself rounds, the sets of its steps.
class OwnTrajectory {
 public:
  OwnTrajectory(const Task& task, std::int64_t chunk) {
    if (quantises(task)) {
      sets_ = quantized_forward_sets(task, chunk, first_bits_of_balls);
      return;
    }
    exact_ = exact_trajectory(task, first_bits_of_balls);
    const auto is_special = [](const std::vector<Ball>& states) {
      return std::ranges::any_of(states, [](const Ball& state) { return isnan(state); });
    };
    if (is_special(exact_.H) || is_special(exact_.C)) sets_ = forward_sets(task, first_bits_of_balls);
  }

  bool has_C() const { return !exact_.C.empty() || !sets_.C.empty(); }
  Set H(std::size_t place) const { return set_of(exact_.H, sets_.H, place); }
  Set C(std::size_t place) const { return set_of(exact_.C, sets_.C, place); }

 private:
  static Set set_of(const std::vector<Ball>& exact, const std::vector<Set>& sets, std::size_t place) {
    if (exact.empty() || isnan(exact[place])) return sets[place];
    return Set{exact[place], exact[place], exact[place], 0};
  }

  ExactTrajectory exact_;
  Trajectory sets_;
};

std::optional<std::string> outside(const char* what, const std::vector<std::int64_t>& index, const Set& set,
                                   const Mpfr50& value, long terms) {
  if (contains(set, value, terms)) return std::nullopt;
  return fmt::format("judge and reference disagree on the exact {}[{}]: {:.12g} +- {:.2g} against {}", what,
                     fmt::join(index, ","), static_cast<double>(set.centre), set.radius(), text(value));
}

std::optional<std::string> compare_trajectories(const Task& task, const reference::Trajectory<Mpfr50>& exact,
                                                std::int64_t chunk) {
  const Layout& f = task.layout;
  const OwnTrajectory own(task, chunk);
  const long terms = exponent_of_terms(task.problem, exact);
  const auto size = static_cast<std::size_t>(f.H);
  for (std::int64_t d = 0; d < f.D; ++d) {
    for (std::int64_t b = 0; b < f.N; ++b) {
      const std::int64_t steps = f.lengths[static_cast<std::size_t>(b)];
      bool outgrown = false;  // then what follows from it is no more the reference's affair
      for (std::int64_t rank = 0; rank < steps && !outgrown; ++rank) {
        const std::int64_t t = f.time(d, b, rank);
        std::span<const Mpfr50> before;
        if (rank > 0) before = std::span(exact.Y).subspan(f.y_offset(f.time(d, b, rank - 1), d, b), size);
        for (std::int64_t j = 0; j < f.H; ++j) {
          const auto unit = static_cast<std::size_t>(j);
          const Set set = own.H(ElementEvaluation::y_place(f, rank, d, b) + unit);
          const Mpfr50& value = exact.Y[f.y_offset(t, d, b) + unit];
          outgrown = outgrown || has_outgrown_the_reference(set, value) || has_lost_its_way(set, value, before);
          if (outgrown) break;
          if (auto bad = outside("Y", f.y_index(t, d, b, j), set, exact.Y[f.y_offset(t, d, b) + unit], terms))
            return bad;
          if (rank + 1 < steps) continue;
          const std::size_t state = f.state_offset(d, b) + unit;
          if (auto bad = outside("Y_h", f.state_index(d, b, j), set, exact.Y_h[state], terms)) return bad;
          if (!own.has_C()) continue;
          const Set cell = own.C(ElementEvaluation::state_place(f, d, b) + unit);
          if (auto bad = outside("Y_c", f.state_index(d, b, j), cell, exact.Y_c[state], terms)) return bad;
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> crosscheck(const Problem& problem, const Hypothesis& hypothesis) {
  const reference::MpfrThreadCaches caches;
  Problem all = problem;
  all.outputs.assign(output_names(problem.version.op).size(), Presence::Given);
  // Quantisation is binary32 arithmetic by its meaning: there is no trajectory without its roundings.
  const bool quantised = is_quantised(all.version.op);
  const Arithmetic arithmetic = quantised ? arithmetic_of(hypothesis.contract, value_type(all))  //
                                          : exact_arithmetic(value_type(all));
  const Outputs none;
  const Problem read = is_read_as_layout_0(all, hypothesis.readings) ? in_layout_0(all) : all;
  const Observed unanswered(read, none);
  const Task task(unanswered, hypothesis.readings, arithmetic);
  for (const std::int64_t chunk : chunk_sizes(task)) {
    const auto exact = reference::evaluate<Mpfr50>(all, hypothesis.readings, chunk);
    const Outputs rounded = reference::rounded_outputs(all, exact);
    const Judgement judgement = evaluate(Observed(all, rounded), hypothesis, Depth::Described).judgement;
    if (judgement.verdict != Verdict::Conforms && judgement.verdict != Verdict::Undecided) {
      return fmt::format("the reference's own outputs are judged {}: {}", name(*judgement.verdict),
                         sentence_of(judgement));
    }
    if (auto disagreement = compare_trajectories(task, exact, chunk)) return disagreement;
  }
  return std::nullopt;
}

}  // namespace cellproof::oracle
