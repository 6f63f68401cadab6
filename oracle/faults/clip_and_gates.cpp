// Faults of clip and of the gates' algebra.
#include <algorithm>
#include <limits>
#include <utility>

#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

Fault of_clip(std::string_view id, std::function<void(FaultyCell&)> change) {
  return of_cell(id, clips, [change = std::move(change)](FaultyCell& cell, const CellSource&) { change(cell); });
}

/// Clips the argument of one gate, or of none, and leaves those of the others as they are.
void clip_no_gate(FaultyCell& cell, std::size_t but) {
  for (std::size_t gate = 0; gate < cell.switches.gates.size(); ++gate) cell.switches.gates[gate].clipped = gate == but;
}

/// Clips at the largest threshold that there is where none is given. An engine may do so as it adds B, in a loop that
/// makes that of NaN, too.
void clip_at_largest(FaultyCell& cell, EvaluationMode::OfNan nan) {
  cell.clip = double{std::numeric_limits<float>::max()};
  cell.clip_scope = ClipScope::GatesOnly;
  cell.switches.clipped_nan = nan;
}

bool is_unclipped(const Problem& problem) {
  return !clips(problem);
}

/// Zeros are added as any other numbers.
bool has_bias(const Problem& problem) {
  return problem.input(input::B) != nullptr;
}

bool has_no_bias(const Problem& problem) {
  return !has_bias(problem);
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
  table.push_back(of_cell("clips-above-by-default", is_unclipped, [](FaultyCell& cell, const CellSource&) {
    cell.clip = 1;
    cell.switches.clips_below = false;
  }));
  table.push_back(
      of_cell("nan-clipped-with-bias", both(is_unclipped, has_bias),
              [](FaultyCell& cell, const CellSource&) { clip_at_largest(cell, EvaluationMode::OfNan::AsHighest); }));
  table.push_back(
      of_cell("infinity-clipped-without-bias", both(is_unclipped, has_no_bias),
              [](FaultyCell& cell, const CellSource&) { clip_at_largest(cell, EvaluationMode::OfNan::Kept); }));
  for (const FaultInfo& info : fault_family("clip-forgets-gate-{}")) {
    table.push_back(
        of_clip(info.id, [gate = gate_of(info)](FaultyCell& cell) { cell.switches.gates[gate].clipped = false; }));
  }
  for (const FaultInfo& info : fault_family("clip-on-gate-{}-only")) {
    table.push_back(of_clip(info.id, [gate = gate_of(info)](FaultyCell& cell) {
      clip_no_gate(cell, gate);
      cell.clip_scope = ClipScope::GatesOnly;
    }));
  }
  table.push_back(of_clip("clip-on-cell-only", [](FaultyCell& cell) {
    clip_no_gate(cell, cell.switches.gates.size());
    cell.clip_scope = ClipScope::StoredCell;
  }));
  table.push_back(of_clip("clip-is-one", [](FaultyCell& cell) { *cell.clip = 1; }));
  table.push_back(of_clip("clip-on-x-part", [](FaultyCell& cell) { cell.switches.clips_x_part = true; }));
  table.push_back(of_clip("clip-on-h-part", [](FaultyCell& cell) { cell.switches.clips_h_part = true; }));
  table.push_back(of_clip("clip-on-both-parts",
                          [](FaultyCell& cell) { cell.switches.clips_x_part = cell.switches.clips_h_part = true; }));
  table.push_back(of_clip("clip-before-peepholes", [](FaultyCell& cell) {
    cell.switches.clips_before_peephole = true;
    for (std::size_t gate = 0; gate < 3; ++gate) cell.switches.gates[gate].clipped = false;
  }));
  table.back().needs = both(clips, given(input::P));
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
  return table;
}

}  // namespace cellproof::oracle::fault_tables
