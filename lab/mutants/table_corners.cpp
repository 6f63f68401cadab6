// Mutants that are wrong only in some corner: those of the other tables, under a condition.
#include <algorithm>
#include <stdexcept>

#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

struct Condition {
  std::string name;  ///< as the catalogue of faults has it
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
bool declares_symbols(const Facts& f) {
  if (f.problem.inputs[input::X].source != Source::GraphInput) return false;
  switch (f.problem.presentation.dims) {
    case Dims::Static:
    case Dims::Unranked:
      return false;
    default:
      return true;
  }
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
      {"h-16", exactly<&ResolvedNode::H>(16)},
      {"h-above-16", above<&ResolvedNode::H>(16)},
      {"h-1", exactly<&ResolvedNode::H>(1)},
      {"i-1", exactly<&ResolvedNode::I>(1)},
      {"i-above-8", above<&ResolvedNode::I>(8)},
      {"t-1", exactly<&ResolvedNode::T>(1)},
      {"t-above-8", above<&ResolvedNode::T>(8)},
      {"n-1", exactly<&ResolvedNode::N>(1)},
      {"n-above-8", above<&ResolvedNode::N>(8)},
      {"b-from-graph", from(input::B, Source::GraphInput)},
      {"p-from-graph", from(input::P, Source::GraphInput)},
      {"w-from-graph", from(input::W, Source::GraphInput)},
      {"r-from-graph", from(input::R, Source::GraphInput)},
      {"initial-h-from-initializer", from(input::initial_h, Source::Initializer)},
      {"y-not-asked", Y_not_asked},
      {"only-y", only_Y},
      {"layout-1", batch_first},
      {"reverse", lone_reverse},
      {"bidirectional", two_directions},
      {"double", of_type(ElementType::Double)},
      {"float16", of_type(ElementType::Float16)},
      {"ragged", ragged},
      {"coupled", coupled},
      {"resets-linearly", [](const Facts& f) { return f.node.linear_before_reset; }},
      {"clip", clips},
      {"empty-name", names_nothing},
      {"lengths-given", is_given(input::sequence_lens)},
      {"symbolic-sizes", declares_symbols},
      {"functions-named", names_functions},
      {"newest-version", of_newest_version},
      {"no-bias", isnt_given(input::B)},
      {"no-initial-h", isnt_given(input::initial_h)},
      {"no-initial-c", isnt_given(input::initial_c)},
      {"no-peepholes", isnt_given(input::P)},
  };
}

const Mutant& base_named(const Table& table, const std::string& id) {
  const auto found = std::ranges::find(table, id, &Mutant::id);
  if (found == table.end()) throw std::logic_error("no mutant '" + id + "'");
  return *found;
}

/// The same with what it did to the forward direction undone.
Sow in_backward(const Sow& sow) {
  return [sow](Sowing& sowing) {
    const ResolvedDirection forward = sowing.node.directions.front();
    sow(sowing);
    sowing.node.directions.front() = forward;
  };
}

}  // namespace

Table corner_mutants(const Table& others) {
  Table table;
  const auto all_conditions = conditions();
  for (const FaultInfo& info : oracle::fault_corners()) {
    const Mutant& base = base_named(others, info.corner_of);
    if (info.member == "backward") {
      table.add(info.id, Needs(two_directions) && base.needs, in_backward(base.sow), base.shows);
      continue;
    }
    const auto condition = std::ranges::find(all_conditions, info.member, &Condition::name);
    if (condition == all_conditions.end()) throw std::logic_error("no condition '" + info.member + "'");
    table.add(info.id, condition->holds && base.needs, base.sow, base.shows);
  }
  return table;
}

}  // namespace cellproof::lab::mutants
