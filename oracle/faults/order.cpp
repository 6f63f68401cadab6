// Faults of directions, layout, lengths and initial states.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/faults/tables.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

/// Part that a direction takes from the other one.
struct Borrowed {
  const char* name;
  Needs needs;
  void (*take)(Cell& cell, const Cell& other);
};

const std::vector<Borrowed>& borrowed() {
  static const std::vector<Borrowed> list{
      {"weights", always,
       [](Cell& cell, const Cell& other) {
         cell.W = other.W;
         cell.R = other.R;
       }},
      {"w", always, [](Cell& cell, const Cell& other) { cell.W = other.W; }},
      {"r", always, [](Cell& cell, const Cell& other) { cell.R = other.R; }},
      {"bias", given(input::B),
       [](Cell& cell, const Cell& other) {
         cell.Wb = other.Wb;
         cell.Rb = other.Rb;
       }},
      {"peepholes", given(input::P), [](Cell& cell, const Cell& other) { cell.P = other.P; }},
      {"functions", [](const Problem& p) { return p.attributes.activations.has_value(); },
       [](Cell& cell, const Cell& other) { cell.activation = other.activation; }},
  };
  return list;
}

/// One direction, or both where `borrower` is -1, computes with what belongs to the other.
CellChange borrowing(const Borrowed& thing, int borrower) {
  return [take = thing.take, borrower](Cell& cell, const CellSource& source) {
    if (dimensions_of(source.problem).D != 2 || (borrower >= 0 && source.direction != borrower)) return;
    take(cell, cell_of(source.problem, source.readings, 1 - source.direction));
  };
}

void add_borrowing(Table& table) {
  for (const Borrowed& thing : borrowed()) {
    const auto add = [&](const char* how, int borrower) {
      table.push_back(of_cell(fmt::format("{}{}", how, thing.name), both(is_bidirectional, thing.needs),
                              borrowing(thing, borrower)));
    };
    add("backward-takes-forward-", 1);
    add("forward-takes-backward-", 0);
    add("directions-exchanged-in-", -1);
  }
}

Fault of_frame(std::string_view id, Needs needs, std::function<void(Layout&)> change) {
  return {fault_info(id), std::move(needs), [change = std::move(change)](View& view) {
            add_to(view.fault_hooks.layout, change);
            return true;
          }};
}

bool only_reverse(const Problem& problem) {
  return has_reverse(problem) && !is_bidirectional(problem);
}
bool only_forward(const Problem& problem) {
  return !has_reverse(problem);
}

Fault of_lengths(std::string_view id, Needs needs, std::function<void(std::vector<double>&, double)> change) {
  return of_problem(id, std::move(needs),
                    [change = std::move(change)](Problem& problem) { change_lengths(problem, change); });
}

bool lengths_differ(const Problem& problem) {
  const auto lengths = layout_of(problem).lengths;
  return std::ranges::any_of(lengths, [&](std::int64_t length) { return length != lengths.front(); });
}
bool has_empty_row(const Problem& problem) {
  const Layout f = layout_of(problem);
  return f.T > 0 && std::ranges::any_of(f.lengths, [](std::int64_t length) { return length == 0; });
}

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

/// X of [N,T,I] read as [T,N,I].
void misread_X(Problem& problem) {
  const Layout f = layout_of(problem);
  change_values(problem, input::X, [&](std::vector<double>& values) {
    const std::vector<double> stored = values;
    for (std::int64_t t = 0; t < f.T; ++t) {
      for (std::int64_t b = 0; b < f.N; ++b) {
        for (std::int64_t k = 0; k < f.I; ++k) values[f.x_offset(t, b) + at(k)] = stored[at((t * f.N + b) * f.I + k)];
      }
    }
  });
}

/// The rows from the middle on have what the rows before them have.
void read_second_half_early(Problem& problem) {
  const Layout f = layout_of(problem);
  change_values(problem, input::X, [&](std::vector<double>& values) {
    const std::vector<double> stored = values;
    for (std::int64_t t = 0; t < f.T; ++t) {
      for (std::int64_t b = (f.N + 1) / 2; b < f.N; ++b) {
        for (std::int64_t k = 0; k < f.I; ++k) values[f.x_offset(t, b) + at(k)] = stored[f.x_offset(t, b - 1) + at(k)];
      }
    }
  });
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

void add_layout_of_inputs(Table& table) {
  const auto second_axis = [](const Problem& p) {
    return is_batch_first(p) && is_bidirectional(p) && has_several_rows(p);
  };
  table.push_back(of_rows("layout-ignored-in-states", second_axis, misread));
  table.push_back(of_problem("layout-ignored-in-x", both(is_batch_first, has_several_rows), misread_X));
  for (const std::size_t position : {input::initial_h, input::initial_c}) {
    const char* which = position == input::initial_h ? "h" : "c";
    table.push_back(of_problem(fmt::format("layout-ignored-in-initial-{}", which), both(second_axis, given(position)),
                               [position](Problem& problem) { move_rows(problem, position, misread); }));
  }
}

}  // namespace

Table directions() {
  Table table;
  table.push_back(of_frame(
      "forward-taken-for-reverse", [](const Problem& p) { return p.attributes.direction == "forward"; },
      [](Layout& f) { f.reversed = {true}; }));
  table.push_back(of_frame("direction-ignored", only_reverse, [](Layout& f) { f.reversed = {false}; }));
  table.push_back(of_frame("reverse-by-default", only_forward, [](Layout& f) { f.reversed = {true}; }));
  table.push_back(of_frame("backward-not-reversed", is_bidirectional, [](Layout& f) { f.reversed = {false, false}; }));
  table.push_back(of_frame("both-reversed", is_bidirectional, [](Layout& f) { f.reversed = {true, true}; }));
  table.push_back(of_frame("directions-exchanged-in-time", is_bidirectional, [](Layout& f) {
    f.reversed = {true, false};
  }));
  add_borrowing(table);
  add_layout_of_inputs(table);
  return table;
}

Table lengths() {
  Table table;
  table.push_back(of_lengths("lengths-ignored", is_ragged,
                             [](std::vector<double>& lengths, double T) { std::ranges::fill(lengths, T); }));
  table.push_back(of_lengths("length-off-by-one", always, [](std::vector<double>& lengths, double) {
    for (double& length : lengths) length = std::max(0.0, length - 1);
  }));
  table.push_back(of_lengths("length-one-too-long", is_ragged, [](std::vector<double>& lengths, double T) {
    for (double& length : lengths) length = std::min(T, length + 1);
  }));
  table.push_back(of_lengths("length-of-first-for-all", lengths_differ, [](std::vector<double>& lengths, double) {
    std::ranges::fill(lengths, double{lengths.front()});
  }));
  table.push_back(of_lengths("shortest-length-for-all", lengths_differ, [](std::vector<double>& lengths, double) {
    std::ranges::fill(lengths, double{*std::ranges::min_element(lengths)});
  }));
  table.push_back(of_lengths("lengths-of-next-row", lengths_differ, [](std::vector<double>& lengths, double) {
    std::rotate(lengths.begin(), lengths.begin() + 1, lengths.end());
  }));
  table.push_back(of_lengths("lengths-sorted", lengths_differ, [](std::vector<double>& lengths, double) {
    std::ranges::sort(lengths, std::greater<>{});
  }));
  table.push_back(of_lengths("length-zero-taken-for-t", has_empty_row, [](std::vector<double>& lengths, double T) {
    for (double& length : lengths) length = length == 0 ? T : length;
  }));
  table.push_back(of_lengths("length-zero-taken-for-one", has_empty_row, [](std::vector<double>& lengths, double) {
    for (double& length : lengths) length = length == 0 ? 1 : length;
  }));
  const auto add = [&](std::string_view id, Needs needs, auto FaultHooks::*what_departs, auto value) {
    table.push_back({fault_info(id), std::move(needs), [=](View& view) {
                       view.fault_hooks.*what_departs = value;
                       return true;
                     }});
  };
  add(
      "previous-input", [](const Problem& p) { return dimensions_of(p).T > 1; }, &FaultHooks::input_lag, 1);
  table.push_back(of_problem("batch-halves-overlap", has_several_rows, read_second_half_early));
  add("reverse-starts-in-padding", both(has_reverse, is_ragged), &FaultHooks::warms_up_in_padding, true);
  return table;
}

Table states() {
  Table table;
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
  table.push_back({fault_info("state-leaks-to-next-sequence"), has_several_rows, [](View& view) {
                     view.fault_hooks.state_goes_to_next_row = true;
                     return true;
                   }});
  table.push_back({fault_info("state-kept-from-the-call-before"), always, start_from_last_call});
  return table;
}

}  // namespace cellproof::oracle::fault_tables
