// Faults of clip, of the activation functions and of the gates' algebra.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

using Kind = ActivationKind;

Fault of_clip(std::string_view id, std::function<void(FaultyCell&)> change) {
  return of_cell(id, clips, [change = std::move(change)](FaultyCell& cell, const CellSource&) { change(cell); });
}

Fault of_functions(std::string_view id, Needs needs, std::function<void(FaultyCell&)> change) {
  return of_cell(id, std::move(needs),
                 [change = std::move(change)](FaultyCell& cell, const CellSource&) { change(cell); });
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
  const char* id;
  double alpha, beta;  ///< the defaults
  bool takes_beta;
};
constexpr Parametrised parametrised[] = {
    {Kind::Affine, "affine", 1, 0, true},
    {Kind::LeakyRelu, "leaky-relu", 0.01F, 0, false},
    {Kind::ThresholdedRelu, "thresholded-relu", 1, 0, false},
    {Kind::ScaledTanh, "scaled-tanh", 1, 1, true},
    {Kind::HardSigmoid, "hard-sigmoid", 0.2F, 0.5, true},
    {Kind::Elu, "elu", 1, 0, false},
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
    table.push_back(of_functions(fmt::format("{}-alpha-ignored", p.id), both(has_alphas, uses(p.kind)),
                                 [p](Cell& cell) { each(cell, p.kind, [&](Activation& f) { f.alpha = p.alpha; }); }));
    if (!p.takes_beta) continue;
    table.push_back(of_functions(fmt::format("{}-beta-ignored", p.id), both(has_betas, uses(p.kind)),
                                 [p](Cell& cell) { each(cell, p.kind, [&](Activation& f) { f.beta = p.beta; }); }));
    table.push_back(of_functions(fmt::format("{}-parameters-exchanged", p.id), uses(p.kind), [p](Cell& cell) {
      each(cell, p.kind, [](Activation& f) { std::swap(f.alpha, f.beta); });
    }));
  }
}

struct WrongDefault {
  const char* id;
  Kind kind;
  double alpha, beta;
};
constexpr WrongDefault wrong_defaults[] = {
    {"hard-sigmoid-one-sixth", Kind::HardSigmoid, 1.0F / 6, 0.5},
    {"hard-sigmoid-default-zero", Kind::HardSigmoid, 0, 0},
    {"thresholded-relu-default-zero", Kind::ThresholdedRelu, 0, 0},
    {"leaky-relu-default-zero", Kind::LeakyRelu, 0, 0},
    {"leaky-relu-default-0.3", Kind::LeakyRelu, 0.3F, 0},
    {"elu-default-zero", Kind::Elu, 0, 0},
};

void add_wrong_defaults(Table& table) {
  for (const WrongDefault& wrong : wrong_defaults) {
    table.push_back(of_functions(wrong.id, uses(wrong.kind), [wrong](Cell& cell) {
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
};
const Mistaken mistaken[] = {
    {"relu-as-identity", Kind::Relu, {Kind::Affine, 1, 0}},
    {"tanh-as-softsign", Kind::Tanh, {Kind::Softsign}},
    {"sigmoid-as-hard-sigmoid", Kind::Sigmoid, {Kind::HardSigmoid, 0.2F, 0.5}},
    {"leaky-relu-as-relu", Kind::LeakyRelu, {Kind::Relu}},
    {"thresholded-relu-as-relu", Kind::ThresholdedRelu, {Kind::Relu}},
    {"scaled-tanh-as-tanh", Kind::ScaledTanh, {Kind::Tanh}},
    {"hard-sigmoid-as-sigmoid", Kind::HardSigmoid, {Kind::Sigmoid}},
    {"elu-as-relu", Kind::Elu, {Kind::Relu}},
    {"softsign-as-tanh", Kind::Softsign, {Kind::Tanh}},
    {"softplus-as-relu", Kind::Softplus, {Kind::Relu}},
    {"affine-as-identity", Kind::Affine, {Kind::Affine, 1, 0}},
};

void add_mistaken_functions(Table& table) {
  for (const Mistaken& m : mistaken) {
    table.push_back(of_functions(m.id, uses(m.kind),
                                 [m](Cell& cell) { each(cell, m.kind, [&](Activation& f) { f = m.taken_for; }); }));
  }
}

void add_slots(Table& table) {
  constexpr std::string_view slots = "fgh";
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    table.push_back(of_functions(fmt::format("activation-{}-ignored", slots[slot]), names_functions,
                                 [slot](Cell& cell) { cell.activation[slot] = default_function(cell.op, slot); }));
  }
  table.push_back(of_functions("activations-ignored", names_functions, [](Cell& cell) {
    for (std::size_t slot = 0; slot < slots_of(cell.op); ++slot)
      cell.activation[slot] = default_function(cell.op, slot);
  }));
  table.push_back(
      of_functions("f-and-g-exchanged", always, [](Cell& cell) { std::swap(cell.activation[0], cell.activation[1]); }));
  table.push_back(of_functions("g-and-h-exchanged", names_functions,
                               [](Cell& cell) { std::swap(cell.activation[1], cell.activation[2]); }));
  table.push_back(
      of_functions("g-for-h", names_functions, [](FaultyCell& cell) { cell.activation[2] = cell.activation[1]; }));
  table.push_back(of_functions("h-skipped", always, [](FaultyCell& cell) {
    cell.activation[2] = {Kind::Affine, 1, 0};
    if (cell.clip_scope == ClipScope::ArgumentOfH) cell.clip_scope = ClipScope::GatesOnly;
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
  const auto add = [&](const char* id, Needs needs, CellChange change) {
    table.push_back(of_cell(id, std::move(needs), std::move(change)));
  };
  add("alpha-in-wrong-slot", has_alphas, handed_out(&Activation::alpha, any, move_on));
  add("beta-in-wrong-slot", has_betas, handed_out(&Activation::beta, beta, move_on));
  add("alpha-of-first-for-all", has_alphas, handed_out(&Activation::alpha, any, repeat_first));
  add("beta-of-first-for-all", has_betas, handed_out(&Activation::beta, beta, repeat_first));
  const auto by_default = [](double Activation::*parameter, double Parametrised::*usual) {
    return [=](Cell& cell, const CellSource&) {
      for (std::size_t slot = 0; slot < slots_of(cell.op); ++slot) {
        const Parametrised* p = parametrised_by(cell.activation[slot].kind);
        if (p) cell.activation[slot].*parameter = p->*usual;
      }
    };
  };
  add("alpha-ignored", has_alphas, by_default(&Activation::alpha, &Parametrised::alpha));
  add("beta-ignored", has_betas, by_default(&Activation::beta, &Parametrised::beta));
  add("alpha-negated", has_alphas, [](Cell& cell, const CellSource&) {
    for (Activation& function : cell.activation) function.alpha = -function.alpha;
  });
}

/// Formulas taken as they are printed (mathematical-value).
void add_literal_formulas(Table& table) {
  table.push_back(of_functions("softplus-overflows", uses(Kind::Softplus),
                               [](FaultyCell& cell) { cell.switches.softplus_overflows = true; }));
  table.push_back(of_functions(
      "tanh-overflows", [](const Problem& p) { return uses(Kind::Tanh)(p) || uses(Kind::ScaledTanh)(p); },
      [](FaultyCell& cell) { cell.switches.tanh_overflows = true; }));
}

void add_functions_of_gates(Table& table) {
  const std::pair<Operator, const char*> gates_of_f[] = {{Operator::LSTM, "iof"}, {Operator::GRU, "zr"}};
  for (const auto& [op, letters] : gates_of_f) {
    for (const char letter : std::string_view(letters)) {
      const std::size_t gate = gate_letters(op).find(letter);
      table.push_back(of_step(fmt::format("gate-{}-takes-g", letter), always,
                              [gate](StepSwitches& s) { s.gates[gate].function = 1; }));
    }
    const char last = gate_letters(op).back();
    table.push_back(of_step(fmt::format("gate-{}-takes-f", last), always,
                            [gate = gate_letters(op).size() - 1](StepSwitches& s) { s.gates[gate].function = 0; }));
  }
}

}  // namespace

Table clipping() {
  Table table;
  table.push_back(of_clip("clip-ignored", [](FaultyCell& cell) { cell.clip.reset(); }));
  table.push_back(of_clip("clip-after-function", [](FaultyCell& cell) { cell.switches.clips_results = true; }));
  table.push_back(of_clip("clip-upper-side-only", [](FaultyCell& cell) { cell.switches.clips_below = false; }));
  table.push_back(of_clip("clip-lower-side-only", [](FaultyCell& cell) { cell.switches.clips_above = false; }));
  table.push_back(of_clip("clip-halved", [](FaultyCell& cell) { *cell.clip /= 2; }));
  table.push_back(of_clip("clip-doubled", [](FaultyCell& cell) { *cell.clip *= 2; }));
  table.push_back(of_clip("clip-squared", [](FaultyCell& cell) { *cell.clip *= *cell.clip; }));
  table.push_back(of_clip("clip-on-argument-of-h-only", [](FaultyCell& cell) {
    for (GateSwitches& gate : cell.switches.gates) gate.clipped = false;
  }));
  table.push_back(of_cell(
      "clips-above-by-default", [](const Problem& problem) { return !clips(problem); },
      [](FaultyCell& cell, const CellSource&) {
        cell.clip = 1;
        cell.switches.clips_below = false;
      }));
  for (const FaultInfo& info : fault_family("clip-forgets-gate-{}")) {
    table.push_back(
        of_clip(info.id, [gate = gate_of(info)](FaultyCell& cell) { cell.switches.gates[gate].clipped = false; }));
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
  const auto add = [&](std::string_view id, char letter, auto change) {
    const std::size_t gate = gate_letters(fault_info(id).operators.front()).find(letter);
    table.push_back(of_step(id, always, [gate, change](StepSwitches& s) { change(s.gates[gate]); }));
  };
  const auto one = [](GateSwitches& gate) { gate.constant = 1; };
  const auto zero = [](GateSwitches& gate) { gate.constant = 0; };
  const auto complement = [](GateSwitches& gate) { gate.complemented = true; };
  add("input-gate-ignored", 'i', one);
  add("output-gate-ignored", 'o', one);
  add("forget-gate-ignored", 'f', one);
  add("cell-not-carried", 'f', zero);
  add("reset-gate-ignored", 'r', one);
  add("update-gate-ignored", 'z', zero);
  add("update-gate-complemented", 'z', complement);
  add("reset-gate-complemented", 'r', complement);
  add("forget-gate-complemented", 'f', complement);
  add("output-gate-complemented", 'o', complement);
  table[2].needs = table[3].needs = table[8].needs = is_uncoupled;

  table.push_back(of_cell("input-forget-ignored", is_coupled,
                          [](Cell& cell, const CellSource&) { cell.coupling = Coupling::Uncoupled; }));
  table.push_back(of_cell("always-coupled", is_uncoupled,
                          [](Cell& cell, const CellSource&) { cell.coupling = Coupling::InputLeads; }));
  const auto flip = [](Cell& cell, const CellSource&) { cell.linear_before_reset = !cell.linear_before_reset; };
  table.push_back(of_cell("linear-before-reset-ignored", resets_linearly, flip));
  table.push_back(of_cell(
      "linear-before-reset-always", [](const Problem& problem) { return !resets_linearly(problem); }, flip));
  table.push_back(
      of_cell("rbh-outside-reset", both(resets_linearly, given(input::B)), [](Cell& cell, const CellSource&) {
        for (int row = 2 * cell.hidden; row < cell.rows; ++row) {
          const auto r = static_cast<std::size_t>(row);
          cell.Wb[r] += std::exchange(cell.Rb[r], 0);
        }
      }));
  table.push_back(of_cell("bias-halves-exchanged", both(resets_linearly, given(input::B)),
                          [](Cell& cell, const CellSource&) { std::swap(cell.Wb, cell.Rb); }));
  table.push_back(of_cell("recurrent-weights-ignored", always,
                          [](Cell& cell, const CellSource&) { std::ranges::fill(cell.R, 0.0); }));
  return table;
}

}  // namespace cellproof::oracle::fault_tables
