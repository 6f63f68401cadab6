// Mutants of clip, of the functions and of the gates' algebra.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/mutants/node_changes.hpp"
#include "lab/mutants/tables.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::lab::mutants {
namespace {

using Change = std::function<void(ResolvedFunction&)>;

Sow each_function(std::string_view name, const Change& change) {
  return each_direction([=](ResolvedDirection& direction) {
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

/// The activation whose name, in lower case with hyphens, is in the id.
std::string_view function_of(const FaultInfo& info) {
  std::string letters = info.member;
  std::erase(letters, '-');
  return activation_named(letters)->name;
}

void add_ignored_parameters(Table& table) {
  for (const FaultInfo& info : fault_family("{}-alpha-ignored")) {
    const std::string_view name = function_of(info);
    table.add(info.id, Needs(alphas_given) && uses(name),
              each_function(name, [name](ResolvedFunction& f) { f.alpha = usual_alpha(name); }));
  }
  for (const FaultInfo& info : fault_family("{}-beta-ignored")) {
    const std::string_view name = function_of(info);
    table.add(info.id, Needs(betas_given) && uses(name),
              each_function(name, [name](ResolvedFunction& f) { f.beta = usual_beta(name); }));
    table.add(info.member + "-parameters-exchanged", uses(name),
              each_function(name, [](ResolvedFunction& f) { std::swap(f.alpha, f.beta); }));
  }
}

void add_wrong_defaults(Table& table) {
  const auto add = [&](std::string_view id, std::string_view name, float alpha, float beta) {
    table.add(id, uses(name), each_function(name, [=](ResolvedFunction& f) {
                if (f.alpha == usual_alpha(name) && f.beta == usual_beta(name)) f = {f.name, alpha, beta};
              }));
  };
  add("hard-sigmoid-one-sixth", "HardSigmoid", 1.0F / 6, 0.5F);
  add("hard-sigmoid-default-zero", "HardSigmoid", 0, 0);
  add("thresholded-relu-default-zero", "ThresholdedRelu", 0, 0);
  add("leaky-relu-default-zero", "LeakyRelu", 0, 0);
  add("leaky-relu-default-0.3", "LeakyRelu", 0.3F, 0);
  add("elu-default-zero", "Elu", 0, 0);
  add("elu-default-1.67", "Elu", 1.67F, 0);
  add("leaky-relu-default-0.1", "LeakyRelu", 0.1F, 0);
  add("leaky-relu-default-0.2", "LeakyRelu", 0.2F, 0);
  add("thresholded-relu-default-0.5", "ThresholdedRelu", 0.5F, 0);
  add("hard-sigmoid-default-one", "HardSigmoid", 1, 0);
  add("hard-sigmoid-default-half", "HardSigmoid", 0.5F, 0.5F);
}

void add_mistaken(Table& table) {
  const auto add = [&](std::string_view id, std::string_view name, ResolvedFunction other) {
    table.add(id, uses(name), each_function(name, [other](ResolvedFunction& f) { f = other; }));
  };
  add("relu-as-identity", "Relu", {"Affine", 1, 0});
  add("tanh-as-softsign", "Tanh", {"Softsign", 0, 0});
  add("sigmoid-as-hard-sigmoid", "Sigmoid", {"HardSigmoid", 0.2F, 0.5F});
  add("leaky-relu-as-relu", "LeakyRelu", {"Relu", 0, 0});
  add("thresholded-relu-as-relu", "ThresholdedRelu", {"Relu", 0, 0});
  add("scaled-tanh-as-tanh", "ScaledTanh", {"Tanh", 0, 0});
  add("hard-sigmoid-as-sigmoid", "HardSigmoid", {"Sigmoid", 0, 0});
  add("elu-as-relu", "Elu", {"Relu", 0, 0});
  add("softsign-as-tanh", "Softsign", {"Tanh", 0, 0});
  add("softplus-as-relu", "Softplus", {"Relu", 0, 0});
  add("affine-as-identity", "Affine", {"Affine", 1, 0});
}

void add_fallbacks(Table& table) {
  const auto add = [&](std::string_view family, ResolvedFunction other) {
    for (const FaultInfo& info : fault_family(family)) {
      const std::string_view name = function_of(info);
      table.add(info.id, uses(name), each_function(name, [other](ResolvedFunction& f) { f = other; }));
    }
  };
  add("{}-as-tanh", {"Tanh", 0, 0});
  add("{}-as-sigmoid", {"Sigmoid", 0, 0});
  add("{}-as-identity", {"Affine", 1, 0});
}

void add_wrong_bodies(Table& table) {
  const auto add = [&](std::string_view id, std::string_view name, ResolvedFunction (*body)(const ResolvedFunction&)) {
    table.add(id, uses(name), each_function(name, [body](ResolvedFunction& f) { f = body(f); }));
  };
  using F = ResolvedFunction;
  add("hard-sigmoid-without-bounds", "HardSigmoid", [](const F& f) { return F{"Affine", f.alpha, f.beta}; });
  add("affine-adds-before-scaling", "Affine", [](const F& f) { return F{f.name, f.alpha, f.alpha * f.beta}; });
  add("elu-as-leaky-relu", "Elu", [](const F& f) { return F{"LeakyRelu", f.alpha, 0}; });
  add("leaky-relu-as-elu", "LeakyRelu", [](const F& f) { return F{"Elu", f.alpha, 0}; });
  add("thresholded-relu-as-leaky-relu", "ThresholdedRelu", [](const F& f) { return F{"LeakyRelu", f.alpha, 0}; });
  add("tanh-of-half", "Tanh", [](const F&) { return F{"ScaledTanh", 1, 0.5F}; });
  add("tanh-of-double", "Tanh", [](const F&) { return F{"ScaledTanh", 1, 2}; });
  add("sigmoid-as-tanh-of-half", "Sigmoid", [](const F&) { return F{"ScaledTanh", 1, 0.5F}; });
}

void add_literal(Table& table) {
  table.add("softplus-overflows", uses("Softplus"), switched(&Faults::literal_softplus, true));
  const Needs some_tanh = [](const Facts& f) { return uses("Tanh")(f) || uses("ScaledTanh")(f); };
  table.add("tanh-overflows", some_tanh, switched(&Faults::literal_tanh, true));
  const Needs bounding = [](const Facts& f) { return uses("Sigmoid")(f) || uses("Tanh")(f); };
  table.add("nan-bounded-above", bounding, switched(&Faults::bounded_nan, 1));
  table.add("nan-bounded-below", bounding, switched(&Faults::bounded_nan, -1));
}

ResolvedFunction usual_function(Operator op, std::size_t slot) {
  return {slot == 0 && op != Operator::RNN ? "Sigmoid" : "Tanh", 0, 0};
}

void add_slots(Table& table) {
  const std::string slots = "fgh";
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const std::string letter(1, slots[slot]);
    const Needs there = [slot](const Facts& f) { return f.node.directions[0].functions.size() > slot; };
    table.add("activation-" + letter + "-ignored", Needs(names_functions) && there,
              each_direction([slot](const ResolvedNode& node, ResolvedDirection& d) {
                if (slot < d.functions.size()) d.functions[slot] = usual_function(node.op, slot);
              }));
  }
  table.add("activations-ignored", names_functions, each_direction([](const ResolvedNode& node, ResolvedDirection& d) {
              for (std::size_t slot = 0; slot < d.functions.size(); ++slot)
                d.functions[slot] = usual_function(node.op, slot);
            }));
  table.add("f-and-g-exchanged", anything,
            each_direction([](ResolvedDirection& d) { std::swap(d.functions.at(0), d.functions.at(1)); }));
  table.add("g-and-h-exchanged", Needs(names_functions),
            each_direction([](ResolvedDirection& d) { std::swap(d.functions.at(1), d.functions.at(2)); }));
  table.add("g-for-h", Needs(names_functions),
            each_direction([](ResolvedDirection& d) { d.functions.at(2) = d.functions.at(1); }));
  table.add("h-skipped", anything, [](Sowing& s) {
    for (ResolvedDirection& d : s.node.directions) d.functions.at(2) = {"Affine", 1, 0};
    s.faults.argument_of_h_unclipped = true;
  });
}

void add_parameters(Table& table) {
  table.add("alpha-in-wrong-slot", alphas_given,
            [](Sowing& s) { rotate_parameters(s.node, &ResolvedFunction::alpha); });
  table.add("beta-in-wrong-slot", betas_given, [](Sowing& s) { rotate_parameters(s.node, &ResolvedFunction::beta); });
  table.add("alpha-of-first-for-all", alphas_given,
            [](Sowing& s) { share_first_parameter(s.node, &ResolvedFunction::alpha); });
  table.add("beta-of-first-for-all", betas_given,
            [](Sowing& s) { share_first_parameter(s.node, &ResolvedFunction::beta); });
  table.add("alpha-ignored", alphas_given, [](Sowing& s) { forget_alphas(s.node); });
  table.add("beta-ignored", betas_given, [](Sowing& s) { forget_betas(s.node); });
  table.add("alpha-negated", alphas_given, each_direction([](ResolvedDirection& d) {
              for (ResolvedFunction& f : d.functions) f.alpha = -f.alpha;
            }));
}

void add_functions_of_gates(Table& table) {
  const auto add = [&](std::string_view id, int function) {
    table.add(id, anything,
              switched([function, gate = gate_of(fault_info(id))](Faults& f) { f.gates[gate].function = function; }));
  };
  for (const char* id : {"gate-i-takes-g", "gate-o-takes-g", "gate-f-takes-g"}) add(id, 1);
  add("gate-c-takes-f", 0);
  for (const char* id : {"gate-z-takes-g", "gate-r-takes-g"}) add(id, 1);
  add("gate-h-takes-f", 0);
}

void scale_clip(ResolvedNode& node, float factor) {
  if (node.clip) node.clip = *node.clip * factor;
}

}  // namespace

Table clip_mutants() {
  Table table;
  const auto add = [&](std::string_view id, Sow sow) { table.add(id, clips, std::move(sow)); };
  add("clip-ignored", [](Sowing& s) { s.node.clip.reset(); });
  add("clip-after-function", switched(&Faults::clip_after_function, true));
  add("clip-upper-side-only", switched(&Faults::clip_upper_side_only, true));
  add("clip-lower-side-only", switched(&Faults::clip_lower_side_only, true));
  add("clip-halved", [](Sowing& s) { scale_clip(s.node, 0.5F); });
  add("clip-doubled", [](Sowing& s) { scale_clip(s.node, 2); });
  add("clip-squared", [](Sowing& s) { scale_clip(s.node, s.node.clip.value_or(0)); });
  add("clip-is-one", [](Sowing& s) { s.node.clip = s.node.clip ? std::optional(1.0F) : std::nullopt; });
  add("clip-on-x-part", switched(&Faults::clip_x_part, true));
  add("clip-on-h-part", switched(&Faults::clip_h_part, true));
  add("clip-on-both-parts", switched([](Faults& f) { f.clip_x_part = f.clip_h_part = true; }));
  table.add("clip-before-peepholes", Needs(clips) && has(input::P), switched([](Faults& f) {
              f.clip_before_peephole = true;
              for (const std::size_t gate : {0, 1, 2}) f.gates[gate].unclipped = true;
            }));
  const auto only = [](Faults& f, std::size_t clipped) {
    f.argument_of_h_unclipped = true;
    for (std::size_t gate = 0; gate < f.gates.size(); ++gate) f.gates[gate].unclipped = gate != clipped;
  };
  add("clip-on-cell-only", switched([only](Faults& f) {
        f.clip_stored_cell = true;
        only(f, f.gates.size());
      }));
  for (const FaultInfo& info : fault_family("clip-on-gate-{}-only"))
    add(info.id, switched([only, gate = gate_of(info)](Faults& f) { only(f, gate); }));
  add("clip-on-argument-of-h-only", switched([](Faults& f) {
        for (GateFault& gate : f.gates) gate.unclipped = true;
      }));
  const Needs unclipped = [](const Facts& facts) { return !clips(facts); };
  table.add("clips-above-by-default", unclipped, [](Sowing& s) {
    s.node.clip = 1.0F;
    s.faults.clip_upper_side_only = true;
  });
  const Needs with_bias = [](const Facts& facts) { return facts.problem.input(input::B) != nullptr; };
  const Needs without_bias = [](const Facts& facts) { return facts.problem.input(input::B) == nullptr; };
  table.add("nan-clipped-with-bias", Needs(unclipped) && with_bias, [](Sowing& s) {
    s.node.clip = std::numeric_limits<float>::max();
    s.faults.argument_of_h_unclipped = s.faults.clip_takes_nan = true;
  });
  table.add("infinity-clipped-without-bias", Needs(unclipped) && without_bias, [](Sowing& s) {
    s.node.clip = std::numeric_limits<float>::max();
    s.faults.argument_of_h_unclipped = true;
  });
  for (const FaultInfo& info : fault_family("clip-forgets-gate-{}"))
    add(info.id, switched([gate = gate_of(info)](Faults& f) { f.gates[gate].unclipped = true; }));
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
  add_fallbacks(table);
  add_wrong_bodies(table);
  add_literal(table);
  return table;
}

Table gate_mutants() {
  Table table;
  const auto add = [&](std::string_view id, std::size_t gate, void (*change)(GateFault&)) {
    table.add(id, anything, switched([=](Faults& f) { change(f.gates[gate]); }));
  };
  const auto one = [](GateFault& gate) { gate.value = 1; };
  const auto none = [](GateFault& gate) { gate.value = 0; };
  const auto other_way = [](GateFault& gate) { gate.complemented = true; };
  add("input-gate-ignored", 0, one);
  add("output-gate-ignored", 1, one);
  add("forget-gate-ignored", 2, one);
  add("cell-not-carried", 2, none);
  add("reset-gate-ignored", 1, one);
  add("update-gate-ignored", 0, none);
  add("update-gate-complemented", 0, other_way);
  add("reset-gate-complemented", 1, other_way);
  add("forget-gate-complemented", 2, other_way);
  add("output-gate-complemented", 1, other_way);
  const Needs uncoupled = [](const Facts& f) { return !f.node.coupled; };
  table[2].needs = table[3].needs = table[8].needs = uncoupled;

  table.add("input-forget-ignored", Needs(coupled), [](Sowing& s) { s.node.coupled = false; });
  table.add("always-coupled", uncoupled, [](Sowing& s) { s.node.coupled = true; });
  const Needs linear = [](const Facts& f) { return f.node.linear_before_reset; };
  const Needs not_linear = [](const Facts& f) { return !f.node.linear_before_reset; };
  const auto flip = [](Sowing& s) { s.node.linear_before_reset = !s.node.linear_before_reset; };
  table.add("linear-before-reset-ignored", linear, flip);
  table.add("linear-before-reset-always", not_linear, flip);
  table.add("rbh-outside-reset", linear && has(input::B), switched(&Faults::recurrent_bias_outside_reset, true));
  table.add("bias-halves-exchanged", linear && has(input::B),
            each_direction([](ResolvedDirection& d) { std::swap(d.Wb, d.Rb); }));
  return table;
}

}  // namespace cellproof::lab::mutants
