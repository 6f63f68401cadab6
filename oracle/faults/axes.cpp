// Faults that exchange axes of inputs and outputs alike.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/faults/tables.hpp"
#include "oracle/values_of.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

const Fault& part_named(const Table& table, std::string_view id) {
  const auto found = std::ranges::find(table, id, &Fault::id);
  if (found == table.end()) throw std::logic_error("no fault '" + std::string(id) + "'");
  return *found;
}

/// The tensor with its first axis and another one exchanged.
Tensor with_exchanged_axes(const Tensor& tensor, std::size_t second) {
  Shape shape = tensor.shape();
  std::size_t between = 1, within = 1;
  for (std::size_t k = 1; k < second; ++k) between *= at(shape[k]);
  for (std::size_t k = second + 1; k < shape.size(); ++k) within *= at(shape[k]);
  const std::size_t A = at(shape[0]), C = at(shape[second]);
  const std::vector<double> stored = values_of(tensor);
  std::vector<double> values(stored.size());
  for (std::size_t a = 0; a < A; ++a) {
    for (std::size_t b = 0; b < between; ++b) {
      for (std::size_t c = 0; c < C; ++c) {
        for (std::size_t k = 0; k < within; ++k)
          values[((c * between + b) * A + a) * within + k] = stored[((a * between + b) * C + c) * within + k];
      }
    }
  }
  std::swap(shape[0], shape[second]);
  return Tensor::from_values(tensor.type(), shape, values);
}

/// States that are not 0 belong to rows, of which there is another number then.
bool starts_from_zero(const Problem& problem) {
  return !given(input::initial_h)(problem) &&
         (!has_cell_state(problem.version.op) || !given(input::initial_c)(problem));
}

/// X and Y with the other axis for time. The states have other rows: nothing is known of them but where both axes are
/// equally long.
bool take_batch_for_time(View& view) {
  const Layout f = layout_of(view.problem());
  Problem& problem = view.own_problem();
  problem.inputs[input::X].tensor = with_exchanged_axes(*problem.inputs[input::X].tensor, 1);
  for (const std::size_t position : {input::sequence_lens, input::initial_h, input::initial_c}) {
    const bool is_other = position == input::initial_c && !has_cell_state(problem.version.op);
    if (position < problem.inputs.size() && !is_other) problem.inputs[position] = {Presence::Empty, {}, {}};
  }
  Outputs& outputs = view.own_outputs();
  outputs[output::Y] = with_exchanged_axes(*outputs[output::Y], f.batchwise ? 1 : 2);
  for (const std::size_t position : {output::Y_h, output::Y_c}) {
    if (position >= outputs.size() || f.T == f.N) continue;
    outputs[position].reset();
    problem.outputs[position] = Presence::Empty;
  }
  return true;
}

}  // namespace

Table axes(const Table& others) {
  Table table;
  const auto takes_whole_rows = [](const Problem& p) { return has_several_rows(p) && !is_ragged(p); };
  const auto has_steps = [](const Problem& p) { return dimensions_of(p).T > 0; };
  table.push_back({fault_info("batch-taken-for-time"),
                   both(both(takes_whole_rows, has_steps), both(starts_from_zero, asks(output::Y))),
                   take_batch_for_time});
  const Fault inputs = part_named(others, "layout-ignored-in-states");
  const Fault last_h = part_named(others, "layout-ignored-in-y-h"),
              last_c = part_named(others, "layout-ignored-in-y-c");
  const auto asks_for_last = [](const Problem& p) { return p.asks_for(output::Y_h) || p.asks_for(output::Y_c); };
  table.push_back({fault_info("layout-ignored-in-states-throughout"), both(inputs.needs, asks_for_last),
                   [=](View& view) { return inputs.put_on(view) && last_h.put_on(view) && last_c.put_on(view); }});
  return table;
}

}  // namespace cellproof::oracle::fault_tables
