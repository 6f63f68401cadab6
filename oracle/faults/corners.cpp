// Faults that show only in some corner: those of the other tables, under a condition.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

struct Condition {
  const char* name;
  const char* what;
  const char* blames;
  bool (*holds)(const Problem&);
  std::optional<Operator> only = {};  ///< the operator that can meet it
};

bool comes_from(const Problem& problem, std::size_t position, Source source) {
  return problem.input(position) && problem.inputs[position].source == source;
}

template <std::size_t position>
bool lacks(const Problem& problem) {
  return problem.input(position) == nullptr;
}

constexpr Condition conditions[] = {
    {"h-16", "when H is 16", "H", [](const Problem& p) { return dimensions_of(p).H == 16; }},
    {"h-above-16", "when H is above 16", "H", [](const Problem& p) { return dimensions_of(p).H > 16; }},
    {"h-1", "when H is 1", "H", [](const Problem& p) { return dimensions_of(p).H == 1; }},
    {"i-1", "when I is 1", "I", [](const Problem& p) { return dimensions_of(p).I == 1; }},
    {"i-above-8", "when I is above 8", "I", [](const Problem& p) { return dimensions_of(p).I > 8; }},
    {"t-1", "when T is 1", "T", [](const Problem& p) { return dimensions_of(p).T == 1; }},
    {"t-above-8", "when T is above 8", "T", [](const Problem& p) { return dimensions_of(p).T > 8; }},
    {"n-1", "when N is 1", "N", [](const Problem& p) { return dimensions_of(p).N == 1; }},
    {"n-above-8", "when N is above 8", "N", [](const Problem& p) { return dimensions_of(p).N > 8; }},
    {"b-from-graph", "when B is a graph input", "input.B",
     [](const Problem& p) { return comes_from(p, input::B, Source::GraphInput); }},
    {"p-from-graph", "when P is a graph input", "input.P",
     [](const Problem& p) { return comes_from(p, input::P, Source::GraphInput); }},
    {"w-from-graph", "when W is a graph input", "input.W",
     [](const Problem& p) { return comes_from(p, input::W, Source::GraphInput); }},
    {"r-from-graph", "when R is a graph input", "input.R",
     [](const Problem& p) { return comes_from(p, input::R, Source::GraphInput); }},
    {"initial-h-from-initializer", "when initial_h is an initializer", "input.initial_h",
     [](const Problem& p) { return comes_from(p, input::initial_h, Source::Initializer); }},
    {"y-not-asked", "when Y is not asked for", "outputs", [](const Problem& p) { return !p.asks_for(output::Y); }},
    {"only-y", "when nothing but Y is asked for", "outputs",
     [](const Problem& p) { return p.asks_for(output::Y) && !p.asks_for(output::Y_h) && !p.asks_for(output::Y_c); }},
    {"layout-1", "in layout 1", "layout", is_batch_first},
    {"reverse", "in the reverse direction", "direction",
     [](const Problem& p) { return has_reverse(p) && !is_bidirectional(p); }},
    {"bidirectional", "in two directions", "direction", is_bidirectional},
    {"double", "in double", "type",
     [](const Problem& p) { return p.inputs[input::X].tensor->type() == ElementType::Double; }},
    {"float16", "in float16", "type",
     [](const Problem& p) { return p.inputs[input::X].tensor->type() == ElementType::Float16; }},
    {"ragged", "when lengths differ from T", "lengths", is_ragged},
    {"coupled", "when input_forget is set", "input_forget", is_coupled},
    {"resets-linearly", "when linear_before_reset is set", "linear_before_reset", resets_linearly, Operator::GRU},
    {"clip", "when clip is given", "clip", clips},
    {"empty-name", "when an input has the empty name", "input",
     [](const Problem& p) { return std::ranges::find(p.inputs, Presence::Empty, &Input::presence) != p.inputs.end(); }},
    {"lengths-given", "when lengths are given", "lengths|input.sequence_lens",
     [](const Problem& p) { return p.input(input::sequence_lens) != nullptr; }},
    {"functions-named", "when functions are named", "activation|activations",
     [](const Problem& p) { return p.attributes.activations.has_value(); }},
    {"newest-version", "in the newest version", "-", [](const Problem& p) { return is_newest(p.version); }},
    {"no-bias", "when there is no B", "-", lacks<input::B>},
    {"no-initial-h", "when there is no initial_h", "-", lacks<input::initial_h>},
    {"no-initial-c", "when there is no initial_c", "-", lacks<input::initial_c>, Operator::LSTM},
    {"no-peepholes", "when there is no P", "-", lacks<input::P>, Operator::LSTM},
};

struct Corner {
  const char* base;
  const char* condition;
};
constexpr Corner corners_of_others[] = {
    {"r-not-transposed", "h-16"},
    {"gate-order-ifoc", "h-16"},
    {"rb-ignored", "h-16"},
    {"last-product-dropped", "h-above-16"},
    {"reset-gate-ignored", "h-above-16"},
    {"wb-ignored", "h-1"},
    {"recurrent-weights-ignored", "h-1"},
    {"first-input-dropped", "i-1"},
    {"wb-ignored", "i-above-8"},
    {"initial-h-ignored", "t-1"},
    {"initial-c-ignored", "t-1"},
    {"state-leaks-to-next-sequence", "t-1"},
    {"previous-input", "t-above-8"},
    {"length-off-by-one", "t-above-8"},
    {"initial-h-ignored", "n-1"},
    {"states-of-first-sequence", "n-above-8"},
    {"lengths-sorted", "n-above-8"},
    {"bias-ignored", "b-from-graph"},
    {"wb-ignored", "b-from-graph"},
    {"peepholes-ignored", "p-from-graph"},
    {"gate-order-ifco", "w-from-graph"},
    {"gate-order-rzh", "w-from-graph"},
    {"r-not-transposed", "r-from-graph"},
    {"initial-h-ignored", "initial-h-from-initializer"},
    {"y-h-is-zero", "y-not-asked"},
    {"lengths-ignored", "y-not-asked"},
    {"y-in-processing-order", "only-y"},
    {"initial-h-ignored", "layout-1"},
    {"lengths-ignored", "layout-1"},
    {"initial-h-ignored", "reverse"},
    {"rb-ignored", "bidirectional"},
    {"initial-c-ignored", "bidirectional"},
    {"bias-ignored", "double"},
    {"clip-ignored", "double"},
    {"initial-h-ignored", "float16"},
    {"peepholes-ignored", "float16"},
    {"initial-c-ignored", "ragged"},
    {"peephole-i-missing", "coupled"},
    {"rb-ignored", "resets-linearly"},
    {"initial-h-ignored", "clip"},
    {"peepholes-ignored", "clip"},
    {"bias-ignored", "empty-name"},
    {"initial-h-ignored", "lengths-given"},
    {"previous-input", "lengths-given"},
    {"rb-ignored", "functions-named"},
    {"wb-ignored", "newest-version"},
    {"initial-h-ignored", "no-bias"},
    {"r-not-transposed", "no-bias"},
    {"rb-ignored", "no-initial-h"},
    {"initial-h-ignored", "no-initial-c"},
    {"cell-not-carried", "no-initial-c"},
    {"initial-c-ignored", "no-peepholes"},
    {"r-not-transposed", "no-peepholes"},
};

const Fault& named(const Table& table, std::string_view id) {
  const auto found = std::ranges::find(table, id, &Fault::id);
  if (found == table.end()) throw std::logic_error(fmt::format("no fault '{}'", id));
  return *found;
}

/// Those that only the second direction has.
constexpr const char* in_second_direction[] = {"wb-ignored",         "rb-ignored",      "peepholes-ignored",
                                               "r-not-transposed",   "gate-order-ifoc", "gate-order-rzh",
                                               "first-input-dropped"};

Fault in_backward(const Fault& base) {
  Fault fault = base;
  fault.id += "@backward";
  fault.what += ", in the backward direction only";
  fault.blames = base.blames == "-" ? "direction" : base.blames + " direction";
  fault.cls = FaultClass::Corner;
  fault.needs = both(is_bidirectional, base.needs);
  fault.put_on = [put_on = base.put_on](View& view) {
    CellChange before = std::exchange(view.departures.cell, {});
    if (!put_on(view)) return false;
    CellChange own = std::exchange(view.departures.cell, std::move(before));
    add_to(view.departures.cell, [own = std::move(own)](Cell& cell, const CellSource& source) {
      if (source.direction == 1) own(cell, source);
    });
    return true;
  };
  return fault;
}

}  // namespace

Table corners(const Table& others) {
  Table table;
  for (const Corner& corner : corners_of_others) {
    const Fault& base = named(others, corner.base);
    const auto condition = std::ranges::find(conditions, std::string_view(corner.condition),
                                             [](const Condition& c) { return std::string_view(c.name); });
    if (condition == std::end(conditions)) throw std::logic_error(fmt::format("no condition '{}'", corner.condition));
    Fault fault = base;
    fault.id = fmt::format("{}@{}", base.id, condition->name);
    fault.what = fmt::format("{}, {}", base.what, condition->what);
    const bool more = base.blames != "-" && base.blames != condition->blames;
    if (std::string_view(condition->blames) == "-")
      fault.blames = base.blames;
    else
      fault.blames = more ? fmt::format("{} {}", base.blames, condition->blames) : condition->blames;
    fault.cls = FaultClass::Corner;
    fault.needs = both(condition->holds, base.needs);
    fault.base = base.id;
    if (condition->only) std::erase_if(fault.operators, [&](Operator op) { return op != *condition->only; });
    table.push_back(std::move(fault));
  }
  for (const char* id : in_second_direction) table.push_back(in_backward(named(others, id)));
  return table;
}

}  // namespace cellproof::oracle::fault_tables
