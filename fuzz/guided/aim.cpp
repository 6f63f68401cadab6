#include "fuzz/guided/aim.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "fuzz/guided/boundary_value.hpp"
#include "fuzz/guided/resolved_node.hpp"

namespace cellproof::fuzz {
namespace {

/// Bytes of a literal tensor that a case line holds.
constexpr std::size_t most_literal_bytes = 4096;

/// A row of the batch at one processed step of one direction.
struct Moment {
  std::size_t d = 0, n = 0, t = 0;
  bool is_first = true;
};

std::optional<Moment> some_moment(const ResolvedNode& node, bool first_only, const Words& words) {
  Moment moment;
  if (node.N == 0 || node.H == 0 || node.directions.empty()) return std::nullopt;
  moment.d = words() % node.directions.size();
  moment.n = words() % node.N;
  const std::size_t length = node.lengths[moment.n];
  if (length == 0) return std::nullopt;
  const std::size_t rank = first_only ? 0 : words() % length;
  moment.is_first = rank == 0;
  moment.t = node.directions[moment.d].reverse ? length - 1 - rank : rank;
  return moment;
}

/// h of the step before, as the engine gave it; nothing where it did not.
std::optional<std::vector<double>> state_before(const ResolvedNode& node, const Case& c, const Outcome& outcome,
                                                const Moment& at) {
  const ResolvedDirection& direction = node.directions[at.d];
  std::vector<double> h(node.H, 0.0);
  if (at.is_first) {
    if (!direction.h.empty()) {
      for (std::size_t j = 0; j < node.H; ++j) h[j] = direction.h[at.n * node.H + j];
    }
    return h;
  }
  if (outcome.kind != OutcomeKind::Ran || outcome.outputs.empty() || !outcome.outputs[0]) return std::nullopt;
  const Tensor& Y = *outcome.outputs[0];
  const std::size_t D = node.directions.size(), before = direction.reverse ? at.t + 1 : at.t - 1;
  const std::size_t row = node.batch_first ? (at.n * node.T + before) * D + at.d : (before * D + at.d) * node.N + at.n;
  if (Y.size() != node.T * D * node.N * node.H || Y.type() != c.type) return std::nullopt;
  for (std::size_t j = 0; j < node.H; ++j) h[j] = Y.value(row * node.H + j);
  return h;
}

std::size_t gate_rows(const ResolvedNode& node) {
  return static_cast<std::size_t>(gate_count(node.op));
}

/// The place of a gate's function in the list f g h: the last gate of several is the candidate, which g is applied to.
std::size_t slot_of(const ResolvedNode& node, std::size_t gate) {
  return activation_count(node.op) > 1 && gate + 1 == gate_rows(node) ? 1 : 0;
}

/// Without biases and peepholes. Of GRU's candidate as if nothing were reset.
double sum_of_products(const ResolvedNode& node, const Moment& at, std::size_t row, const std::vector<double>& h) {
  const ResolvedDirection& direction = node.directions[at.d];
  double sum = 0;
  for (std::size_t k = 0; k < node.I; ++k)
    sum += direction.W[row * node.I + k] * node.X[(at.t * node.N + at.n) * node.I + k];
  for (std::size_t k = 0; k < node.H; ++k) sum += direction.R[row * node.H + k] * h[k];
  return sum;
}

/// Exactly, one ULP of float beside it, or by a share of it or of 1 between 2^-20 and 1/2.
double beside(double target, const Words& words) {
  const std::uint64_t word = words();
  const double sign = (word >> 8 & 1U) != 0 ? 1 : -1;
  switch (word % 4) {
    case 0:
      return target;
    case 1: {
      const auto narrow = static_cast<float>(target);
      return std::nextafter(
          narrow, sign > 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity());
    }
    default: {
      const double share = std::ldexp(1.0, -1 - static_cast<int>((word >> 16) % 20));
      return target + sign * share * std::max(std::fabs(target), word % 4 == 2 ? 0.0 : 1.0);
    }
  }
}

double target_of(const ResolvedNode& node, const Moment& at, std::size_t gate, Aim aim, const Words& words) {
  if (aim == Aim::Sweeping) return static_cast<double>(words() % 24'000'001) / 1e6 - 12;
  if (aim == Aim::Cancelling) return beside(0, words) / 16;
  std::vector<Target> targets = targets_of(node.directions[at.d].functions[slot_of(node, gate)], node.clip);
  // By kind first: there are many ends of exponentials, and one knot.
  const BoundaryValue kind = targets[words() % targets.size()].kind;
  const auto all_kinds = {BoundaryValue::ClipLimit, BoundaryValue::Knot, BoundaryValue::Saturation,
                          BoundaryValue::NearZero};
  const BoundaryValue wanted = *(all_kinds.begin() + words() % all_kinds.size());
  const bool has_wanted = std::ranges::find(targets, wanted, &Target::kind) != targets.end();
  std::erase_if(targets, [&](const Target& target) { return target.kind != (has_wanted ? wanted : kind); });
  return beside(targets[words() % targets.size()].argument, words);
}

bool fits_in_a_line(const Tensor& tensor) {
  return tensor.bytes().size() <= most_literal_bytes;
}

/// The problem's tensors of some inputs, in the case as literals.
bool make_literal(Case& c, const Problem& problem, std::initializer_list<std::size_t> positions) {
  for (const std::size_t position : positions) {
    const Tensor* tensor = problem.input(position);
    if (tensor == nullptr || !fits_in_a_line(*tensor)) return false;
    c.inputs[position].values = *tensor;
  }
  return true;
}

Tensor& literal(Case& c, std::size_t position) {
  return std::get<Tensor>(c.inputs[position].values);
}

void clear_row(Tensor& matrix, std::size_t row, std::size_t columns) {
  for (std::size_t k = 0; k < columns; ++k) matrix.set_value(row * columns + k, 0);
}

void scale_row(Tensor& matrix, std::size_t row, std::size_t columns, double factor) {
  for (std::size_t k = 0; k < columns; ++k)
    matrix.set_value(row * columns + k, factor * matrix.value(row * columns + k));
}

/// The case with B, plain where it had none.
Case with_bias(Case c) {
  c.inputs.resize(std::max(c.inputs.size(), std::size_t{input::B + 1}));
  if (c.inputs[input::B].presence != Presence::Given) {
    c.inputs[input::B] = plain_input(c.version.op, input::B);
    c.inputs[input::B].presence = Presence::Given;
  }
  return c;
}

/// Changes a row of W and R as the aim has it. Returns the sum of its products, `sum` before, afterwards.
double change_weights(Case& guided, const ResolvedNode& node, std::size_t whole_row, Aim aim, double sum) {
  Tensor &W = literal(guided, input::W), &R = literal(guided, input::R);
  if (aim == Aim::Bare) {
    clear_row(W, whole_row, node.I);
    clear_row(R, whole_row, node.H);
    return 0;
  }
  constexpr double larger = 1024;
  scale_row(W, whole_row, node.I, larger);
  scale_row(R, whole_row, node.H, larger);
  return larger * sum;
}

}  // namespace

std::optional<Case> aimed(const Case& c, const Outcome& outcome, Aim aim, const Words& words) {
  if (is_quantised(c.version.op)) return std::nullopt;
  Case guided = with_bias(c);
  const ResolvedNode node = resolve(make_problem(c));
  const auto at = some_moment(node, aim == Aim::FirstStep || aim == Aim::Bare, words);
  if (!at) return std::nullopt;
  const auto h = state_before(node, c, outcome, *at);
  const Problem problem = make_problem(guided);
  const bool changes_weights = aim == Aim::Bare || aim == Aim::Cancelling;
  if (!h || !make_literal(guided, problem, {input::B})) return std::nullopt;
  if (changes_weights && !make_literal(guided, problem, {input::W, input::R})) return std::nullopt;
  // Without any terms beside it even a bias that no sum can hold exactly is an argument without rounding.
  if (aim == Aim::Bare && words() % 2 == 0)
    guided.inputs[input::X].values = Generated{.regime = Regime::Zero, .seed = {}};
  const std::size_t rows = gate_rows(node) * node.H;
  for (std::size_t row = 0; row < rows; ++row) {
    if (words() % 4 == 0) continue;  // some keep what they have, so that what is guided can be seen
    double sum = sum_of_products(node, *at, row, *h);
    if (changes_weights) sum = change_weights(guided, node, at->d * rows + row, aim, sum);
    const double target = target_of(node, *at, row / node.H, aim, words);
    Tensor& B = literal(guided, input::B);
    B.set_value(at->d * 2 * rows + row, target - sum);
    B.set_value(at->d * 2 * rows + rows + row, 0);
  }
  return guided;
}

std::optional<Case> on_ties(const Case& c, const Words& words) {
  if (!is_quantised(c.version.op)) return std::nullopt;
  Case guided = c;
  if (!make_literal(guided, make_problem(c), {input::X})) return std::nullopt;
  Tensor& X = literal(guided, input::X);
  if (X.size() < 2) return std::nullopt;
  // 0 to 255 steps: the scale is the step itself, and the zero point is 0.
  const double step = std::ldexp(1.0, -6 - static_cast<int>(words() % 6));
  X.set_value(0, 255 * step);
  for (std::size_t k = 1; k < X.size(); ++k) {
    const double tie = (static_cast<double>(words() % 255) + 0.5) * step;
    const std::uint64_t where = words() % 4;
    const auto narrow = static_cast<float>(tie);
    X.set_value(k, where == 0   ? std::nextafter(narrow, 0.0F)
                   : where == 1 ? std::nextafter(narrow, std::numeric_limits<float>::infinity())
                                : tie);
  }
  return guided;
}

std::optional<Case> nudged(const Case& c, const Words& words) {
  if (c.inputs.size() <= input::B || !std::holds_alternative<Tensor>(c.inputs[input::B].values)) return std::nullopt;
  Case guided = c;
  Tensor& B = literal(guided, input::B);
  if (B.size() == 0) return std::nullopt;
  const std::size_t place = words() % B.size();
  const double share = std::ldexp((words() & 1U) != 0 ? 1.0 : -1.0, -1 - static_cast<int>(words() % 16));
  B.set_value(place, B.value(place) + share * std::max(std::fabs(B.value(place)), 0.125));
  return guided;
}

}  // namespace cellproof::fuzz
