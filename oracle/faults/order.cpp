// Faults of directions and lengths, and of the time that a step takes for its own.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

/// Part that a direction takes from the other one.
struct Borrowed {
  const char* name;
  Needs needs;
  void (*take)(Cell& cell, const Cell& other);
  bool W = false, R = false;  ///< which of the matrices it is, where they are quantised
};

const std::vector<Borrowed>& borrowed() {
  static const std::vector<Borrowed> list{
      {"weights", always,
       [](Cell& cell, const Cell& other) {
         cell.W = other.W;
         cell.R = other.R;
       },
       true, true},
      {"w", always, [](Cell& cell, const Cell& other) { cell.W = other.W; }, true},
      {"r", always, [](Cell& cell, const Cell& other) { cell.R = other.R; }, false, true},
      {"bias", given(input::B),
       [](Cell& cell, const Cell& other) {
         cell.Wb = other.Wb;
         cell.Rb = other.Rb;
       }},
      {"peepholes", given(input::P), [](Cell& cell, const Cell& other) { cell.P = other.P; }},
      {"functions", [](const Problem& p) { return p.attributes.activations.has_value(); },
       [](Cell& cell, const Cell& other) { cell.activation = other.activation; }},
      {"parameters", given(input::B),
       [](Cell& cell, const Cell& other) {
         cell.W = other.W;
         cell.R = other.R;
         cell.Wb = other.Wb;
         cell.Rb = other.Rb;
         cell.P = other.P;
       },
       true, true},
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

MatrixChange borrowing_matrices(const Borrowed& thing, int borrower) {
  return [of_W = thing.W, of_R = thing.R, borrower](QuantizedMatrix& W, QuantizedMatrix& R, const CellSource& source) {
    if (dimensions_of(source.problem).D != 2 || (borrower >= 0 && source.direction != borrower)) return;
    if (of_W) W = matrix_of_W(source.problem, source.readings, 1 - source.direction);
    if (of_R) R = matrix_of_R(source.problem, source.readings, 1 - source.direction);
  };
}

void add_borrowing(Table& table) {
  for (const Borrowed& thing : borrowed()) {
    const auto add = [&](const char* how, int borrower) {
      // A wrong order of gates, say, is that of both directions: it is the same for a part that is taken.
      const auto put_on = [=](View& view) {
        put_before(view.fault_hooks.cell, borrowing(thing, borrower));
        if (thing.W || thing.R) put_before(view.fault_hooks.matrices, borrowing_matrices(thing, borrower));
        return true;
      };
      table.push_back({fault_info(fmt::format("{}{}", how, thing.name)), both(is_bidirectional, thing.needs), put_on});
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
  const auto has_steps = [](const Problem& p) { return dimensions_of(p).T > 1; };
  add("previous-input", has_steps, &FaultHooks::input_lag, 1);
  add("input-two-steps-late", has_steps, &FaultHooks::input_lag, 2);
  add("next-input", has_steps, &FaultHooks::input_lag, -1);
  for (const int steps : {1, 2, 4}) {
    add(
        fmt::format("state-reset-every-{}", steps), [steps](const Problem& p) { return dimensions_of(p).T > steps; },
        &FaultHooks::resets_every, steps);
  }
  table.push_back(of_problem("batch-halves-overlap", has_several_rows, read_second_half_early));
  table.push_back(of_frame("reverse-takes-last-steps", both(has_reverse, is_ragged),
                           [](Layout& f) { f.reverse_takes_last = true; }));
  add("reverse-starts-in-padding", both(both(has_reverse, is_ragged), every_row_runs), &FaultHooks::warms_up_in_padding,
      true);
  return table;
}

}  // namespace cellproof::oracle::fault_tables
