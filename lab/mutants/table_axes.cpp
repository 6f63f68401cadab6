// Mutants that exchange axes of inputs and outputs alike.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

Sow sow_of(const Table& table, const std::string& id) {
  const auto found = std::ranges::find(table, id, &Mutant::id);
  if (found == table.end()) throw std::logic_error("no mutant '" + id + "' to take as a part");
  return found->sow;
}

/// Nothing starts from a state that belongs to a row.
bool starts_empty(const Facts& facts) {
  const auto is_zero = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return value == 0; });
  };
  return std::ranges::all_of(facts.node.directions,
                             [&](const ResolvedDirection& d) { return is_zero(d.h) && is_zero(d.c); });
}

/// The faults of inputs and outputs, one after the other; each may spoil the outputs.
Sow together(const std::vector<Sow>& parts) {
  return [=](Sowing& s) {
    std::vector<std::function<void(const ResolvedNode&, PlainOutputs&)>> spoils;
    for (const Sow& part : parts) {
      part(s);
      if (s.faults.spoil) spoils.push_back(std::exchange(s.faults.spoil, {}));
    }
    s.faults.spoil = [spoils](const ResolvedNode& node, PlainOutputs& outputs) {
      for (const auto& spoil : spoils) spoil(node, outputs);
    };
  };
}

}  // namespace

Table axes_mutants(const Table& others) {
  Table table;
  const Needs whole = [](const Facts& f) { return f.node.T > 0 && f.node.N > 1 && !ragged(f); };
  table.add("batch-taken-for-time", whole && Needs(starts_empty) && wants(output::Y),
            switched(&Faults::batch_is_time, true));
  const Needs exchanged = Needs(batch_first) && Needs(two_directions) && Needs(several_rows);
  const Needs any_state = [](const Facts& f) { return !starts_empty(f); };
  const Needs any_last = [](const Facts& f) { return wants(output::Y_h)(f) || wants(output::Y_c)(f); };
  table.add("layout-ignored-in-states-throughout", exchanged && any_state && any_last,
            together({sow_of(others, "layout-ignored-in-states"), sow_of(others, "layout-ignored-in-y-h"),
                      sow_of(others, "layout-ignored-in-y-c")}));
  return table;
}

}  // namespace cellproof::lab::mutants
