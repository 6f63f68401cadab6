// Faults of clip, of the activation functions and of the gates' algebra.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

using Kind = ActivationKind;

Fault of_clip(std::string id, std::string what, std::vector<Operator> operators, std::function<void(Cell&)> change) {
  return of_cell(std::move(id), "clip", FaultClass::Clip, std::move(what), std::move(operators), clips,
                 [change = std::move(change)](Cell& cell, const CellSource&) { change(cell); });
}

Fault of_functions(std::string id, std::string blames, std::string what, std::vector<Operator> operators, Needs needs,
                   std::function<void(Cell&)> change) {
  return of_cell(std::move(id), std::move(blames), FaultClass::Activation, std::move(what), std::move(operators),
                 std::move(needs), [change = std::move(change)](Cell& cell, const CellSource&) { change(cell); });
}

std::size_t slots_of(Operator op) {
  return static_cast<std::size_t>(activation_count(op));
}

Activation default_function(Operator op, std::size_t slot) {
  return {.kind = op != Operator::RNN && slot == 0 ? Kind::Sigmoid : Kind::Tanh};
}

bool names_functions(const Problem& problem) {
  return problem.attributes.activations.has_value();
}

bool has_alphas(const Problem& problem) {
  return problem.attributes.activation_alpha.has_value();
}
bool has_betas(const Problem& problem) {
  return problem.attributes.activation_beta.has_value();
}

struct Parametrised {
  Kind kind;
  const char* name;
  const char* id;
  double alpha, beta;  ///< the defaults
  bool takes_beta;
};
constexpr Parametrised parametrised[] = {
    {Kind::Affine, "Affine", "affine", 1, 0, true},
    {Kind::LeakyRelu, "LeakyRelu", "leaky-relu", 0.01F, 0, false},
    {Kind::ThresholdedRelu, "ThresholdedRelu", "thresholded-relu", 1, 0, false},
    {Kind::ScaledTanh, "ScaledTanh", "scaled-tanh", 1, 1, true},
    {Kind::HardSigmoid, "HardSigmoid", "hard-sigmoid", 0.2F, 0.5, true},
    {Kind::Elu, "Elu", "elu", 1, 0, false},
};
const Parametrised* parametrised_by(Kind kind) {
  const auto found = std::ranges::find(parametrised, kind, &Parametrised::kind);
  return found == std::end(parametrised) ? nullptr : &*found;
}

/// The functions of a cell that are of this kind.
void each(Cell& cell, Kind kind, const std::function<void(Activation&)>& change) {
  for (std::size_t slot = 0; slot < slots_of(cell.op); ++slot) {
    if (cell.activation[slot].kind == kind) change(cell.activation[slot]);
  }
}

void add_ignored_parameters(Table& table) {
  for (const Parametrised& p : parametrised) {
    table.push_back(of_functions(fmt::format("{}-alpha-ignored", p.id), "alpha activation beta?",
                                 fmt::format("gives {} its default alpha whatever the node says", p.name), every_cell,
                                 both(has_alphas, uses(p.kind)),
                                 [p](Cell& cell) { each(cell, p.kind, [&](Activation& f) { f.alpha = p.alpha; }); }));
    if (!p.takes_beta) continue;
    table.push_back(of_functions(fmt::format("{}-beta-ignored", p.id), "beta activation alpha?",
                                 fmt::format("gives {} its default beta whatever the node says", p.name), every_cell,
                                 both(has_betas, uses(p.kind)),
                                 [p](Cell& cell) { each(cell, p.kind, [&](Activation& f) { f.beta = p.beta; }); }));
    table.push_back(of_functions(
        fmt::format("{}-parameters-exchanged", p.id), "activation alpha? beta?",
        fmt::format("takes {}'s alpha for its beta and the other way round", p.name), every_cell, uses(p.kind),
        [p](Cell& cell) { each(cell, p.kind, [](Activation& f) { std::swap(f.alpha, f.beta); }); }));
  }
}

struct WrongDefault {
  const char* id;
  Kind kind;
  double alpha, beta;
  const char* what;
};
constexpr WrongDefault wrong_defaults[] = {
    {"hard-sigmoid-one-sixth", Kind::HardSigmoid, 1.0F / 6, 0.5, "takes 1/6 for HardSigmoid's default alpha"},
    {"hard-sigmoid-default-zero", Kind::HardSigmoid, 0, 0, "takes 0 for HardSigmoid's default alpha and beta"},
    {"thresholded-relu-default-zero", Kind::ThresholdedRelu, 0, 0, "takes 0 for ThresholdedRelu's default alpha"},
    {"leaky-relu-default-zero", Kind::LeakyRelu, 0, 0, "takes 0 for LeakyRelu's default alpha"},
    {"leaky-relu-default-0.3", Kind::LeakyRelu, 0.3F, 0, "takes 0.3 for LeakyRelu's default alpha"},
    {"elu-default-zero", Kind::Elu, 0, 0, "takes 0 for Elu's default alpha"},
};

void add_wrong_defaults(Table& table) {
  for (const WrongDefault& wrong : wrong_defaults) {
    table.push_back(of_functions(wrong.id, "activation", wrong.what, every_cell, uses(wrong.kind), [wrong](Cell& cell) {
      const Parametrised& right = *parametrised_by(wrong.kind);
      each(cell, wrong.kind, [&](Activation& f) {
        if (f.alpha != right.alpha || f.beta != right.beta) return;
        f.alpha = wrong.alpha;
        f.beta = wrong.beta;
      });
    }));
  }
}

struct Mistaken {
  const char* id;
  Kind kind;
  Activation taken_for;
  const char* what;
};
const Mistaken mistaken[] = {
    {"relu-as-identity", Kind::Relu, {Kind::Affine, 1, 0}, "takes Relu for the identity"},
    {"tanh-as-softsign", Kind::Tanh, {Kind::Softsign}, "takes Tanh for Softsign"},
    {"sigmoid-as-hard-sigmoid", Kind::Sigmoid, {Kind::HardSigmoid, 0.2F, 0.5}, "takes Sigmoid for HardSigmoid"},
    {"leaky-relu-as-relu", Kind::LeakyRelu, {Kind::Relu}, "takes LeakyRelu for Relu"},
    {"thresholded-relu-as-relu", Kind::ThresholdedRelu, {Kind::Relu}, "takes ThresholdedRelu for Relu"},
    {"scaled-tanh-as-tanh", Kind::ScaledTanh, {Kind::Tanh}, "takes ScaledTanh for Tanh"},
    {"hard-sigmoid-as-sigmoid", Kind::HardSigmoid, {Kind::Sigmoid}, "takes HardSigmoid for Sigmoid"},
    {"elu-as-relu", Kind::Elu, {Kind::Relu}, "takes Elu for Relu"},
    {"softsign-as-tanh", Kind::Softsign, {Kind::Tanh}, "takes Softsign for Tanh"},
    {"softplus-as-relu", Kind::Softplus, {Kind::Relu}, "takes Softplus for Relu"},
    {"affine-as-identity", Kind::Affine, {Kind::Affine, 1, 0}, "takes Affine for the identity"},
};

void add_mistaken_functions(Table& table) {
  for (const Mistaken& m : mistaken) {
    const bool usual = m.kind == Kind::Tanh || m.kind == Kind::Sigmoid;
    table.push_back(of_functions(m.id, usual ? "-" : "activation alpha? beta?", m.what,
                                 m.kind == Kind::Sigmoid ? gated : every_cell, uses(m.kind),
                                 [m](Cell& cell) { each(cell, m.kind, [&](Activation& f) { f = m.taken_for; }); }));
  }
}

void add_slots(Table& table) {
  constexpr std::string_view slots = "fgh";
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const std::vector<Operator> operators = slot == 0 ? every_cell : slot == 1 ? gated : only_lstm;
    table.push_back(of_functions(fmt::format("activation-{}-ignored", slots[slot]), "activation",
                                 fmt::format("uses the default function {} whatever the node says", slots[slot]),
                                 operators, names_functions,
                                 [slot](Cell& cell) { cell.activation[slot] = default_function(cell.op, slot); }));
  }
  table.push_back(of_functions("activations-ignored", "activation", "uses the default functions whatever the node says",
                               every_cell, names_functions, [](Cell& cell) {
                                 for (std::size_t slot = 0; slot < slots_of(cell.op); ++slot)
                                   cell.activation[slot] = default_function(cell.op, slot);
                               }));
  table.push_back(of_functions("f-and-g-exchanged", "-", "applies g where f belongs and f where g belongs", gated,
                               always, [](Cell& cell) { std::swap(cell.activation[0], cell.activation[1]); }));
  table.push_back(of_functions("g-and-h-exchanged", "activation", "applies h where g belongs and g where h belongs",
                               only_lstm, names_functions,
                               [](Cell& cell) { std::swap(cell.activation[1], cell.activation[2]); }));
  table.push_back(of_functions("g-for-h", "activation", "applies g to the cell where h belongs", only_lstm,
                               names_functions, [](Cell& cell) { cell.activation[2] = cell.activation[1]; }));
  table.push_back(of_functions("h-skipped", "-", "multiplies the output gate with C, not with h(C)", only_lstm, always,
                               [](Cell& cell) {
                                 cell.activation[2] = {Kind::Affine, 1, 0};
                                 cell.switches.clips_argument_of_h = false;
                               }));
}

/// The functions of both directions in one row.
std::vector<Activation> whole_list(const CellSource& source) {
  std::vector<Activation> list;
  for (int d = 0; d < static_cast<int>(dimensions_of(source.problem).D); ++d) {
    const auto functions = activations_of(source.problem, source.readings, d);
    list.insert(list.end(), functions.begin(),
                functions.begin() + static_cast<std::ptrdiff_t>(slots_of(source.problem.version.op)));
  }
  return list;
}

/// The values of one parameter handed out in another way among the functions of the list that take one.
CellChange handed_out(double Activation::*parameter, bool (*takes)(const Parametrised&),
                      void (*change)(std::vector<double>&)) {
  return [=](Cell& cell, const CellSource& source) {
    std::vector<Activation> list = whole_list(source);
    const auto takers = [&](const std::function<void(Activation&)>& visit) {
      for (Activation& function : list) {
        const Parametrised* p = parametrised_by(function.kind);
        if (p && takes(*p)) visit(function);
      }
    };
    std::vector<double> values;
    takers([&](Activation& f) { values.push_back(f.*parameter); });
    if (values.empty()) return;
    change(values);
    std::size_t next = 0;
    takers([&](Activation& f) { f.*parameter = values[next++]; });
    const std::size_t slots = slots_of(cell.op);
    std::copy_n(list.begin() + source.direction * static_cast<std::ptrdiff_t>(slots), slots, cell.activation.begin());
  };
}

void move_on(std::vector<double>& values) {
  std::rotate(values.begin(), values.begin() + 1, values.end());
}
void repeat_first(std::vector<double>& values) {
  std::ranges::fill(values, double{values.front()});
}

void add_parameters(Table& table) {
  const auto any = [](const Parametrised&) { return true; };
  const auto beta = [](const Parametrised& p) { return p.takes_beta; };
  const auto add = [&](const char* id, const char* blames, const char* what, Needs needs, CellChange change) {
    table.push_back(of_cell(id, blames, FaultClass::Activation, what, every_cell, std::move(needs), std::move(change)));
  };
  add("alpha-in-wrong-slot", "alpha activation direction? beta?", "hands activation_alpha out from the second value on",
      has_alphas, handed_out(&Activation::alpha, any, move_on));
  add("beta-in-wrong-slot", "beta activation direction? alpha?", "hands activation_beta out from the second value on",
      has_betas, handed_out(&Activation::beta, beta, move_on));
  add("alpha-of-first-for-all", "alpha activation direction? beta?", "gives all functions the first alpha", has_alphas,
      handed_out(&Activation::alpha, any, repeat_first));
  add("beta-of-first-for-all", "beta activation direction? alpha?", "gives all functions the first beta", has_betas,
      handed_out(&Activation::beta, beta, repeat_first));
  const auto by_default = [](double Activation::*parameter, double Parametrised::*usual) {
    return [=](Cell& cell, const CellSource&) {
      for (std::size_t slot = 0; slot < slots_of(cell.op); ++slot) {
        const Parametrised* p = parametrised_by(cell.activation[slot].kind);
        if (p) cell.activation[slot].*parameter = p->*usual;
      }
    };
  };
  add("alpha-ignored", "alpha activation direction? beta?", "uses default alphas whatever the node says", has_alphas,
      by_default(&Activation::alpha, &Parametrised::alpha));
  add("beta-ignored", "beta activation direction? alpha?", "uses default betas whatever the node says", has_betas,
      by_default(&Activation::beta, &Parametrised::beta));
  add("alpha-negated", "alpha activation direction? beta?", "uses the negative of each alpha", has_alphas,
      [](Cell& cell, const CellSource&) {
        for (Activation& function : cell.activation) function.alpha = -function.alpha;
      });
}

/// Formulas taken as they are printed (mathematical-value).
void add_literal_formulas(Table& table) {
  table.push_back(of_functions("softplus-overflows", "activation regime? alpha? beta?",
                               "evaluates log(1 + e^x), infinite where e^x is", every_cell, uses(Kind::Softplus),
                               [](Cell& cell) { cell.switches.softplus_overflows = true; }));
  table.push_back(of_functions(
      "tanh-overflows", "regime activation? alpha? beta?",
      "evaluates (1 - e^-2x) / (1 + e^-2x), NaN where e^-2x is infinite", every_cell,
      [](const Problem& p) { return uses(Kind::Tanh)(p) || uses(Kind::ScaledTanh)(p); },
      [](Cell& cell) { cell.switches.tanh_overflows = true; }));
}

void add_functions_of_gates(Table& table) {
  const std::pair<Operator, const char*> gates_of_f[] = {{Operator::LSTM, "iof"}, {Operator::GRU, "zr"}};
  for (const auto& [op, letters] : gates_of_f) {
    for (const char letter : std::string_view(letters)) {
      const std::size_t gate = gate_letters(op).find(letter);
      table.push_back(of_step(fmt::format("gate-{}-takes-g", letter), "-", FaultClass::Activation,
                              fmt::format("applies g to gate {}", letter), {op}, always,
                              [gate](StepSwitches& s) { s.gates[gate].function = 1; }));
    }
    const char last = gate_letters(op).back();
    table.push_back(of_step(fmt::format("gate-{}-takes-f", last), "-", FaultClass::Activation,
                            fmt::format("applies f to gate {}", last), {op}, always,
                            [gate = gate_letters(op).size() - 1](StepSwitches& s) { s.gates[gate].function = 0; }));
  }
}

}  // namespace

Table clipping() {
  Table table;
  table.push_back(of_clip("clip-ignored", "does not clip", every_cell, [](Cell& cell) { cell.clip.reset(); }));
  table.push_back(of_clip("clip-after-function", "clips what the functions return, not what they are given", every_cell,
                          [](Cell& cell) { cell.switches.clips_results = true; }));
  table.push_back(of_clip("clip-upper-side-only", "clips at +clip, not at -clip", every_cell,
                          [](Cell& cell) { cell.switches.clips_below = false; }));
  table.push_back(of_clip("clip-lower-side-only", "clips at -clip, not at +clip", every_cell,
                          [](Cell& cell) { cell.switches.clips_above = false; }));
  table.push_back(
      of_clip("clip-halved", "clips at half the threshold", every_cell, [](Cell& cell) { *cell.clip /= 2; }));
  table.push_back(
      of_clip("clip-doubled", "clips at twice the threshold", every_cell, [](Cell& cell) { *cell.clip *= 2; }));
  table.push_back(of_clip("clip-squared", "clips at the square of the threshold", every_cell,
                          [](Cell& cell) { *cell.clip *= *cell.clip; }));
  table.push_back(of_clip("clip-on-argument-of-h-only", "clips the argument of h, not those of the gates", only_lstm,
                          [](Cell& cell) {
                            for (GateSwitches& gate : cell.switches.gates) gate.clipped = false;
                          }));
  table.push_back(of_cell(
      "clips-above-by-default", "-", FaultClass::Clip, "clips at 1, but not at -1, although no clip is given",
      every_cell, [](const Problem& problem) { return !clips(problem); },
      [](Cell& cell, const CellSource&) {
        cell.clip = 1;
        cell.switches.clips_below = false;
      }));
  for (const Operator op : {Operator::LSTM, Operator::GRU}) {
    const std::string_view letters = gate_letters(op);
    for (std::size_t gate = 0; gate < letters.size(); ++gate) {
      table.push_back(of_clip(fmt::format("clip-forgets-gate-{}", letters[gate]),
                              fmt::format("does not clip the argument of gate {}", letters[gate]), {op},
                              [gate](Cell& cell) { cell.switches.gates[gate].clipped = false; }));
    }
  }
  return table;
}

Table functions() {
  Table table;
  add_slots(table);
  add_functions_of_gates(table);
  add_parameters(table);
  add_ignored_parameters(table);
  add_wrong_defaults(table);
  add_mistaken_functions(table);
  add_literal_formulas(table);
  return table;
}

Table gates() {
  Table table;
  const auto add = [&](std::string id, std::string what, Operator op, char letter, auto change) {
    const std::size_t gate = gate_letters(op).find(letter);
    table.push_back(of_step(std::move(id), "-", FaultClass::GateOrder, std::move(what), {op}, always,
                            [gate, change](StepSwitches& s) { change(s.gates[gate]); }));
  };
  const auto one = [](GateSwitches& gate) { gate.constant = 1; };
  const auto zero = [](GateSwitches& gate) { gate.constant = 0; };
  const auto complement = [](GateSwitches& gate) { gate.complemented = true; };
  add("input-gate-ignored", "leaves out the input gate", Operator::LSTM, 'i', one);
  add("output-gate-ignored", "leaves out the output gate", Operator::LSTM, 'o', one);
  add("forget-gate-ignored", "never forgets", Operator::LSTM, 'f', one);
  add("cell-not-carried", "starts every step from an empty cell", Operator::LSTM, 'f', zero);
  add("reset-gate-ignored", "leaves out the reset gate", Operator::GRU, 'r', one);
  add("update-gate-ignored", "takes the candidate for the new state", Operator::GRU, 'z', zero);
  add("update-gate-complemented", "keeps z of the candidate and 1 - z of the old state", Operator::GRU, 'z',
      complement);
  add("reset-gate-complemented", "resets by 1 - r", Operator::GRU, 'r', complement);
  add("forget-gate-complemented", "forgets f and keeps 1 - f", Operator::LSTM, 'f', complement);
  add("output-gate-complemented", "shows 1 - o", Operator::LSTM, 'o', complement);
  table[2].needs = table[3].needs = table[8].needs = is_uncoupled;

  table.push_back(of_cell("input-forget-ignored", "input_forget", FaultClass::GateOrder,
                          "computes the forget gate by itself although the gates are coupled", only_lstm, is_coupled,
                          [](Cell& cell, const CellSource&) { cell.coupling = Coupling::Uncoupled; }));
  table.push_back(of_cell("always-coupled", "-", FaultClass::GateOrder,
                          "couples the gates although nobody asked for it", only_lstm, is_uncoupled,
                          [](Cell& cell, const CellSource&) { cell.coupling = Coupling::InputLeads; }));
  const auto flip = [](Cell& cell, const CellSource&) { cell.linear_before_reset = !cell.linear_before_reset; };
  table.push_back(of_cell("linear-before-reset-ignored", "linear_before_reset", FaultClass::GateOrder,
                          "resets the state before the product although linear_before_reset is set", only_gru,
                          resets_linearly, flip));
  table.push_back(of_cell(
      "linear-before-reset-always", "-", FaultClass::GateOrder,
      "resets the product although linear_before_reset is not set", only_gru,
      [](const Problem& problem) { return !resets_linearly(problem); }, flip));
  table.push_back(of_cell("rbh-outside-reset", "linear_before_reset input.B", FaultClass::Bias,
                          "adds Rbh outside the reset gate's product", only_gru, both(resets_linearly, given(input::B)),
                          [](Cell& cell, const CellSource&) {
                            for (int row = 2 * cell.hidden; row < cell.rows; ++row) {
                              const auto r = static_cast<std::size_t>(row);
                              cell.Wb[r] += std::exchange(cell.Rb[r], 0);
                            }
                          }));
  table.push_back(of_cell("bias-halves-exchanged", "linear_before_reset input.B", FaultClass::Bias,
                          "takes Wb for Rb and the other way round", only_gru, both(resets_linearly, given(input::B)),
                          [](Cell& cell, const CellSource&) { std::swap(cell.Wb, cell.Rb); }));
  table.push_back(of_cell("recurrent-weights-ignored", "-", FaultClass::GateOrder, "leaves out the product with R",
                          every_cell, always, [](Cell& cell, const CellSource&) { std::ranges::fill(cell.R, 0.0); }));
  return table;
}

}  // namespace cellproof::oracle::fault_tables
