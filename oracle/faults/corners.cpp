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
  std::string_view name;  ///< as the catalogue has it
  bool (*holds)(const Problem&);
};

bool comes_from(const Problem& problem, std::size_t position, Source source) {
  return problem.input(position) && problem.inputs[position].source == source;
}

bool has_symbolic_x(const Problem& problem) {
  const Dims dims = problem.presentation.dims;
  return comes_from(problem, input::X, Source::GraphInput) && dims != Dims::Static && dims != Dims::Unranked;
}

template <std::size_t position>
bool lacks(const Problem& problem) {
  return problem.input(position) == nullptr;
}

constexpr Condition conditions[] = {
    {"h-16", [](const Problem& p) { return dimensions_of(p).H == 16; }},
    {"h-above-16", [](const Problem& p) { return dimensions_of(p).H > 16; }},
    {"h-1", [](const Problem& p) { return dimensions_of(p).H == 1; }},
    {"i-1", [](const Problem& p) { return dimensions_of(p).I == 1; }},
    {"i-above-8", [](const Problem& p) { return dimensions_of(p).I > 8; }},
    {"t-1", [](const Problem& p) { return dimensions_of(p).T == 1; }},
    {"t-above-8", [](const Problem& p) { return dimensions_of(p).T > 8; }},
    {"n-1", [](const Problem& p) { return dimensions_of(p).N == 1; }},
    {"n-above-8", [](const Problem& p) { return dimensions_of(p).N > 8; }},
    {"b-from-graph", [](const Problem& p) { return comes_from(p, input::B, Source::GraphInput); }},
    {"p-from-graph", [](const Problem& p) { return comes_from(p, input::P, Source::GraphInput); }},
    {"w-from-graph", [](const Problem& p) { return comes_from(p, input::W, Source::GraphInput); }},
    {"r-from-graph", [](const Problem& p) { return comes_from(p, input::R, Source::GraphInput); }},
    {"initial-h-from-initializer",
     [](const Problem& p) { return comes_from(p, input::initial_h, Source::Initializer); }},
    {"y-not-asked", [](const Problem& p) { return !p.asks_for(output::Y); }},
    {"only-y",
     [](const Problem& p) { return p.asks_for(output::Y) && !p.asks_for(output::Y_h) && !p.asks_for(output::Y_c); }},
    {"layout-1", is_batch_first},
    {"reverse", [](const Problem& p) { return has_reverse(p) && !is_bidirectional(p); }},
    {"bidirectional", is_bidirectional},
    {"double", [](const Problem& p) { return p.inputs[input::X].tensor->type() == ElementType::Double; }},
    {"float16", [](const Problem& p) { return p.inputs[input::X].tensor->type() == ElementType::Float16; }},
    {"ragged", is_ragged},
    {"coupled", is_coupled},
    {"resets-linearly", resets_linearly},
    {"clip", clips},
    {"empty-name",
     [](const Problem& p) { return std::ranges::find(p.inputs, Presence::Empty, &Input::presence) != p.inputs.end(); }},
    {"lengths-given", [](const Problem& p) { return p.input(input::sequence_lens) != nullptr; }},
    {"symbolic-sizes", has_symbolic_x},
    {"functions-named", [](const Problem& p) { return p.attributes.activations.has_value(); }},
    {"newest-version", [](const Problem& p) { return is_newest(p.version); }},
    {"no-bias", lacks<input::B>},
    {"no-initial-h", lacks<input::initial_h>},
    {"no-initial-c", lacks<input::initial_c>},
    {"no-peepholes", lacks<input::P>},
};

const Fault& named(const Table& table, std::string_view id) {
  const auto found = std::ranges::find(table, id, &Fault::id);
  if (found == table.end()) throw std::logic_error(fmt::format("no fault '{}'", id));
  return *found;
}

/// The same in the second direction only.
std::function<bool(View&)> in_backward(const std::function<bool(View&)>& put_on) {
  return [put_on](View& view) {
    CellChange before = std::exchange(view.fault_hooks.cell, {});
    if (!put_on(view)) return false;
    CellChange own = std::exchange(view.fault_hooks.cell, std::move(before));
    add_to(view.fault_hooks.cell, [own = std::move(own)](FaultyCell& cell, const CellSource& source) {
      if (source.direction == 1) own(cell, source);
    });
    return true;
  };
}

}  // namespace

Table corners(const Table& others) {
  Table table;
  for (const FaultInfo& info : fault_corners()) {
    const Fault& base = named(others, info.corner_of);
    if (info.member == "backward") {
      table.push_back({info, both(is_bidirectional, base.needs), in_backward(base.put_on)});
      continue;
    }
    const auto condition = std::ranges::find(conditions, info.member, &Condition::name);
    if (condition == std::end(conditions)) throw std::logic_error(fmt::format("no condition '{}'", info.member));
    table.push_back({info, both(condition->holds, base.needs), base.put_on, base.id});
  }
  return table;
}

}  // namespace cellproof::oracle::fault_tables
