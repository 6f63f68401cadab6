#include <algorithm>
#include <array>

#include "engines/mutants/faults.hpp"
#include "engines/mutants/mutants.hpp"
#include "engines/mutants/node_changes.hpp"

namespace cellproof::engines::mutants {
namespace {

// Preconditions.
bool given(const Facts& facts, std::size_t position) {
  const Tensor* tensor = facts.problem.input(position);
  if (!tensor) return false;
  for (std::size_t i = 0; i < tensor->size(); ++i) {
    if (tensor->value(i) != 0) return true;
  }
  return false;
}
bool lstm(const Facts& facts) {
  return facts.node.op == Operator::LSTM;
}
bool gru(const Facts& facts) {
  return facts.node.op == Operator::GRU;
}
bool coupled(const Facts& facts) {
  return lstm(facts) && facts.node.coupled;
}
bool uncoupled(const Facts& facts) {
  return lstm(facts) && !facts.node.coupled;
}
bool lbr(const Facts& facts) {
  return gru(facts) && facts.node.linear_before_reset;
}
bool has_bias(const Facts& facts) {
  return given(facts, input::B);
}
bool has_peepholes(const Facts& facts) {
  return lstm(facts) && given(facts, input::P);
}
bool has_initial_h(const Facts& facts) {
  return given(facts, input::initial_h);
}
bool has_initial_c(const Facts& facts) {
  return lstm(facts) && given(facts, input::initial_c);
}
bool has_states(const Facts& facts) {
  return has_initial_h(facts) || has_initial_c(facts);
}
bool clips(const Facts& facts) {
  return facts.node.clip.has_value();
}
bool clips_g(const Facts& facts) {
  return clips(facts) && facts.node.op != Operator::RNN;
}
bool wide_type(const Facts& facts) {
  return facts.node.type == ElementType::Float || facts.node.type == ElementType::Double;
}
bool wide_lstm(const Facts& facts) {
  return wide_type(facts) && lstm(facts);
}
bool two_directions(const Facts& facts) {
  return facts.node.directions.size() == 2;
}
bool has_reverse(const Facts& facts) {
  return facts.node.directions.back().reverse;
}
bool only_reverse(const Facts& facts) {
  return facts.node.directions.front().reverse;
}
std::size_t longest(const Facts& facts) {
  return facts.node.lengths.empty() ? 0 : *std::max_element(facts.node.lengths.begin(), facts.node.lengths.end());
}
bool steps(const Facts& facts) {
  return longest(facts) > 0;
}
bool several_steps(const Facts& facts) {
  return longest(facts) > 1;
}
bool ragged(const Facts& facts) {
  return std::ranges::any_of(facts.node.lengths, [&](std::size_t length) { return length < facts.node.T; });
}
bool unequal(const Facts& facts) {
  return std::ranges::any_of(facts.node.lengths, [&](std::size_t length) { return length != facts.node.lengths[0]; });
}
bool asks_for_Y(const Facts& facts) {
  return facts.problem.asks_for(output::Y);
}
bool uses(const Facts& facts, std::string_view name, std::optional<float> alpha = {}) {
  return std::ranges::any_of(facts.node.directions, [&](const PlainDirection& direction) {
    return std::ranges::any_of(direction.functions, [&](const PlainFunction& function) {
      return function.name == name && (!alpha || function.alpha == *alpha);
    });
  });
}
bool has_alphas(const Facts& facts) {
  return facts.problem.attributes.activation_alpha.has_value();
}
bool has_betas(const Facts& facts) {
  return facts.problem.attributes.activation_beta.has_value();
}
bool f_is_not_g(const Facts& facts) {
  return std::ranges::any_of(facts.node.directions, [](const PlainDirection& direction) {
    const PlainFunction &f = direction.functions[0], &g = direction.functions[1];
    return f.name != g.name || f.alpha != g.alpha || f.beta != g.beta;
  });
}

// Many faults are a single line; the table reads best with them in their places.
template <bool Faults::*which>
void turn_on(Sowing& sowing) {
  sowing.faults.*which = true;
}
template <int Faults::*which, int bits>
void set_bits(Sowing& sowing) {
  sowing.faults.*which = bits;
}
template <std::vector<double> PlainDirection::*which, int factor>
void multiply(Sowing& sowing) {
  for (PlainDirection& direction : sowing.node.directions) scale(direction.*which, factor);
}
template <std::size_t a, std::size_t b>
void exchange_gates(Sowing& sowing) {
  swap_gates(sowing.node, a, b);
}
template <std::size_t a, std::size_t b>
void exchange_peepholes(Sowing& sowing) {
  swap_peepholes(sowing.node, a, b);
}
template <std::size_t which>
void omit_peephole(Sowing& sowing) {
  drop_peephole(sowing.node, which);
}
template <void (*change)(PlainNode&)>
void change_node(Sowing& sowing) {
  change(sowing.node);
}

constexpr auto table = std::to_array<Mutant>({
    // Weights and biases. LSTM's gates are i o f c, GRU's z r h.
    {"gate-order-ifoc", "input.W", "reads the gates as i f o c", lstm, exchange_gates<1, 2>},
    {"gate-order-foic", "input.W", "reads the gates as f o i c", lstm, exchange_gates<0, 2>},
    {"gate-order-iocf", "input.W", "reads the gates as i o c f", lstm, exchange_gates<2, 3>},
    {"gate-order-rzh", "input.W", "reads the gates as r z h", gru, exchange_gates<0, 1>},
    {"gate-order-zhr", "input.W", "reads the gates as z h r", gru, exchange_gates<1, 2>},
    {"r-not-transposed", "r-transposed", "multiplies by R where R^T is meant",
     [](const Facts& f) { return f.node.H > 1 && steps(f); }, change_node<transpose_R>},
    {"wb-ignored", "input.B", "leaves out the first half of B", has_bias, multiply<&PlainDirection::Wb, 0>},
    {"rb-ignored", "input.B", "leaves out the second half of B", has_bias, multiply<&PlainDirection::Rb, 0>},
    {"bias-doubled", "input.B", "adds B twice", has_bias,
     [](Sowing& s) {
       multiply<&PlainDirection::Wb, 2>(s);
       multiply<&PlainDirection::Rb, 2>(s);
     }},
    {"bias-of-first-gate-only", "input.B", "takes B for the bias of the first gate, as its description has it",
     [](const Facts& f) { return has_bias(f) && f.node.op != Operator::RNN; },
     [](Sowing& s) {
       for (PlainDirection& direction : s.node.directions) {
         for (auto* half : {&direction.Wb, &direction.Rb}) std::fill(half->begin() + static_cast<std::ptrdiff_t>(s.node.H), half->end(), 0.0);
       }
     }},
    {"last-product-dropped", "I", "stops a dot product one element early", steps, turn_on<&Faults::last_product_dropped>},

    // Peepholes: i o f.
    {"peephole-order-ifo", "input.P", "reads the peepholes as i f o", has_peepholes, exchange_peepholes<1, 2>},
    {"peephole-order-oif", "input.P", "reads the peepholes as o i f", has_peepholes, exchange_peepholes<0, 1>},
    {"peephole-f-missing", "input.P", "has no peephole of the forget gate", has_peepholes, omit_peephole<2>},
    {"peepholes-ignored", "input.P", "leaves out P", has_peepholes, multiply<&PlainDirection::P, 0>},
    {"output-peephole-sees-old-cell", "input.P", "looks at C(t-1) where the output gate looks at C(t)", has_peepholes,
     turn_on<&Faults::output_peephole_sees_old_cell>},

    // clip.
    {"clip-ignored", "clip", "does not clip", clips, [](Sowing& s) { s.node.clip.reset(); }},
    {"clip-after-function", "clip", "clips what the functions return, not what they are given", clips,
     turn_on<&Faults::clip_after_function>},
    {"clip-upper-side-only", "clip", "clips at +clip, not at -clip", clips, turn_on<&Faults::clip_upper_side_only>},
    {"clip-forgets-g", "clip", "does not clip the argument of g", clips_g, turn_on<&Faults::clip_forgets_g>},

    // Functions and their parameters.
    {"alpha-in-wrong-slot", "alpha", "hands activation_alpha out from the second value on", has_alphas, change_node<rotate_alphas>},
    {"alpha-ignored", "alpha", "uses default alphas whatever the node says", has_alphas, change_node<forget_alphas>},
    {"beta-ignored", "beta", "uses default betas whatever the node says", has_betas, change_node<forget_betas>},
    {"hard-sigmoid-one-sixth", "activation.f", "takes 1/6 for HardSigmoid's default alpha",
     [](const Facts& f) { return uses(f, "HardSigmoid", 0.2F); },
     [](Sowing& s) {
       for (PlainDirection& direction : s.node.directions) {
         for (PlainFunction& function : direction.functions) {
           if (function.name == "HardSigmoid" && function.alpha == 0.2F) function.alpha = 1.0F / 6;
         }
       }
     }},
    {"thresholded-relu-default-zero", "default-thresholdedrelu", "takes 0 for ThresholdedRelu's default alpha",
     [](const Facts& f) { return uses(f, "ThresholdedRelu", 1.0F); },
     [](Sowing& s) {
       for (PlainDirection& direction : s.node.directions) {
         for (PlainFunction& function : direction.functions) {
           if (function.name == "ThresholdedRelu" && function.alpha == 1.0F) function.alpha = 0;
         }
       }
     }},
    {"backward-takes-forward-functions", "activation.f.backward", "applies the forward direction's functions in both",
     two_directions, [](Sowing& s) { s.node.directions.back().functions = s.node.directions.front().functions; }},
    {"forget-gate-takes-g", "activation.g", "applies g to the forget gate",
     [](const Facts& f) { return uncoupled(f) && f_is_not_g(f); }, turn_on<&Faults::forget_gate_takes_g>},

    // Directions, order and lengths.
    {"direction-ignored", "direction", "runs forward where reverse is asked for", only_reverse,
     [](Sowing& s) { s.node.directions.front().reverse = false; }},
    {"backward-takes-forward-weights", "direction", "uses the forward direction's W and R in both", two_directions,
     [](Sowing& s) {
       s.node.directions.back().W = s.node.directions.front().W;
       s.node.directions.back().R = s.node.directions.front().R;
     }},
    {"directions-swapped-in-states", "direction", "returns the backward direction's last state first", two_directions,
     turn_on<&Faults::directions_swapped_in_states>},
    {"reverse-starts-in-padding", "reverse-starts-at-length", "starts the reverse direction at T - 1 whatever the length",
     [](const Facts& f) { return has_reverse(f) && ragged(f); }, turn_on<&Faults::reverse_starts_in_padding>},
    {"y-in-processing-order", "reverse-output-order", "leaves Y of the reverse direction in the order of processing",
     [](const Facts& f) { return has_reverse(f) && several_steps(f) && asks_for_Y(f); }, turn_on<&Faults::Y_in_processing_order>},
    {"y-h-is-last-row", "reverse-output-order", "returns Y[T-1] as Y_h",
     [](const Facts& f) { return f.problem.asks_for(output::Y_h) && ((has_reverse(f) && several_steps(f)) || ragged(f)); },
     turn_on<&Faults::Y_h_is_last_row_of_Y>},
    {"padding-computed", "padding-of-y", "goes on computing Y beyond a sequence's length",
     [](const Facts& f) { return ragged(f) && asks_for_Y(f); }, turn_on<&Faults::padding_is_computed>},
    {"lengths-ignored", "lengths", "takes every sequence to have T steps", ragged,
     [](Sowing& s) { std::ranges::fill(s.node.lengths, s.node.T); }},
    {"length-off-by-one", "lengths", "stops every sequence one step early", steps,
     [](Sowing& s) {
       for (std::size_t& length : s.node.lengths) length -= length > 0 ? 1 : 0;
     }},
    {"length-of-first-for-all", "lengths", "uses the first sequence's length for all", unequal,
     [](Sowing& s) { std::ranges::fill(s.node.lengths, std::size_t{s.node.lengths[0]}); }},
    {"previous-input", "T", "feeds the input of the step before", several_steps, turn_on<&Faults::previous_input>},

    // Gates and their algebra.
    {"linear-before-reset-flipped", "linear_before_reset", "computes the other variant of the hidden gate",
     [](const Facts& f) { return gru(f) && steps(f); },
     [](Sowing& s) { s.node.linear_before_reset = !s.node.linear_before_reset; }},
    {"rbh-outside-reset", "linear_before_reset", "adds Rbh outside the reset gate's product",
     [](const Facts& f) { return lbr(f) && has_bias(f); }, turn_on<&Faults::recurrent_bias_outside_reset>},
    {"update-gate-complemented", "linear_before_reset", "keeps z of the candidate and 1 - z of the old state", gru,
     turn_on<&Faults::update_gate_complemented>},
    {"reset-gate-ignored", "linear_before_reset", "leaves out the reset gate", gru, turn_on<&Faults::reset_gate_ignored>},
    {"input-forget-ignored", "input_forget", "computes the forget gate by itself although the gates are coupled", coupled,
     [](Sowing& s) { s.node.coupled = false; }},
    {"always-coupled", "input_forget", "couples the gates although nobody asked for it", uncoupled,
     [](Sowing& s) { s.node.coupled = true; }},

    // States and layout.
    {"initial-h-ignored", "input.initial_h", "starts from 0", has_initial_h, multiply<&PlainDirection::h, 0>},
    {"initial-c-ignored", "input.initial_c", "starts from an empty cell", has_initial_c, multiply<&PlainDirection::c, 0>},
    {"states-of-first-sequence", "N", "starts all sequences from the first one's initial state",
     [](const Facts& f) { return has_states(f) && f.node.N > 1; }, change_node<share_first_state>},
    {"state-leaks-to-next-sequence", "N", "starts a sequence from the last state of the one before",
     [](const Facts& f) { return f.node.N > 1; }, turn_on<&Faults::row_state_leaks>},
    {"layout-ignored-in-states", "layout", "reads initial states of [N,D,H] as [D,N,H]",
     [](const Facts& f) { return f.node.batch_first && two_directions(f) && f.node.N > 1 && has_states(f); },
     change_node<misread_states_of_layout_1>},
    {"layout-ignored-in-y", "layout", "writes Y as [T,D,N,H] whatever the layout",
     [](const Facts& f) { return f.node.batch_first && f.node.N > 1 && steps(f) && asks_for_Y(f); },
     turn_on<&Faults::layout_ignored_in_Y>},

    // Precision.
    {"tf32-operands", "type", "rounds the factors of products to 11 bits", wide_type, set_bits<&Faults::operand_bits, 11>},
    {"tf32-operands-late", "type", "rounds the factors of products to 11 bits in the second half of the sequence",
     [](const Facts& f) { return wide_type(f) && several_steps(f); },
     [](Sowing& s) {
       s.faults.operand_bits = 11;
       s.faults.only_in_second_half = true;
     }},
    {"bf16-weights", "type", "keeps W and R with 8 bits", wide_type, [](Sowing& s) { round_weights(s.node, 8); }},
    {"half-accumulator", "type", "adds products with 11 bits", wide_type, set_bits<&Faults::accumulator_bits, 11>},
    {"half-cell", "type", "keeps C with 11 bits", wide_lstm, set_bits<&Faults::cell_bits, 11>},
    {"bf16-state", "type", "keeps H with 8 bits", wide_type, set_bits<&Faults::state_bits, 8>},
    {"tanh-error", "activation.g", "has a tanh that errs by 1e-4",
     [](const Facts& f) { return wide_type(f) && (uses(f, "Tanh") || uses(f, "ScaledTanh")); },
     [](Sowing& s) { s.faults.tanh_error = 1e-4; }},
    {"sigmoid-saturates-early", "activation.f", "takes sigmoid for 0 and 1 beyond +-8",
     [](const Facts& f) { return wide_type(f) && uses(f, "Sigmoid"); }, turn_on<&Faults::sigmoid_saturates_early>},
    {"one-element-off", "outputs", "stores one element of Y with a relative error of 1e-4",
     [](const Facts& f) { return wide_type(f) && asks_for_Y(f) && steps(f); }, turn_on<&Faults::one_element_off>},
});

}  // namespace

std::span<const Mutant> mutants() {
  return table;
}

}  // namespace cellproof::engines::mutants
