// Faults of the activation functions.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

using Kind = ActivationKind;

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
    {"elu-default-1.67", Kind::Elu, 1.67F, 0},
    {"leaky-relu-default-0.1", Kind::LeakyRelu, 0.1F, 0},
    {"leaky-relu-default-0.2", Kind::LeakyRelu, 0.2F, 0},
    {"thresholded-relu-default-0.5", Kind::ThresholdedRelu, 0.5F, 0},
    {"hard-sigmoid-default-one", Kind::HardSigmoid, 1, 0},
    {"hard-sigmoid-default-half", Kind::HardSigmoid, 0.5F, 0.5},
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

/// Functions that an engine may take all names for that it does not know.
struct Fallback {
  const char* family;
  Activation function;
};
const Fallback fallbacks[] = {
    {"{}-as-tanh", {Kind::Tanh}}, {"{}-as-sigmoid", {Kind::Sigmoid}}, {"{}-as-identity", {Kind::Affine, 1, 0}}};

/// The function that the family's member names, "leaky-relu".
Kind kind_named(const FaultInfo& info) {
  std::string letters = info.member;
  std::erase(letters, '-');
  return kind_of(*activation_named(letters));
}

void add_fallbacks(Table& table) {
  for (const Fallback& fallback : fallbacks) {
    for (const FaultInfo& info : fault_family(fallback.family)) {
      const Kind kind = kind_named(info);
      table.push_back(of_functions(info.id, uses(kind), [kind, function = fallback.function](Cell& cell) {
        each(cell, kind, [&](Activation& f) { f = function; });
      }));
    }
  }
}

/// Wrong bodies that another function's body is.
void add_wrong_bodies(Table& table) {
  const auto add = [&](const char* id, Kind kind, void (*change)(Activation&)) {
    table.push_back(of_functions(id, uses(kind), [kind, change](Cell& cell) { each(cell, kind, change); }));
  };
  add("hard-sigmoid-without-bounds", Kind::HardSigmoid, [](Activation& f) { f.kind = Kind::Affine; });
  add("affine-adds-before-scaling", Kind::Affine, [](Activation& f) { f.beta *= f.alpha; });
  add("elu-as-leaky-relu", Kind::Elu, [](Activation& f) { f.kind = Kind::LeakyRelu; });
  add("leaky-relu-as-elu", Kind::LeakyRelu, [](Activation& f) { f.kind = Kind::Elu; });
  add("thresholded-relu-as-leaky-relu", Kind::ThresholdedRelu, [](Activation& f) { f.kind = Kind::LeakyRelu; });
  add("tanh-of-half", Kind::Tanh, [](Activation& f) { f = {Kind::ScaledTanh, 1, 0.5}; });
  add("tanh-of-double", Kind::Tanh, [](Activation& f) { f = {Kind::ScaledTanh, 1, 2}; });
  add("sigmoid-as-tanh-of-half", Kind::Sigmoid, [](Activation& f) { f = {Kind::ScaledTanh, 1, 0.5}; });
}

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

/// Rational approximations bound their argument by a minimum and a maximum, either of which may pass over NaN.
void add_bounded_nan(Table& table) {
  const Needs bounding = [](const Problem& p) { return uses(Kind::Sigmoid)(p) || uses(Kind::Tanh)(p); };
  const auto add = [&](const char* id, BoundedNan nan) {
    table.push_back(of_functions(id, bounding, [nan](FaultyCell& cell) { cell.switches.nan = nan; }));
  };
  add("nan-bounded-above", BoundedNan::Above);
  add("nan-bounded-below", BoundedNan::Below);
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

Table functions() {
  Table table;
  add_slots(table);
  add_functions_of_gates(table);
  add_parameters(table);
  add_ignored_parameters(table);
  add_wrong_defaults(table);
  add_mistaken_functions(table);
  add_fallbacks(table);
  add_wrong_bodies(table);
  add_literal_formulas(table);
  add_bounded_nan(table);
  return table;
}

}  // namespace cellproof::oracle::fault_tables
