// Mutants of clip, of the functions and of the gates' algebra.
#include <algorithm>
#include <cmath>

#include "lab/mutants/node_changes.hpp"
#include "lab/mutants/tables.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::lab::mutants {
namespace {

using Change = std::function<void(ResolvedFunction&)>;

Sow each_function(std::string_view name, const Change& change) {
  return each_direction([=](const ResolvedNode&, ResolvedDirection& direction) {
    for (ResolvedFunction& function : direction.functions) {
      if (function.name == name) change(function);
    }
  });
}
Needs uses(std::string_view name) {
  return [name](const Facts& facts) {
    return std::ranges::any_of(facts.node.directions, [&](const ResolvedDirection& direction) {
      return std::ranges::any_of(direction.functions, [&](const ResolvedFunction& f) { return f.name == name; });
    });
  };
}
bool alphas_given(const Facts& facts) {
  return facts.problem.attributes.activation_alpha.has_value();
}
bool betas_given(const Facts& facts) {
  return facts.problem.attributes.activation_beta.has_value();
}

float usual_alpha(std::string_view name) {
  return activation_exactly(name)->default_alpha.value_or(0.0F);
}
float usual_beta(std::string_view name) {
  return activation_exactly(name)->default_beta.value_or(0.0F);
}

/// "LeakyRelu" as "leaky-relu".
std::string hyphenated(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !text.empty()) text += '-';
    text += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

void add_ignored_parameters(Table& table) {
  for (const ActivationInfo& info : activations()) {
    const std::string_view name = info.name;
    const std::string id = hyphenated(name), who = std::string(name);
    if (info.uses_alpha) {
      table.push_back({id + "-alpha-ignored", "alpha activation beta?",
                       "gives " + who + " its default alpha whatever the node says", Needs(alphas_given) && uses(name),
                       each_function(name, [name](ResolvedFunction& f) { f.alpha = usual_alpha(name); })});
    }
    if (info.uses_beta) {
      table.push_back({id + "-beta-ignored", "beta activation alpha?",
                       "gives " + who + " its default beta whatever the node says", Needs(betas_given) && uses(name),
                       each_function(name, [name](ResolvedFunction& f) { f.beta = usual_beta(name); })});
      table.push_back({id + "-parameters-exchanged", "activation alpha? beta?",
                       "takes " + who + "'s alpha for its beta and the other way round", uses(name),
                       each_function(name, [](ResolvedFunction& f) { std::swap(f.alpha, f.beta); })});
    }
  }
}

void add_wrong_defaults(Table& table) {
  const auto add = [&](const char* id, std::string_view name, float alpha, float beta, const char* what) {
    table.push_back({id, "activation", what, uses(name), each_function(name, [=](ResolvedFunction& f) {
                       if (f.alpha == usual_alpha(name) && f.beta == usual_beta(name)) f = {f.name, alpha, beta};
                     })});
  };
  add("hard-sigmoid-one-sixth", "HardSigmoid", 1.0F / 6, 0.5F, "takes 1/6 for HardSigmoid's default alpha");
  add("hard-sigmoid-default-zero", "HardSigmoid", 0, 0, "takes 0 for HardSigmoid's default alpha and beta");
  add("thresholded-relu-default-zero", "ThresholdedRelu", 0, 0, "takes 0 for ThresholdedRelu's default alpha");
  add("leaky-relu-default-zero", "LeakyRelu", 0, 0, "takes 0 for LeakyRelu's default alpha");
  add("leaky-relu-default-0.3", "LeakyRelu", 0.3F, 0, "takes 0.3 for LeakyRelu's default alpha");
  add("elu-default-zero", "Elu", 0, 0, "takes 0 for Elu's default alpha");
}

void add_mistaken(Table& table) {
  const auto add = [&](const char* id, std::string_view name, ResolvedFunction other, const char* what,
                       const char* blames = "activation alpha? beta?") {
    Needs needs = uses(name);
    if (name == "Sigmoid") needs = Needs(gated) && needs;
    table.push_back({id, blames, what, needs, each_function(name, [other](ResolvedFunction& f) { f = other; })});
  };
  add("relu-as-identity", "Relu", {"Affine", 1, 0}, "takes Relu for the identity");
  add("tanh-as-softsign", "Tanh", {"Softsign", 0, 0}, "takes Tanh for Softsign", "-");
  add("sigmoid-as-hard-sigmoid", "Sigmoid", {"HardSigmoid", 0.2F, 0.5F}, "takes Sigmoid for HardSigmoid", "-");
  add("leaky-relu-as-relu", "LeakyRelu", {"Relu", 0, 0}, "takes LeakyRelu for Relu");
  add("thresholded-relu-as-relu", "ThresholdedRelu", {"Relu", 0, 0}, "takes ThresholdedRelu for Relu");
  add("scaled-tanh-as-tanh", "ScaledTanh", {"Tanh", 0, 0}, "takes ScaledTanh for Tanh");
  add("hard-sigmoid-as-sigmoid", "HardSigmoid", {"Sigmoid", 0, 0}, "takes HardSigmoid for Sigmoid");
  add("elu-as-relu", "Elu", {"Relu", 0, 0}, "takes Elu for Relu");
  add("softsign-as-tanh", "Softsign", {"Tanh", 0, 0}, "takes Softsign for Tanh");
  add("softplus-as-relu", "Softplus", {"Relu", 0, 0}, "takes Softplus for Relu");
  add("affine-as-identity", "Affine", {"Affine", 1, 0}, "takes Affine for the identity");
}

void add_literal(Table& table) {
  table.push_back({"softplus-overflows", "activation regime? alpha? beta?",
                   "evaluates log(1 + e^x), infinite where e^x is", uses("Softplus"),
                   switched([](Faults& f) { f.literal_softplus = true; })});
  const Needs some_tanh = [](const Facts& f) { return uses("Tanh")(f) || uses("ScaledTanh")(f); };
  table.push_back({"tanh-overflows", "regime activation? alpha? beta?",
                   "evaluates (1 - e^-2x) / (1 + e^-2x), NaN where e^-2x is infinite", some_tanh,
                   switched([](Faults& f) { f.literal_tanh = true; })});
}

ResolvedFunction usual_function(Operator op, std::size_t slot) {
  return {slot == 0 && op != Operator::RNN ? "Sigmoid" : "Tanh", 0, 0};
}

void add_slots(Table& table) {
  const std::string slots = "fgh";
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const std::string letter(1, slots[slot]);
    const Needs there = [slot](const Facts& f) { return f.node.directions[0].functions.size() > slot; };
    table.push_back({"activation-" + letter + "-ignored", "activation",
                     "uses the default function " + letter + " whatever the node says", Needs(names_functions) && there,
                     each_direction([slot](const ResolvedNode& node, ResolvedDirection& d) {
                       if (slot < d.functions.size()) d.functions[slot] = usual_function(node.op, slot);
                     })});
  }
  table.push_back({"activations-ignored", "activation", "uses the default functions whatever the node says",
                   names_functions, each_direction([](const ResolvedNode& node, ResolvedDirection& d) {
                     for (std::size_t slot = 0; slot < d.functions.size(); ++slot)
                       d.functions[slot] = usual_function(node.op, slot);
                   })});
  table.push_back({"f-and-g-exchanged", "-", "applies g where f belongs and f where g belongs", gated,
                   each_direction([](const ResolvedNode&, ResolvedDirection& d) {
                     std::swap(d.functions.at(0), d.functions.at(1));
                   })});
  table.push_back({"g-and-h-exchanged", "activation", "applies h where g belongs and g where h belongs",
                   is(Operator::LSTM) && Needs(names_functions),
                   each_direction([](const ResolvedNode&, ResolvedDirection& d) {
                     std::swap(d.functions.at(1), d.functions.at(2));
                   })});
  table.push_back(
      {"g-for-h", "activation", "applies g to the cell where h belongs", is(Operator::LSTM) && Needs(names_functions),
       each_direction([](const ResolvedNode&, ResolvedDirection& d) { d.functions.at(2) = d.functions.at(1); })});
  table.push_back(
      {"h-skipped", "-", "multiplies the output gate with C, not with h(C)", is(Operator::LSTM), [](Sowing& s) {
         for (ResolvedDirection& d : s.node.directions) d.functions.at(2) = {"Affine", 1, 0};
         s.faults.argument_of_h_unclipped = true;
       }});
}

void add_parameters(Table& table) {
  table.push_back({"alpha-in-wrong-slot", "alpha activation direction? beta?",
                   "hands activation_alpha out from the second value on", alphas_given,
                   [](Sowing& s) { rotate_parameters(s.node, &ResolvedFunction::alpha); }});
  table.push_back({"beta-in-wrong-slot", "beta activation direction? alpha?",
                   "hands activation_beta out from the second value on", betas_given,
                   [](Sowing& s) { rotate_parameters(s.node, &ResolvedFunction::beta); }});
  table.push_back({"alpha-of-first-for-all", "alpha activation direction? beta?", "gives all functions the first alpha",
                   alphas_given, [](Sowing& s) { share_first_parameter(s.node, &ResolvedFunction::alpha); }});
  table.push_back({"beta-of-first-for-all", "beta activation direction? alpha?", "gives all functions the first beta",
                   betas_given, [](Sowing& s) { share_first_parameter(s.node, &ResolvedFunction::beta); }});
  table.push_back({"alpha-ignored", "alpha activation direction? beta?", "uses default alphas whatever the node says",
                   alphas_given, [](Sowing& s) { forget_alphas(s.node); }});
  table.push_back({"beta-ignored", "beta activation direction? alpha?", "uses default betas whatever the node says",
                   betas_given, [](Sowing& s) { forget_betas(s.node); }});
  table.push_back({"alpha-negated", "alpha activation direction? beta?", "uses the negative of each alpha",
                   alphas_given, each_direction([](const ResolvedNode&, ResolvedDirection& d) {
                     for (ResolvedFunction& f : d.functions) f.alpha = -f.alpha;
                   })});
}

void add_functions_of_gates(Table& table) {
  const auto add = [&](Operator op, std::size_t gate, char letter, int function) {
    const std::string which(1, letter), applied = function == 0 ? "f" : "g";
    table.push_back({"gate-" + which + "-takes-" + applied, "-", "applies " + applied + " to gate " + which, is(op),
                     switched([=](Faults& f) { f.gates[gate].function = function; })});
  };
  add(Operator::LSTM, 0, 'i', 1);
  add(Operator::LSTM, 1, 'o', 1);
  add(Operator::LSTM, 2, 'f', 1);
  add(Operator::LSTM, 3, 'c', 0);
  add(Operator::GRU, 0, 'z', 1);
  add(Operator::GRU, 1, 'r', 1);
  add(Operator::GRU, 2, 'h', 0);
}

void scale_clip(ResolvedNode& node, float factor) {
  if (node.clip) node.clip = *node.clip * factor;
}

}  // namespace

Table clip_mutants() {
  Table table;
  const auto add = [&](std::string id, std::string what, Needs needs, Sow sow) {
    table.push_back({std::move(id), "clip", std::move(what), Needs(clips) && std::move(needs), std::move(sow)});
  };
  add("clip-ignored", "does not clip", anything, [](Sowing& s) { s.node.clip.reset(); });
  add("clip-after-function", "clips what the functions return, not what they are given", anything,
      switched([](Faults& f) { f.clip_after_function = true; }));
  add("clip-upper-side-only", "clips at +clip, not at -clip", anything,
      switched([](Faults& f) { f.clip_upper_side_only = true; }));
  add("clip-lower-side-only", "clips at -clip, not at +clip", anything,
      switched([](Faults& f) { f.clip_lower_side_only = true; }));
  add("clip-halved", "clips at half the threshold", anything, [](Sowing& s) { scale_clip(s.node, 0.5F); });
  add("clip-doubled", "clips at twice the threshold", anything, [](Sowing& s) { scale_clip(s.node, 2); });
  add("clip-squared", "clips at the square of the threshold", anything,
      [](Sowing& s) { scale_clip(s.node, s.node.clip.value_or(0)); });
  add("clip-on-argument-of-h-only", "clips the argument of h, not those of the gates", is(Operator::LSTM),
      switched([](Faults& f) {
        for (GateFault& gate : f.gates) gate.unclipped = true;
      }));
  const Needs unclipped = [](const Facts& facts) { return !clips(facts); };
  table.push_back(
      {"clips-above-by-default", "-", "clips at 1, but not at -1, although no clip is given", unclipped, [](Sowing& s) {
         s.node.clip = 1.0F;
         s.faults.clip_upper_side_only = true;
       }});
  for (const Operator op : {Operator::LSTM, Operator::GRU}) {
    const std::string letters = letters_of(op);
    for (std::size_t gate = 0; gate < letters.size(); ++gate) {
      add(std::string("clip-forgets-gate-") + letters[gate],
          std::string("does not clip the argument of gate ") + letters[gate], is(op),
          switched([gate](Faults& f) { f.gates[gate].unclipped = true; }));
    }
  }
  return table;
}

Table function_mutants() {
  Table table;
  add_slots(table);
  add_functions_of_gates(table);
  add_parameters(table);
  add_ignored_parameters(table);
  add_wrong_defaults(table);
  add_mistaken(table);
  add_literal(table);
  return table;
}

Table gate_mutants() {
  Table table;
  const auto add = [&](const char* id, const char* what, Operator op, std::size_t gate, void (*change)(GateFault&)) {
    table.push_back({id, "-", what, is(op), switched([=](Faults& f) { change(f.gates[gate]); })});
  };
  const auto one = [](GateFault& gate) { gate.value = 1; };
  const auto none = [](GateFault& gate) { gate.value = 0; };
  const auto other_way = [](GateFault& gate) { gate.complemented = true; };
  add("input-gate-ignored", "leaves out the input gate", Operator::LSTM, 0, one);
  add("output-gate-ignored", "leaves out the output gate", Operator::LSTM, 1, one);
  add("forget-gate-ignored", "never forgets", Operator::LSTM, 2, one);
  add("cell-not-carried", "starts every step from an empty cell", Operator::LSTM, 2, none);
  add("reset-gate-ignored", "leaves out the reset gate", Operator::GRU, 1, one);
  add("update-gate-ignored", "takes the candidate for the new state", Operator::GRU, 0, none);
  add("update-gate-complemented", "keeps z of the candidate and 1 - z of the old state", Operator::GRU, 0, other_way);
  add("reset-gate-complemented", "resets by 1 - r", Operator::GRU, 1, other_way);
  add("forget-gate-complemented", "forgets f and keeps 1 - f", Operator::LSTM, 2, other_way);
  add("output-gate-complemented", "shows 1 - o", Operator::LSTM, 1, other_way);
  const Needs uncoupled = [](const Facts& f) { return f.node.op == Operator::LSTM && !f.node.coupled; };
  table[2].needs = table[3].needs = table[8].needs = uncoupled;

  table.push_back({"input-forget-ignored", "input_forget",
                   "computes the forget gate by itself although the gates are coupled",
                   is(Operator::LSTM) && Needs(coupled), [](Sowing& s) { s.node.coupled = false; }});
  table.push_back({"always-coupled", "-", "couples the gates although nobody asked for it", uncoupled,
                   [](Sowing& s) { s.node.coupled = true; }});
  const Needs linear = [](const Facts& f) { return f.node.op == Operator::GRU && f.node.linear_before_reset; };
  const Needs not_linear = [](const Facts& f) { return f.node.op == Operator::GRU && !f.node.linear_before_reset; };
  const auto flip = [](Sowing& s) { s.node.linear_before_reset = !s.node.linear_before_reset; };
  table.push_back({"linear-before-reset-ignored", "linear_before_reset",
                   "resets the state before the product although linear_before_reset is set", linear, flip});
  table.push_back({"linear-before-reset-always", "-", "resets the product although linear_before_reset is not set",
                   not_linear, flip});
  table.push_back({"rbh-outside-reset", "linear_before_reset input.B", "adds Rbh outside the reset gate's product",
                   linear && has(input::B), switched([](Faults& f) { f.recurrent_bias_outside_reset = true; })});
  table.push_back({"bias-halves-exchanged", "linear_before_reset input.B", "takes Wb for Rb and the other way round",
                   linear && has(input::B),
                   each_direction([](const ResolvedNode&, ResolvedDirection& d) { std::swap(d.Wb, d.Rb); })});
  table.push_back({"recurrent-weights-ignored", "-", "leaves out the product with R", anything,
                   each_direction([](const ResolvedNode&, ResolvedDirection& d) { scale(d.R, 0); })});
  return table;
}

}  // namespace cellproof::lab::mutants
