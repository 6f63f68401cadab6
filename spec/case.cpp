#include "spec/case.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "spec/values/counter.hpp"

namespace cellproof {
namespace {

constexpr std::uint64_t largest_tensor = std::uint64_t{1} << 30;

/// Role of each input position, and the usual source of its tensor in a model.
struct Place {
  Role role;
  Source source;
};
constexpr std::array<Place, 12> places = {{{Role::Data, Source::GraphInput},
                                           {Role::InputWeight, Source::Initializer},
                                           {Role::RecurrentWeight, Source::Initializer},
                                           {Role::Bias, Source::Initializer},
                                           {Role::Data, Source::GraphInput},  // sequence_lens: see draw_lengths
                                           {Role::State, Source::GraphInput},
                                           {Role::State, Source::GraphInput},
                                           {Role::Peephole, Source::Initializer},
                                           {Role::Scale, Source::Initializer},
                                           {Role::ZeroPoint, Source::Initializer},
                                           {Role::RecurrentScale, Source::Initializer},
                                           {Role::ZeroPoint, Source::Initializer}}};

void check_position(const Case& c, std::size_t position) {
  if (position >= input_names(c.version.op).size()) {
    throw std::out_of_range(to_string(c.version) + " has no input " + std::to_string(position));
  }
}

std::int64_t direction_count(const Case& c) {
  const auto& direction = c.attributes.direction;
  return direction && direction_named(*direction) == Direction::Bidirectional ? 2 : 1;
}

Tensor allocate(ElementType type, const Shape& shape, const std::string& what) {
  if (element_count(shape) > largest_tensor / size_of(type)) {
    throw std::length_error("make_problem: " + what + " of shape " + to_string(shape) + " would exceed 1 GiB");
  }
  return Tensor(type, shape);
}

/// Every length in [1, T], one of them T, and one below T where two rows and two steps leave room for it.
void draw_lengths(Tensor& tensor, std::int64_t steps, std::uint64_t seed) {
  const std::size_t rows = tensor.size();
  if (rows == 0 || steps <= 0) return;
  const Counter counter(seed, "sequence_lens");
  const std::size_t longest = counter.word(rows, 1) % rows;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool shorter = row == (longest + 1) % rows && steps > 1;
    const std::int64_t range = shorter ? steps - 1 : steps;
    std::int64_t length = 1 + static_cast<std::int64_t>(counter.word(row, 0) % static_cast<std::uint64_t>(range));
    if (row == longest) length = steps;
    if (size_of(tensor.type()) == 1) length = std::min<std::int64_t>(length, 127);
    tensor.set_value(row, static_cast<double>(length));
  }
}

Tensor make_tensor(const Case& c, std::size_t position, bool of_zeros) {
  const CaseInput& made = c.inputs[position];
  if (const Tensor* literal = std::get_if<Tensor>(&made.values)) return *literal;
  const Generated& generated = std::get<Generated>(made.values);
  const auto formal = input_names(c.version.op);
  const bool known = position < formal.size();
  const std::string name = known ? std::string(formal[position]) : "input" + std::to_string(position);
  Tensor tensor = allocate(generated_type(c, position), generated_shape(c, position), name);
  const std::uint64_t seed = generated.seed.value_or(c.seed);
  if (position == input::sequence_lens) {
    draw_lengths(tensor, c.T, seed);
    return tensor;
  }
  const Role role = known ? places[position].role : Role::Data;
  const bool is_weight = role == Role::InputWeight || role == Role::RecurrentWeight;
  if (of_zeros && (is_floating_point(tensor.type()) || is_weight)) return tensor;
  const bool recurrent = position == input::R || position == input::R_scale;
  fill(tensor, generated.regime.value_or(c.regime), role, seed, name, recurrent ? c.H : c.I);
  return tensor;
}

/// Is element i of both the same, where what lies behind a list's end is `beyond`?
template <typename T>
bool equal_lists(const std::vector<T>& a, const std::vector<T>& b, const auto& beyond) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (!((i < a.size() ? a[i] : beyond(i)) == (i < b.size() ? b[i] : beyond(i)))) return false;
  }
  return true;
}

}  // namespace

bool operator==(const Case& a, const Case& b) {
  const auto absent_input = [&a](std::size_t position) {
    CaseInput result = plain_input(a.version.op, position);
    result.presence = Presence::Absent;
    return result;
  };
  const auto absent_output = [](std::size_t) { return Presence::Absent; };
  return a.version == b.version && a.type == b.type && a.weight_type == b.weight_type && a.T == b.T && a.N == b.N &&
         a.I == b.I && a.H == b.H && a.attributes == b.attributes && a.seed == b.seed && a.regime == b.regime &&
         a.presentation == b.presentation && equal_lists(a.inputs, b.inputs, absent_input) &&
         equal_lists(a.outputs, b.outputs, absent_output);
}

CaseInput plain_input(Operator op, std::size_t position) {
  CaseInput result;
  if (position >= input_names(op).size()) return result;
  result.source = places[position].source;
  if (position <= input::R || position >= input::W_scale) result.presence = Presence::Given;
  return result;
}

Case plain_case(OperatorVersion version, ElementType type, std::int64_t T, std::int64_t N, std::int64_t I,
                std::int64_t H) {
  Case c;
  c.version = version;
  c.type = type;
  c.T = T;
  c.N = N;
  c.I = I;
  c.H = H;
  c.attributes.hidden_size = H;
  for (std::size_t i = 0; i < input_names(version.op).size(); ++i) c.inputs.push_back(plain_input(version.op, i));
  c.outputs.assign(output_names(version.op).size(), Presence::Given);
  return c;
}

Shape default_shape(const Case& c, std::size_t position) {
  check_position(c, position);
  const bool quantised = is_quantised(c.version.op);
  const bool batch_first = !quantised && c.attributes.layout.value_or(0) != 0;
  const std::int64_t D = direction_count(c);
  const std::int64_t rows = gate_count(c.version.op) * c.H;
  switch (position) {
    case input::X:
      return batch_first ? Shape{c.N, c.T, c.I} : Shape{c.T, c.N, c.I};
    case input::W:
      return quantised ? Shape{D, c.I, rows} : Shape{D, rows, c.I};
    case input::R:
      return quantised ? Shape{D, c.H, rows} : Shape{D, rows, c.H};
    case input::B:
      return {D, 2 * rows};
    case input::sequence_lens:
      return {c.N};
    case input::initial_h:
    case input::initial_c:
      return batch_first ? Shape{c.N, D, c.H} : Shape{D, c.N, c.H};
    case input::P:
      return {D, 3 * c.H};
    default:
      return {D};
  }
}

ElementType default_type(const Case& c, std::size_t position) {
  check_position(c, position);
  if (position == input::sequence_lens) return ElementType::Int32;
  if (!is_quantised(c.version.op)) return c.type;
  const bool quantised = position == input::W || position == input::R || position == input::W_zero_point ||
                         position == input::R_zero_point;
  return quantised ? c.weight_type : c.type;
}

Shape generated_shape(const Case& c, std::size_t position) {
  if (position < c.inputs.size() && c.inputs[position].shape) return *c.inputs[position].shape;
  return position < input_names(c.version.op).size() ? default_shape(c, position) : Shape{};
}

ElementType generated_type(const Case& c, std::size_t position) {
  if (position < c.inputs.size() && c.inputs[position].type) return *c.inputs[position].type;
  return position < input_names(c.version.op).size() ? default_type(c, position) : c.type;
}

namespace {

/// Makes initial_c the tensor of initial_h, where both can be one.
void share_states(Problem& problem) {
  if (!has_cell_state(problem.version.op) || problem.inputs.size() <= input::initial_c) return;
  const Input& h = problem.inputs[input::initial_h];
  Input& c = problem.inputs[input::initial_c];
  if (h.tensor && c.tensor && h.source == c.source) c.tensor = h.tensor;
}

Problem make_problem(const Case& c, bool of_zeros) {
  Problem problem{.version = c.version,
                  .attributes = c.attributes,
                  .inputs = {},
                  .outputs = c.outputs,
                  .presentation = c.presentation};
  problem.inputs.resize(c.inputs.size());
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    problem.inputs[i].presence = c.inputs[i].presence;
    problem.inputs[i].source = c.inputs[i].source;
    if (c.inputs[i].presence == Presence::Given) problem.inputs[i].tensor = make_tensor(c, i, of_zeros);
  }
  if (c.presentation.states == States::Shared) share_states(problem);
  // Only trailing names can be left out of a node: an absent one before a written one has to stand there as "".
  const auto written = [](Presence presence) { return presence != Presence::Absent; };
  while (!problem.inputs.empty() && !written(problem.inputs.back().presence)) problem.inputs.pop_back();
  while (!problem.outputs.empty() && !written(problem.outputs.back())) problem.outputs.pop_back();
  for (Input& in : problem.inputs) in.presence = written(in.presence) ? in.presence : Presence::Empty;
  for (Presence& out : problem.outputs) out = written(out) ? out : Presence::Empty;
  return problem;
}

}  // namespace

Problem make_problem(const Case& c) {
  return make_problem(c, false);
}

Problem make_problem_of_zeros(const Case& c) {
  return make_problem(c, true);
}

Case case_of(const Problem& problem) {
  const Tensor* x = problem.input(input::X);
  const Tensor* w = problem.input(input::W);
  Case c = plain_case(problem.version, x ? x->type() : ElementType::Float, 1, 1, 1, 1);
  try {
    const Dimensions sizes = dimensions_of(problem);
    c = plain_case(c.version, c.type, sizes.T, sizes.N, sizes.I, sizes.H);
  } catch (const std::invalid_argument&) {
    // X or R is missing or has another rank: the literals below bring their shapes with them, the sizes stay 1.
  }
  if (w && is_quantised(problem.version.op)) c.weight_type = w->type();
  c.attributes = problem.attributes;
  c.outputs = problem.outputs;
  c.presentation = problem.presentation;
  for (CaseInput& in : c.inputs) in.presence = Presence::Absent;
  if (c.inputs.size() < problem.inputs.size()) c.inputs.resize(problem.inputs.size());
  for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
    c.inputs[i].presence = problem.inputs[i].presence;
    c.inputs[i].source = problem.inputs[i].source;
    if (problem.inputs[i].tensor) c.inputs[i].values = *problem.inputs[i].tensor;
  }
  return c;
}

}  // namespace cellproof
