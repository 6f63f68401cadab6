// Mutants that return the right states in the wrong places, and mutants of precision.
#include <fmt/format.h>

#include <algorithm>

#include "lab/mutants/node_changes.hpp"
#include "lab/mutants/tables.hpp"
#include "lab/mutants/with_bits.hpp"
#include "lab/zoo/plain_outputs.hpp"

namespace cellproof::lab::mutants {
namespace {

/// The place that the value stored for [t][d][n] comes from; t is 0 for states.
struct At {
  std::size_t t, d, n;
};
using From = std::function<At(const ResolvedNode&, At)>;

void shuffle(const ResolvedNode& node, std::vector<double>& values, std::size_t T, const From& from) {
  const std::vector<double> right = values;
  const std::size_t D = node.directions.size();
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t d = 0; d < D; ++d) {
      for (std::size_t n = 0; n < node.N; ++n) {
        const At source = from(node, {t, d, n});
        for (std::size_t j = 0; j < node.H; ++j) {
          values[((t * D + d) * node.N + n) * node.H + j] =
              right[((source.t * D + source.d) * node.N + source.n) * node.H + j];
        }
      }
    }
  }
}

enum Which { in_Y = 1, in_Y_h = 2, in_Y_c = 4 };

Sow shuffled(int which, const From& from) {
  return switched([=](Faults& faults) {
    faults.spoil = [=](const ResolvedNode& node, PlainOutputs& outputs) {
      if (which & in_Y) shuffle(node, outputs.Y, node.T, from);
      if (which & in_Y_h) shuffle(node, outputs.Y_h, 1, from);
      if (which & in_Y_c) shuffle(node, outputs.Y_c, 1, from);
    };
  });
}
Sow spoiling(void (*spoil)(const ResolvedNode&, PlainOutputs&)) {
  return switched([=](Faults& faults) { faults.spoil = spoil; });
}

At other_direction(const ResolvedNode& node, At at) {
  return {at.t, node.directions.size() - 1 - at.d, at.n};
}
At last_row_first(const ResolvedNode& node, At at) {
  return {at.t, at.d, node.N - 1 - at.n};
}
/// Place number k of [N][D] holds number k of [D][N].
At written_row_by_row(const ResolvedNode& node, At at) {
  const std::size_t D = node.directions.size();
  const std::size_t k = at.d * node.N + at.n;
  return {at.t, k % D, k / D};
}
/// Layout 1 exchanges the batch with all before it; what lies as [T][D][N] comes out as if it were [N][T][D].
At unexchanged(const ResolvedNode& node, At at) {
  const std::size_t D = node.directions.size(), k = (at.n * node.T + at.t) * D + at.d;
  return {k / (D * node.N), k / node.N % D, k % node.N};
}
At state_unexchanged(const ResolvedNode& node, At at) {
  const std::size_t k = at.n * node.directions.size() + at.d;
  return {0, k / node.N, k % node.N};
}

/// Place number k of [T][D][N] holds number k of [N][T][D].
At written_by_batch(const ResolvedNode& node, At at) {
  const std::size_t D = node.directions.size(), k = (at.t * D + at.d) * node.N + at.n;
  return {k / D % node.T, k % D, k / (D * node.T)};
}
/// The row of the step before, or after, where the sequence goes round.
At a_step_before(const ResolvedNode& node, At at) {
  const std::size_t length = node.lengths[at.n];
  return at.t < length ? At{(at.t + length - 1) % length, at.d, at.n} : at;
}
At a_step_after(const ResolvedNode& node, At at) {
  const std::size_t length = node.lengths[at.n];
  return at.t < length ? At{(at.t + 1) % length, at.d, at.n} : at;
}

/// Y_h is what Y has of the last step but one.
void copy_step_before_last(const ResolvedNode& node, PlainOutputs& outputs) {
  for (std::size_t d = 0; d < node.directions.size(); ++d) {
    for (std::size_t n = 0; n < node.N; ++n) {
      if (node.lengths[n] < 2) continue;
      const double* row = outputs.y(node, node.directions[d].reverse ? 1 : node.lengths[n] - 2, d, n);
      std::copy(row, row + node.H, outputs.h(node, d, n));
    }
  }
}

bool several_steps(const Facts& facts) {
  return facts.node.T > 1;
}
bool all_have_two_steps(const Facts& facts) {
  return std::ranges::all_of(facts.node.lengths, [](std::size_t length) { return length > 1; });
}

void copy_row_of_Y(const ResolvedNode& node, PlainOutputs& outputs, std::size_t t) {
  const std::size_t size = outputs.Y_h.size();
  if (node.T == 0) return;
  const auto row = outputs.Y.begin() + static_cast<std::ptrdiff_t>(t * size);
  std::copy(row, row + static_cast<std::ptrdiff_t>(size), outputs.Y_h.begin());
}

void copy_last_row_of_forward(const ResolvedNode& node, PlainOutputs& outputs) {
  for (std::size_t n = 0; n < node.N; ++n) {
    const double* row = outputs.y(node, node.T - 1, 0, n);
    std::copy(row, row + node.H, outputs.h(node, 0, n));
  }
}

void shorten(std::vector<double>& values, int bits) {
  for (double& value : values) value = with_bits(value, bits);
}

Needs uses_any(std::vector<std::string_view> names) {
  return [names = std::move(names)](const Facts& facts) {
    return std::ranges::any_of(facts.node.directions, [&](const ResolvedDirection& d) {
      return std::ranges::any_of(
          d.functions, [&](const ResolvedFunction& f) { return std::ranges::find(names, f.name) != names.end(); });
    });
  };
}

/// Name of an output in the ids of mutants.
struct OutputName {
  const char* name;
  Which which;
  std::size_t position;
};
constexpr OutputName output_ids[] = {
    {"y", in_Y, output::Y}, {"y-h", in_Y_h, output::Y_h}, {"y-c", in_Y_c, output::Y_c}};

/// A mutant for each output: `family` with the output's name in place of {}.
void add_to_each_output(Table& table, std::string_view family, const Needs& needs, const From& from) {
  for (const auto& [name, which, position] : output_ids)
    table.add(fmt::format(fmt::runtime(family), name), needs && wants(position), shuffled(which, from));
}

void add_wrong_places(Table& table) {
  const Needs pair = two_directions, rows = several_rows, first = batch_first, both = pair && rows;
  const Needs last = [](const Facts& f) { return !f.node.batch_first; };
  table.add("layout-ignored-in-y", first && rows, shuffled(in_Y, unexchanged));
  table.add("layout-ignored-in-y-h", first && both, shuffled(in_Y_h, state_unexchanged));
  table.add("layout-ignored-in-y-c", first && both, shuffled(in_Y_c, state_unexchanged));
  table.add("y-in-processing-order", Needs(reverses) && wants(output::Y),
            switched(&Faults::Y_in_processing_order, true));
  table.add("directions-swapped-in-states", pair, shuffled(in_Y_h | in_Y_c, other_direction));
  add_to_each_output(table, "directions-swapped-in-{}", pair, other_direction);
  add_to_each_output(table, "rows-reversed-in-{}", rows, last_row_first);
  table.add("y-batch-before-direction", last && both && wants(output::Y), shuffled(in_Y, written_row_by_row));
  table.add("y-written-by-batch", last && rows && wants(output::Y), shuffled(in_Y, written_by_batch));
  table.add("y-slipped-by-a-step", Needs(several_steps) && wants(output::Y), shuffled(in_Y, a_step_before));
  table.add("y-slipped-back-by-a-step", Needs(several_steps) && wants(output::Y), shuffled(in_Y, a_step_after));
  table.add("y-h-batch-before-direction", last && both && wants(output::Y_h), shuffled(in_Y_h, written_row_by_row));
}

void add_wrong_states(Table& table) {
  const auto has_a_step = [](const Facts& f) { return f.node.T > 0; };
  table.add("y-h-is-last-row", Needs(has_a_step) && wants(output::Y) && wants(output::Y_h),
            spoiling([](const ResolvedNode& node, PlainOutputs& o) { copy_row_of_Y(node, o, node.T - 1); }));
  table.add("y-h-is-last-row-forward", Needs(two_directions) && Needs(ragged) && wants(output::Y) && wants(output::Y_h),
            spoiling(copy_last_row_of_forward));
  table.add("y-h-is-first-row", Needs(has_a_step) && wants(output::Y) && wants(output::Y_h),
            spoiling([](const ResolvedNode& node, PlainOutputs& o) { copy_row_of_Y(node, o, 0); }));
  table.add("y-h-one-step-early", Needs(all_have_two_steps) && wants(output::Y) && wants(output::Y_h),
            spoiling(copy_step_before_last));
  table.add("y-h-is-zero", wants(output::Y_h),
            spoiling([](const ResolvedNode&, PlainOutputs& o) { std::ranges::fill(o.Y_h, 0.0); }));
  table.add("y-c-is-zero", wants(output::Y_c),
            spoiling([](const ResolvedNode&, PlainOutputs& o) { std::ranges::fill(o.Y_c, 0.0); }));
  table.add("y-c-is-y-h", wants(output::Y_h) && wants(output::Y_c),
            spoiling([](const ResolvedNode&, PlainOutputs& o) { o.Y_c = o.Y_h; }));
  table.add("y-h-and-y-c-exchanged", wants(output::Y_h) && wants(output::Y_c),
            spoiling([](const ResolvedNode&, PlainOutputs& o) { std::swap(o.Y_h, o.Y_c); }));
}

}  // namespace

Table output_mutants() {
  Table table;
  add_wrong_places(table);
  add_wrong_states(table);
  table.add("padding-computed", Needs(ragged) && wants(output::Y), switched(&Faults::padding_is_computed, true));
  table.add("one-element-off", Needs(wide_type) && Needs(some_row_runs) && wants(output::Y),
            switched(&Faults::one_element_off, true));
  return table;
}

Table precision_mutants() {
  Table table;
  const auto add = [&](std::string_view id, Needs needs, Sow sow) {
    table.add(id, Needs(wide_type) && std::move(needs), std::move(sow));
  };
  add("tf32-operands", anything, switched(&Faults::operand_bits, 11));
  add("bf16-operands", anything, switched(&Faults::operand_bits, 8));
  add("tf32-operands-late", anything, switched([](Faults& f) {
        f.operand_bits = 11;
        f.only_in_second_half = true;
      }));
  add("sigmoid-saturates-early", uses_any({"Sigmoid"}), switched(&Faults::sigmoid_saturates_early, true));
  for (const auto& [name, bits] : {std::pair{"bf16", 8}, {"10-bit", 10}, {"f16", 11}, {"16-bit", 16}}) {
    const auto add_short = [&, prefix = std::string(name)](const char* part, Needs needs, Sow sow) {
      add(prefix + "-" + part, std::move(needs), std::move(sow));
    };
    const auto weights = [bits = bits](bool of_W, bool of_R) {
      return each_direction([=](ResolvedDirection& d) {
        if (of_W) shorten(d.W, bits);
        if (of_R) shorten(d.R, bits);
      });
    };
    add_short("cell", anything, switched(&Faults::cell_bits, bits));
    add_short("gates", anything, switched(&Faults::gate_bits, bits));
    add_short("preactivations", anything, switched(&Faults::argument_bits, bits));
    add_short("sigmoid", uses_any({"Sigmoid"}), switched(&Faults::reciprocal_bits, bits));
    add_short("state", anything, switched(&Faults::state_bits, bits));
    add_short("weights", anything, weights(true, true));
    add_short("w", anything, weights(true, false));
    add_short("r", anything, weights(false, true));
    add_short("input", anything, [bits = bits](Sowing& s) { shorten(s.node.X, bits); });
    add_short("bias", has(input::B), each_direction([bits = bits](ResolvedDirection& d) {
                shorten(d.Wb, bits);
                shorten(d.Rb, bits);
              }));
    add_short("peepholes", has(input::P), each_direction([bits = bits](ResolvedDirection& d) { shorten(d.P, bits); }));
  }
  return table;
}

}  // namespace cellproof::lab::mutants
