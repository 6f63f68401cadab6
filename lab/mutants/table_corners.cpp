// Mutants that are wrong only in some corner: those of the other tables, under a condition.
#include <algorithm>
#include <stdexcept>

#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

struct Condition {
  std::string name, what, blames;
  Needs holds;
};

Needs from(std::size_t position, Source source) {
  return [=](const Facts& f) { return f.problem.input(position) && f.problem.inputs[position].source == source; };
}
template <std::size_t ResolvedNode::*size>
Needs exactly(std::size_t value) {
  return [value](const Facts& f) { return f.node.*size == value; };
}
template <std::size_t ResolvedNode::*size>
Needs above(std::size_t value) {
  return [value](const Facts& f) { return f.node.*size > value; };
}
Needs of_type(ElementType type) {
  return [type](const Facts& f) { return f.node.type == type; };
}

Needs is_given(std::size_t position) {
  return [=](const Facts& f) { return f.problem.input(position) != nullptr; };
}
Needs isnt_given(std::size_t position) {
  return [=](const Facts& f) { return f.problem.input(position) == nullptr; };
}
bool names_nothing(const Facts& f) {
  return std::ranges::find(f.problem.inputs, Presence::Empty, &Input::presence) != f.problem.inputs.end();
}
bool of_newest_version(const Facts& f) {
  return is_newest(f.problem.version);
}

std::vector<Condition> conditions() {
  const Needs lone_reverse = [](const Facts& f) { return only_reverse(f) && !two_directions(f); };
  const Needs Y_not_asked = [](const Facts& f) { return !f.problem.asks_for(output::Y); };
  const Needs only_Y = [](const Facts& f) {
    return f.problem.asks_for(output::Y) && !f.problem.asks_for(output::Y_h) && !f.problem.asks_for(output::Y_c);
  };
  return {
      {"h-16", "when H is 16", "H", exactly<&ResolvedNode::H>(16)},
      {"h-above-16", "when H is above 16", "H", above<&ResolvedNode::H>(16)},
      {"h-1", "when H is 1", "H", exactly<&ResolvedNode::H>(1)},
      {"i-1", "when I is 1", "I", exactly<&ResolvedNode::I>(1)},
      {"i-above-8", "when I is above 8", "I", above<&ResolvedNode::I>(8)},
      {"t-1", "when T is 1", "T", exactly<&ResolvedNode::T>(1)},
      {"t-above-8", "when T is above 8", "T", above<&ResolvedNode::T>(8)},
      {"n-1", "when N is 1", "N", exactly<&ResolvedNode::N>(1)},
      {"n-above-8", "when N is above 8", "N", above<&ResolvedNode::N>(8)},
      {"b-from-graph", "when B is a graph input", "input.B", from(input::B, Source::GraphInput)},
      {"p-from-graph", "when P is a graph input", "input.P", from(input::P, Source::GraphInput)},
      {"w-from-graph", "when W is a graph input", "input.W", from(input::W, Source::GraphInput)},
      {"r-from-graph", "when R is a graph input", "input.R", from(input::R, Source::GraphInput)},
      {"initial-h-from-initializer", "when initial_h is an initializer", "input.initial_h",
       from(input::initial_h, Source::Initializer)},
      {"y-not-asked", "when Y is not asked for", "outputs", Y_not_asked},
      {"only-y", "when nothing but Y is asked for", "outputs", only_Y},
      {"layout-1", "in layout 1", "layout", batch_first},
      {"reverse", "in the reverse direction", "direction", lone_reverse},
      {"bidirectional", "in two directions", "direction", two_directions},
      {"double", "in double", "type", of_type(ElementType::Double)},
      {"float16", "in float16", "type", of_type(ElementType::Float16)},
      {"ragged", "when lengths differ from T", "lengths", ragged},
      {"coupled", "when input_forget is set", "input_forget", coupled},
      {"resets-linearly", "when linear_before_reset is set", "linear_before_reset",
       [](const Facts& f) { return f.node.linear_before_reset; }},
      {"clip", "when clip is given", "clip", clips},
      {"empty-name", "when an input has the empty name", "input", names_nothing},
      {"lengths-given", "when lengths are given", "lengths|input.sequence_lens", is_given(input::sequence_lens)},
      {"functions-named", "when functions are named", "activation|activations", names_functions},
      {"newest-version", "in the newest version", "-", of_newest_version},
      {"no-bias", "when there is no B", "-", isnt_given(input::B)},
      {"no-initial-h", "when there is no initial_h", "-", isnt_given(input::initial_h)},
      {"no-initial-c", "when there is no initial_c", "-", is(Operator::LSTM) && isnt_given(input::initial_c)},
      {"no-peepholes", "when there is no P", "-", is(Operator::LSTM) && isnt_given(input::P)},
  };
}

const std::vector<std::pair<std::string, std::vector<std::string>>>& corners() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> list{
      {"h-16", {"r-not-transposed", "gate-order-ifoc", "rb-ignored"}},
      {"h-above-16", {"last-product-dropped", "reset-gate-ignored"}},
      {"h-1", {"wb-ignored", "recurrent-weights-ignored"}},
      {"i-1", {"first-input-dropped"}},
      {"i-above-8", {"wb-ignored"}},
      {"t-1", {"initial-h-ignored", "initial-c-ignored", "state-leaks-to-next-sequence"}},
      {"t-above-8", {"previous-input", "length-off-by-one"}},
      {"n-1", {"initial-h-ignored"}},
      {"n-above-8", {"states-of-first-sequence", "lengths-sorted"}},
      {"b-from-graph", {"bias-ignored", "wb-ignored"}},
      {"p-from-graph", {"peepholes-ignored"}},
      {"w-from-graph", {"gate-order-ifco", "gate-order-rzh"}},
      {"r-from-graph", {"r-not-transposed"}},
      {"initial-h-from-initializer", {"initial-h-ignored"}},
      {"y-not-asked", {"y-h-is-zero", "lengths-ignored"}},
      {"only-y", {"y-in-processing-order"}},
      {"layout-1", {"initial-h-ignored", "lengths-ignored"}},
      {"reverse", {"initial-h-ignored"}},
      {"bidirectional", {"rb-ignored", "initial-c-ignored"}},
      {"double", {"bias-ignored", "clip-ignored"}},
      {"float16", {"initial-h-ignored", "peepholes-ignored"}},
      {"ragged", {"initial-c-ignored"}},
      {"coupled", {"peephole-i-missing"}},
      {"resets-linearly", {"rb-ignored"}},
      {"clip", {"initial-h-ignored", "peepholes-ignored"}},
      {"empty-name", {"bias-ignored"}},
      {"lengths-given", {"initial-h-ignored", "previous-input"}},
      {"functions-named", {"rb-ignored"}},
      {"newest-version", {"wb-ignored"}},
      {"no-bias", {"initial-h-ignored", "r-not-transposed"}},
      {"no-initial-h", {"rb-ignored"}},
      {"no-initial-c", {"initial-h-ignored", "cell-not-carried"}},
      {"no-peepholes", {"initial-c-ignored", "r-not-transposed"}},
  };
  return list;
}

const Mutant& base_named(const Table& table, const std::string& id) {
  const auto found = std::ranges::find(table, id, &Mutant::id);
  if (found == table.end()) throw std::logic_error("no mutant '" + id + "'");
  return *found;
}

}  // namespace

Table corner_mutants(const Table& others) {
  Table table;
  const auto all_conditions = conditions();
  for (const auto& [condition_name, bases] : corners()) {
    const auto condition = std::ranges::find(all_conditions, condition_name, &Condition::name);
    if (condition == all_conditions.end()) throw std::logic_error("no condition '" + condition_name + "'");
    for (const std::string& id : bases) {
      Mutant mutant = base_named(others, id);
      if (mutant.blames == "-" || mutant.blames == condition->blames) {
        mutant.blames = condition->blames;
      } else if (condition->blames != "-") {
        mutant.blames += " " + condition->blames;
      }
      mutant.id += "@" + condition_name;
      mutant.what += ", " + condition->what;
      mutant.needs = condition->holds && mutant.needs;
      table.push_back(std::move(mutant));
    }
  }
  for (const char* id : {"wb-ignored", "rb-ignored", "peepholes-ignored", "r-not-transposed", "gate-order-ifoc",
                         "gate-order-rzh", "first-input-dropped"}) {
    Mutant mutant = base_named(others, id);
    mutant.id += "@backward";
    mutant.what += ", in the backward direction only";
    mutant.blames = mutant.blames == "-" ? "direction" : mutant.blames + " direction";
    mutant.needs = Needs(two_directions) && mutant.needs;
    mutant.sow = [sow = mutant.sow](Sowing& sowing) {
      const ResolvedDirection forward = sowing.node.directions.front();
      sow(sowing);
      sowing.node.directions.front() = forward;
    };
    table.push_back(std::move(mutant));
  }
  return table;
}

}  // namespace cellproof::lab::mutants
