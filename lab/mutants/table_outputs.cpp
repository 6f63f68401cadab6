// Mutants that return the right states in the wrong places, and mutants of precision.
#include <algorithm>

#include "lab/mutants/node_changes.hpp"
#include "lab/mutants/tables.hpp"
#include "lab/mutants/with_bits.hpp"
#include "lab/zoo/plain_outputs.hpp"

namespace cellproof::lab::mutants {
namespace {

/// Where the value that is stored for [t][d][n] comes from; t is 0 for states.
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

void copy_row_of_Y(const ResolvedNode& node, PlainOutputs& outputs, std::size_t t) {
  const std::size_t size = outputs.Y_h.size();
  if (node.T == 0) return;
  const auto row = outputs.Y.begin() + static_cast<std::ptrdiff_t>(t * size);
  std::copy(row, row + static_cast<std::ptrdiff_t>(size), outputs.Y_h.begin());
}

Mutant precise(const char* id, const char* what, Needs needs, Sow sow) {
  return {id, "-", what, Needs(wide_type) && std::move(needs), std::move(sow)};
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

}  // namespace

Table output_mutants() {
  Table table;
  const auto add = [&](const char* id, const char* blames, const char* what, Needs needs, Sow sow) {
    table.push_back({id, blames, what, std::move(needs), std::move(sow)});
  };
  const Needs lstm = is(Operator::LSTM), pair = two_directions, rows = several_rows, first = batch_first;
  const Needs not_first = [](const Facts& f) { return !f.node.batch_first; };
  add("layout-ignored-in-y", "layout", "writes Y as [T,D,N,H] whatever the layout", first && rows,
      shuffled(in_Y, unexchanged));
  add("layout-ignored-in-y-h", "layout direction", "writes Y_h as [D,N,H] whatever the layout", first && pair && rows,
      shuffled(in_Y_h, state_unexchanged));
  add("layout-ignored-in-y-c", "layout direction", "writes Y_c as [D,N,H] whatever the layout",
      lstm && first && pair && rows, shuffled(in_Y_c, state_unexchanged));
  add("y-in-processing-order", "direction", "leaves Y of the reverse direction in the order of processing",
      Needs(reverses) && wants(output::Y), switched([](Faults& f) { f.Y_in_processing_order = true; }));
  add("directions-swapped-in-states", "direction", "returns the backward direction's last states first", pair,
      shuffled(in_Y_h | in_Y_c, other_direction));
  add("directions-swapped-in-y", "direction", "returns the backward direction's half of Y first",
      pair && wants(output::Y), shuffled(in_Y, other_direction));
  add("directions-swapped-in-y-h", "direction", "returns the backward direction's Y_h first",
      pair && wants(output::Y_h), shuffled(in_Y_h, other_direction));
  add("directions-swapped-in-y-c", "direction", "returns the backward direction's Y_c first",
      lstm && pair && wants(output::Y_c), shuffled(in_Y_c, other_direction));
  add("rows-reversed-in-y", "-", "returns Y with the batch in reverse order", rows && wants(output::Y),
      shuffled(in_Y, last_row_first));
  add("rows-reversed-in-y-h", "-", "returns Y_h with the batch in reverse order", rows && wants(output::Y_h),
      shuffled(in_Y_h, last_row_first));
  add("rows-reversed-in-y-c", "-", "returns Y_c with the batch in reverse order", lstm && rows && wants(output::Y_c),
      shuffled(in_Y_c, last_row_first));
  add("y-batch-before-direction", "direction", "writes Y as [T,N,D,H]", not_first && pair && rows && wants(output::Y),
      shuffled(in_Y, [](const ResolvedNode& node, At at) {
        // Stored number k of [N][D] is read as number k of [D][N].
        return written_row_by_row(node, at);
      }));
  add("y-h-batch-before-direction", "direction", "writes Y_h as [N,D,H]",
      not_first && pair && rows && wants(output::Y_h), shuffled(in_Y_h, written_row_by_row));
  add("y-h-is-last-row", "direction|lengths", "returns Y[T-1] as Y_h", wants(output::Y) && wants(output::Y_h),
      spoiling([](const ResolvedNode& node, PlainOutputs& o) { copy_row_of_Y(node, o, node.T - 1); }));
  add("y-h-is-first-row", "-", "returns Y[0] as Y_h", wants(output::Y) && wants(output::Y_h),
      spoiling([](const ResolvedNode& node, PlainOutputs& o) { copy_row_of_Y(node, o, 0); }));
  add("y-h-is-zero", "-", "never writes Y_h", wants(output::Y_h),
      spoiling([](const ResolvedNode&, PlainOutputs& o) { std::ranges::fill(o.Y_h, 0.0); }));
  add("y-c-is-zero", "-", "never writes Y_c", lstm && wants(output::Y_c),
      spoiling([](const ResolvedNode&, PlainOutputs& o) { std::ranges::fill(o.Y_c, 0.0); }));
  add("y-c-is-y-h", "-", "returns Y_h as Y_c", lstm && wants(output::Y_h) && wants(output::Y_c),
      spoiling([](const ResolvedNode&, PlainOutputs& o) { o.Y_c = o.Y_h; }));
  add("y-h-and-y-c-exchanged", "-", "returns Y_c as Y_h and the other way round",
      lstm && wants(output::Y_h) && wants(output::Y_c),
      spoiling([](const ResolvedNode&, PlainOutputs& o) { std::swap(o.Y_h, o.Y_c); }));
  add("padding-computed", "lengths", "goes on computing Y beyond a sequence's length",
      Needs(ragged) && wants(output::Y), switched([](Faults& f) { f.padding_is_computed = true; }));
  add("one-element-off", "-", "stores one element of Y with a relative error of 1e-4",
      Needs(wide_type) && wants(output::Y), switched([](Faults& f) { f.one_element_off = true; }));
  return table;
}

Table precision_mutants() {
  Table table;
  const Needs all = anything, lstm = is(Operator::LSTM);
  table.push_back(precise("tf32-operands", "rounds the factors of products to 11 bits", all,
                          switched([](Faults& f) { f.operand_bits = 11; })));
  table.push_back(precise("bf16-operands", "rounds the factors of products to 8 bits", all,
                          switched([](Faults& f) { f.operand_bits = 8; })));
  table.push_back(precise("tf32-operands-late",
                          "rounds the factors of products to 11 bits in the second half of the sequence", all,
                          switched([](Faults& f) {
                            f.operand_bits = 11;
                            f.only_in_second_half = true;
                          })));
  table.push_back(precise("half-cell", "keeps C with 11 bits", lstm, switched([](Faults& f) { f.cell_bits = 11; })));
  table.push_back(precise("bf16-cell", "keeps C with 8 bits", lstm, switched([](Faults& f) { f.cell_bits = 8; })));
  table.push_back(precise("sigmoid-saturates-early", "takes sigmoid for 0 and 1 beyond +-8",
                          Needs(gated) && uses_any({"Sigmoid"}),
                          switched([](Faults& f) { f.sigmoid_saturates_early = true; })));
  table.back().blames = std::string("regime");
  table.push_back(
      precise("bf16-weights", "keeps W and R with 8 bits", all, [](Sowing& s) { round_weights(s.node, 8); }));
  table.push_back(
      precise("f16-weights", "keeps W and R with 11 bits", all, [](Sowing& s) { round_weights(s.node, 11); }));
  table.push_back(precise("bf16-input", "keeps X with 8 bits", all, [](Sowing& s) { shorten(s.node.X, 8); }));
  table.push_back(precise("f16-input", "keeps X with 11 bits", all, [](Sowing& s) { shorten(s.node.X, 11); }));
  table.push_back(precise("bf16-bias", "keeps B with 8 bits", has(input::B),
                          each_direction([](const ResolvedNode&, ResolvedDirection& d) {
                            shorten(d.Wb, 8);
                            shorten(d.Rb, 8);
                          })));
  table.back().blames = "input.B";
  table.push_back(precise("bf16-state", "keeps H with 8 bits", all, switched([](Faults& f) { f.state_bits = 8; })));
  table.push_back(precise("f16-state", "keeps H with 11 bits", all, switched([](Faults& f) { f.state_bits = 11; })));
  table.push_back(precise("half-accumulator", "adds products with 11 bits", all,
                          switched([](Faults& f) { f.accumulator_bits = 11; })));
  table.push_back(precise("tanh-error", "has a tanh that errs by 1e-4", uses_any({"Tanh", "ScaledTanh"}),
                          switched([](Faults& f) { f.tanh_error = 1e-4; })));
  return table;
}

}  // namespace cellproof::lab::mutants
