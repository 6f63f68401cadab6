#include "spec/rules/touches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "spec/rules/activation_values.hpp"

namespace cellproof::rules {
namespace {

constexpr Consumption stream_on = {};
constexpr Consumption stream_again = {.positional = false, .restart = true};
constexpr Consumption positional_on = {.positional = true, .restart = false};
constexpr Consumption positional_again = {.positional = true, .restart = true};

const std::vector<float>& list_for(const NodeFacts& facts, Parameter parameter) {
  static const std::vector<float> nothing;
  const Attributes& attributes = facts.problem.attributes;
  const auto& written = parameter == Parameter::Alpha ? attributes.activation_alpha : attributes.activation_beta;
  return written ? *written : nothing;
}

using Assigned = std::vector<std::optional<float>>;

Assigned assigned(const NodeFacts& facts, Parameter parameter, Consumption consumption) {
  return assign_values(facts.activations, facts.rules.slots.size(), list_for(facts, parameter), parameter, consumption);
}

/// By their bits, so that a NaN equals itself.
bool same(const Assigned& a, const Assigned& b) {
  const auto bits = [](const std::optional<float>& value) {
    return value ? std::optional(std::bit_cast<std::uint32_t>(*value)) : std::nullopt;
  };
  return std::ranges::equal(a, b, {}, bits, bits);
}

bool differ(const NodeFacts& facts, Consumption a, Consumption b) {
  return std::ranges::any_of(std::array{Parameter::Alpha, Parameter::Beta}, [&](Parameter parameter) {
    return !same(assigned(facts, parameter, a), assigned(facts, parameter, b));
  });
}

bool consumption_matters(const NodeFacts& facts) {
  return differ(facts, stream_on, positional_on) || differ(facts, stream_again, positional_again);
}

bool restart_matters(const NodeFacts& facts) {
  return differ(facts, stream_on, stream_again) || differ(facts, positional_on, positional_again);
}

/// Does some function for which `wanted` holds get a parameter by default, under this consumption?
bool uses_default(const NodeFacts& facts, Consumption consumption, auto wanted) {
  for (const Parameter parameter : {Parameter::Alpha, Parameter::Beta}) {
    const Assigned values = assigned(facts, parameter, consumption);
    for (std::size_t place = 0; place < values.size(); ++place) {
      const ActivationInfo* activation = facts.activations[place];
      if (takes(activation, parameter) && !values[place] && wanted(*activation, parameter)) return true;
    }
  }
  return false;
}

bool uses_default_somehow(const NodeFacts& facts, auto wanted) {
  return std::ranges::any_of(std::array{stream_on, stream_again, positional_on, positional_again},
                             [&](Consumption consumption) { return uses_default(facts, consumption, wanted); });
}

bool open_default(const ActivationInfo& activation, Parameter) {
  return activation.source == DefaultSource::Open;
}

bool default_is_no_float(const ActivationInfo& activation, Parameter parameter) {
  const bool alpha = parameter == Parameter::Alpha;
  const auto decimal = alpha ? activation.decimal_alpha : activation.decimal_beta;
  const auto rounded = alpha ? activation.default_alpha : activation.default_beta;
  return decimal && rounded && *decimal != static_cast<double>(*rounded);
}

bool is_lstm_like(const NodeFacts& facts) {
  return has_cell_state(facts.problem.version.op);
}
bool is_quantised(const NodeFacts& facts) {
  return is_quantised(facts.problem.version.op);
}

bool clip_scope(const NodeFacts& facts) {
  return is_lstm_like(facts) && facts.problem.attributes.clip.has_value();
}

bool clip_zero(const NodeFacts& facts) {
  return facts.problem.attributes.clip == 0.0F;
}

bool input_forget(const NodeFacts& facts) {
  return is_lstm_like(facts) && facts.problem.attributes.input_forget.value_or(0) != 0;
}

bool alpha_list_length(const NodeFacts& facts) {
  return std::ranges::any_of(std::array{Parameter::Alpha, Parameter::Beta}, [&](Parameter parameter) {
    const Attributes& attributes = facts.problem.attributes;
    const auto& written = parameter == Parameter::Alpha ? attributes.activation_alpha : attributes.activation_beta;
    return written && written->size() != takers(facts.activations, parameter);
  });
}

bool defaults_affine_scaledtanh(const NodeFacts& facts) {
  return uses_default_somehow(facts, open_default);
}

bool thresholdedrelu(const NodeFacts& facts) {
  return std::ranges::find(facts.activations, activation_exactly("ThresholdedRelu")) != facts.activations.end();
}

bool activation_name_case(const NodeFacts& facts) {
  const auto& written = facts.problem.attributes.activations;
  return written && std::ranges::any_of(*written, [](const std::string& text) {
           return activation_exactly(text) == nullptr && activation_named(text) != nullptr;
         });
}

/// The schema's default list of the RNN, written out where one function is enough.
bool activation_count(const NodeFacts& facts) {
  const auto& written = facts.problem.attributes.activations;
  return facts.problem.version.op == Operator::RNN && written && facts.direction &&
         facts.direction != Direction::Bidirectional && written->size() == 2 &&
         std::ranges::all_of(
             *written, [](const std::string& text) { return activation_named(text) == activation_exactly("Tanh"); });
}

bool some_length(const NodeFacts& facts, auto condition) {
  return facts.lengths && std::ranges::any_of(*facts.lengths, condition);
}

bool padding_of_y(const NodeFacts& facts) {
  return facts.problem.asks_for(output::Y) && facts.sizes.T &&
         some_length(facts, [&](std::int64_t length) { return length < *facts.sizes.T; });
}

/// Only where an initial state is given can the two readings differ. Y shows it, too, where padding carries the last
/// state.
bool zero_length_state(const NodeFacts& facts) {
  const Problem& problem = facts.problem;
  const bool shows_h = facts.given(input::initial_h) && (problem.asks_for(output::Y) || problem.asks_for(output::Y_h));
  const bool shows_c = is_lstm_like(facts) && facts.given(input::initial_c) && problem.asks_for(output::Y_c);
  return (shows_h || shows_c) && facts.sizes.T.value_or(0) > 0 &&
         some_length(facts, [](std::int64_t length) { return length == 0; });
}

bool hidden_size_absent(const NodeFacts& facts) {
  return !facts.problem.attributes.hidden_size;
}

bool output_sequence(const NodeFacts& facts) {
  if (facts.rules.attribute("output_sequence") == nullptr) return false;
  const bool sequence = facts.problem.attributes.output_sequence.value_or(0) != 0;
  return facts.problem.asks_for(output::Y) != sequence;
}

bool beyond_one(const std::optional<std::int64_t>& attribute) {
  return attribute && *attribute != 0 && *attribute != 1;
}

bool linear_before_reset_other(const NodeFacts& facts) {
  return facts.problem.version.op == Operator::GRU && beyond_one(facts.problem.attributes.linear_before_reset);
}

bool layout_other(const NodeFacts& facts) {
  return facts.rules.attribute("layout") != nullptr && beyond_one(facts.problem.attributes.layout);
}

bool empty_sequence_state(const NodeFacts& facts) {
  return facts.sizes.T == 0 || facts.sizes.N == 0;
}

/// The largest magnitude; infinite where one is, or is NaN.
double reach_of(const NodeFacts& facts, std::size_t position) {
  const Tensor* tensor = facts.problem.input(position);
  double reach = 0;
  for (std::size_t k = 0; tensor != nullptr && k < tensor->size(); ++k) {
    const double magnitude = std::abs(tensor->value(k));
    if (!std::isfinite(magnitude)) return std::numeric_limits<double>::infinity();
    reach = std::max(reach, magnitude);
  }
  return reach;
}

double reach_of_weights(const NodeFacts& facts, std::size_t weights, std::size_t scale) {
  return is_quantised(facts) ? 255 * reach_of(facts, scale) : reach_of(facts, weights);
}

/// Bounds what a gate can be at the first step, its function included: none grows faster than its parameters let it.
double reach_of_gates(const NodeFacts& facts) {
  const auto I = static_cast<double>(facts.sizes.I.value_or(0)), H = static_cast<double>(facts.sizes.H.value_or(0));
  const double sum = I * reach_of(facts, input::X) * reach_of_weights(facts, input::W, input::W_scale) +
                     H * reach_of(facts, input::initial_h) * reach_of_weights(facts, input::R, input::R_scale) +
                     2 * reach_of(facts, input::B) + reach_of(facts, input::P);
  double parameters = 1;
  for (const Parameter parameter : {Parameter::Alpha, Parameter::Beta}) {
    for (const float value : list_for(facts, parameter)) parameters += std::abs(static_cast<double>(value));
  }
  return parameters * (sum + 1);
}

/// Only beside an f that is no number is the product with a cell of zeros not zero.
bool absent_initial_c(const NodeFacts& facts) {
  const Tensor* x = facts.problem.input(input::X);
  if (!is_lstm_like(facts) || facts.given(input::initial_c) || x == nullptr || !is_floating_point(x->type()))
    return false;
  constexpr double room = 16;  // for sums on the way
  return !(room * reach_of_gates(facts) < float_format(x->type()).max_finite);
}

bool default_parameters_in_double(const NodeFacts& facts) {
  const Tensor* x = facts.problem.input(input::X);
  return x != nullptr && x->type() == ElementType::Double && uses_default_somehow(facts, default_is_no_float);
}

bool dq_finished_rows(const NodeFacts& facts) {
  if (!is_quantised(facts) || !facts.lengths || facts.lengths->empty()) return false;
  return std::ranges::min(*facts.lengths) != std::ranges::max(*facts.lengths);
}

bool columns_differ(const Tensor* zero_point) {
  if (zero_point == nullptr || zero_point->rank() != 2 || is_floating_point(zero_point->type())) return false;
  const std::size_t columns = static_cast<std::size_t>(zero_point->shape()[1]);
  for (std::size_t i = 0; i < zero_point->size(); ++i) {
    if (zero_point->integer(i) != zero_point->integer(i - i % columns)) return true;
  }
  return false;
}

bool dq_zero_point(const NodeFacts& facts) {
  return is_quantised(facts) && (columns_differ(facts.problem.input(input::W_zero_point)) ||
                                 columns_differ(facts.problem.input(input::R_zero_point)));
}

/// Is one of them "" in the node? An absent one in front of a written one has to stand there as "", too.
bool has_empty_name(const std::vector<Presence>& list) {
  bool behind_written = false;
  for (std::size_t i = list.size(); i-- > 0;) {
    if (list[i] == Presence::Empty || (list[i] == Presence::Absent && behind_written)) return true;
    behind_written = behind_written || list[i] == Presence::Given;
  }
  return false;
}

bool empty_name_before_7(const NodeFacts& facts) {
  if (!domain(facts.problem.version.op).empty() || facts.problem.version.since_version >= 7) return false;
  std::vector<Presence> inputs;
  for (const Input& in : facts.problem.inputs) inputs.push_back(in.presence);
  return has_empty_name(inputs) || has_empty_name(facts.problem.outputs);
}

struct Touch {
  Clause clause;
  bool (*touches)(const NodeFacts&);
};

constexpr std::array<Touch, 24> table = {{
    {Clause::ClipScope, clip_scope},
    {Clause::ClipZero, clip_zero},
    {Clause::InputForget, input_forget},
    {Clause::InputForgetWeights, input_forget},
    {Clause::AlphaConsumption, consumption_matters},
    {Clause::AlphaListLength, alpha_list_length},
    {Clause::AlphaAcrossDirections, restart_matters},
    {Clause::DefaultsAffineScaledTanh, defaults_affine_scaledtanh},
    {Clause::ThresholdedReluEquality, thresholdedrelu},
    {Clause::ActivationNameCase, activation_name_case},
    {Clause::ActivationCount, activation_count},
    {Clause::PaddingOfY, padding_of_y},
    {Clause::ZeroLengthState, zero_length_state},
    {Clause::HiddenSizeAbsent, hidden_size_absent},
    {Clause::OutputSequence, output_sequence},
    {Clause::LinearBeforeResetOther, linear_before_reset_other},
    {Clause::LayoutOther, layout_other},
    {Clause::EmptySequenceState, empty_sequence_state},
    {Clause::AbsentInitialC, absent_initial_c},
    {Clause::DefaultParametersInDouble, default_parameters_in_double},
    {Clause::DqGranularity, is_quantised},
    {Clause::DqFinishedRows, dq_finished_rows},
    {Clause::DqZeroPoint, dq_zero_point},
    {Clause::EmptyNameBefore7, empty_name_before_7},
}};

}  // namespace

bool touches(const NodeFacts& facts, Clause clause) {
  const auto found = std::ranges::find(table, clause, &Touch::clause);
  return found != table.end() && found->touches(facts);
}

bool leaves_refusal_open(const NodeFacts& facts, Clause clause) {
  if (!info(clause).refusable || !touches(facts, clause)) return false;
  return clause != Clause::DefaultsAffineScaledTanh || uses_default(facts, stream_on, open_default);
}

}  // namespace cellproof::rules
