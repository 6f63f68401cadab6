// Faults of layout and of initial states.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/faults/tables.hpp"
#include "oracle/other_layout.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/value_type.hpp"
#include "spec/expectation.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

/// Values of a state [D][N][H] moved to where the implementation looks for them: source_of(layout, d, b) says from
/// where.
using Row = std::pair<std::int64_t, std::int64_t>;
void move_rows(Problem& problem, std::size_t position,
               const std::function<Row(const Layout&, std::int64_t d, std::int64_t b)>& source_of) {
  const Layout f = layout_of(problem);
  change_values(problem, position, [&](std::vector<double>& values) {
    const std::vector<double> stored = values;
    for (std::int64_t d = 0; d < f.D; ++d) {
      for (std::int64_t b = 0; b < f.N; ++b) {
        const auto [from_d, from_b] = source_of(f, d, b);
        for (std::int64_t j = 0; j < f.H; ++j)
          values[f.state_offset(d, b) + at(j)] = stored[f.state_offset(from_d, from_b) + at(j)];
      }
    }
  });
}

std::vector<std::size_t> state_positions(const Problem& problem) {
  if (!has_cell_state(problem.version.op)) return {input::initial_h};
  return {input::initial_h, input::initial_c};
}
bool has_states(const Problem& problem) {
  return std::ranges::any_of(state_positions(problem), [&](std::size_t p) { return given(p)(problem); });
}

Fault of_rows(std::string_view id, Needs needs,
              std::function<Row(const Layout&, std::int64_t, std::int64_t)> source_of) {
  return of_problem(id, both(has_states, std::move(needs)), [source_of = std::move(source_of)](Problem& problem) {
    for (const std::size_t position : state_positions(problem)) move_rows(problem, position, source_of);
  });
}

/// A state of [N,D,H] read as [D,N,H].
Row misread(const Layout& f, std::int64_t d, std::int64_t b) {
  const std::int64_t position = d * f.N + b;
  return {position % f.D, position / f.D};
}

void scale(Problem& problem, std::size_t position, double factor) {
  change_values(problem, position, [&](std::vector<double>& values) {
    for (double& value : values) value = factor == 0 ? 0 : value * factor;
  });
}

/// One state where the other belongs.
void copy_input(Problem& problem, std::size_t from, std::size_t to) {
  problem.inputs.resize(std::max({problem.inputs.size(), from + 1, to + 1}));
  problem.inputs[to] = problem.inputs[from];
}

void exchange_states(Problem& problem) {
  const Problem before = problem;
  copy_input(problem, input::initial_c, input::initial_h);
  const Input was_h = before.inputs.size() > input::initial_h ? before.inputs[input::initial_h] : Input{};
  problem.inputs.resize(std::max(problem.inputs.size(), input::initial_c + 1));
  problem.inputs[input::initial_c] = was_h;
}

/// X read as if it lay in the other order: [T,N,I] instead of [N,T,I], or the other way round.
void misread_X(Problem& problem) {
  const Layout f = layout_of(problem);
  const bool batch_first = is_batch_first(problem);
  change_values(problem, input::X, [&](std::vector<double>& values) {
    const std::vector<double> stored = values;
    for (std::int64_t t = 0; t < f.T; ++t) {
      for (std::int64_t b = 0; b < f.N; ++b) {
        const std::int64_t place = batch_first ? t * f.N + b : b * f.T + t;
        for (std::int64_t k = 0; k < f.I; ++k) values[f.x_offset(t, b) + at(k)] = stored[at(place * f.I + k)];
      }
    }
  });
}

/// A state of [D,N,H] read as [N,D,H].
Row misread_by_batch(const Layout& f, std::int64_t d, std::int64_t b) {
  const std::int64_t position = b * f.D + d;
  return {position / f.N, position % f.N};
}

/// Do the outputs say where the forward direction ended?
bool asks_for_states(const Problem& problem) {
  return problem.asks_for(output::Y_h) && (!has_cell_state(problem.version.op) || problem.asks_for(output::Y_c));
}

/// The backward direction starts where the forward one ended.
bool start_backward_from_forward(View& view) {
  const Layout f = layout_of(view.problem());
  const Outputs& outputs = view.outputs();
  const bool with_cell = has_cell_state(view.problem().version.op);
  std::vector<Input> inputs = view.problem().inputs;
  inputs.resize(std::max(inputs.size(), with_cell ? input::initial_c + 1 : input::initial_h + 1));
  const auto chain = [&](std::size_t position, std::size_t which) {
    Tensor states(value_type(view.problem()), f.state_shape());
    for (std::int64_t b = 0; b < f.N; ++b) {
      for (std::int64_t j = 0; j < f.H; ++j) {
        const std::size_t forward = f.state_offset(0, b) + at(j);
        if (const Tensor* given = view.problem().input(position)) states.set_value(forward, given->value(forward));
        states.set_value(f.state_offset(1, b) + at(j), outputs[which]->value(forward));
      }
    }
    inputs[position] = {Presence::Given, Source::GraphInput, states};
  };
  chain(input::initial_h, output::Y_h);
  if (with_cell) chain(input::initial_c, output::Y_c);
  view.own_problem().inputs = std::move(inputs);
  return true;
}

/// An engine that is asked twice and starts where it ended: its states are what the first call led to.
bool start_from_last_call(View& view) {
  const ElementType type = value_type(view.problem());
  const Outputs none;
  const Observed unanswered(view.problem(), none);
  const Layout& f = unanswered.layout;
  const Task first(unanswered, Readings{}, arithmetic_of(default_contract(type), type));
  const Trajectory trajectory = forward_sets(first, bits_of_double);
  Tensor h(type, f.state_shape()), c = h;
  for (std::int64_t d = 0; d < f.D; ++d) {
    for (std::int64_t b = 0; b < f.N; ++b) {
      for (std::int64_t j = 0; j < f.H; ++j) {
        const std::size_t place = f.state_offset(d, b) + at(j), state = ElementEvaluation::state_place(f, d, b) + at(j);
        const std::int64_t steps = f.lengths[at(b)];
        h.set_value(place, steps == 0
                               ? first.initial_state_of_h(d, b, j)
                               : static_cast<double>(
                                     trajectory.H[ElementEvaluation::y_place(f, steps - 1, d, b) + at(j)].centre));
        if (!trajectory.C.empty())
          c.set_value(place,
                      steps == 0 ? first.initial_state_of_c(d, b, j) : static_cast<double>(trajectory.C[state].centre));
      }
    }
  }
  std::vector<Input> inputs = view.problem().inputs;
  inputs.resize(std::max(inputs.size(), trajectory.C.empty() ? input::initial_h + 1 : input::initial_c + 1));
  inputs[input::initial_h] = {Presence::Given, Source::GraphInput, h};
  if (!trajectory.C.empty()) inputs[input::initial_c] = {Presence::Given, Source::GraphInput, c};
  view.own_problem().inputs = std::move(inputs);
  return true;
}

/// Does layout 0 give the problem a meaning, and another one?
bool has_another_meaning_in_layout_0(const Problem& problem) {
  const Layout f = layout_of(problem);
  const bool is_the_same = f.T == 1 && f.N == 1 && f.D == 1;
  return f.batchwise && !is_layout_open(problem) && !is_the_same &&
         expectation_of(in_layout_0(problem)).kind != Expectation::Kind::Refuse;
}

void add_layout_of_inputs(Table& table) {
  table.push_back(of_problem("layout-1-taken-for-0", has_another_meaning_in_layout_0,
                             [](Problem& problem) { problem.attributes.layout = 0; }));
  const auto second_axis = [](const Problem& p) {
    return is_batch_first(p) && is_bidirectional(p) && has_several_rows(p);
  };
  table.push_back(of_rows("layout-ignored-in-states", second_axis, misread));
  table.push_back(of_problem("layout-ignored-in-x", both(is_batch_first, has_several_rows), misread_X));
  const auto by_steps = [](const Problem& p) { return !is_batch_first(p) && has_several_rows(p); };
  table.push_back(of_rows("states-read-by-batch", both(by_steps, is_bidirectional), misread_by_batch));
  table.push_back(of_problem("x-read-by-batch", by_steps, misread_X));
  for (const std::size_t position : {input::initial_h, input::initial_c}) {
    const char* which = position == input::initial_h ? "h" : "c";
    table.push_back(of_problem(fmt::format("layout-ignored-in-initial-{}", which), both(second_axis, given(position)),
                               [position](Problem& problem) { move_rows(problem, position, misread); }));
  }
}

}  // namespace

Table states() {
  Table table;
  add_layout_of_inputs(table);
  const auto add = [&](std::string_view id, Needs needs, std::function<void(Problem&)> change) {
    table.push_back(of_problem(id, std::move(needs), std::move(change)));
  };
  add("initial-h-ignored", given(input::initial_h), [](Problem& p) { scale(p, input::initial_h, 0); });
  add("initial-h-negated", given(input::initial_h), [](Problem& p) { scale(p, input::initial_h, -1); });
  add("initial-c-ignored", given(input::initial_c), [](Problem& p) { scale(p, input::initial_c, 0); });
  add("initial-c-negated", given(input::initial_c), [](Problem& p) { scale(p, input::initial_c, -1); });
  add("initial-states-exchanged", has_states, exchange_states);
  add("initial-c-for-h", has_states, [](Problem& p) { copy_input(p, input::initial_c, input::initial_h); });
  add("initial-h-for-c", has_states, [](Problem& p) { copy_input(p, input::initial_h, input::initial_c); });
  table.push_back(
      of_rows("states-of-first-sequence", has_several_rows, [](const Layout&, std::int64_t d, std::int64_t) {
        return Row{d, 0};
      }));
  table.push_back(
      of_rows("states-of-next-sequence", has_several_rows, [](const Layout& f, std::int64_t d, std::int64_t b) {
        return Row{d, (b + 1) % f.N};
      }));
  table.push_back(of_rows("directions-exchanged-in-initial-states", is_bidirectional,
                          [](const Layout&, std::int64_t d, std::int64_t b) {
                            return Row{1 - d, b};
                          }));
  table.push_back(
      of_rows("backward-takes-forward-states", is_bidirectional, [](const Layout&, std::int64_t, std::int64_t b) {
        return Row{0, b};
      }));
  table.push_back({fault_info("state-leaks-to-next-sequence"), both(has_several_rows, every_row_runs), [](View& view) {
                     view.fault_hooks.state_goes_to_next_row = true;
                     return true;
                   }});
  table.push_back(
      {fault_info("directions-chained"), both(is_bidirectional, asks_for_states), start_backward_from_forward});
  table.push_back({fault_info("state-kept-from-the-call-before"), always, start_from_last_call});
  return table;
}

}  // namespace cellproof::oracle::fault_tables
