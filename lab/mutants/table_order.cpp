// Mutants of directions, layout, lengths and states.
#include <algorithm>

#include "lab/mutants/node_changes.hpp"
#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

using Take = void (*)(ResolvedDirection& to, const ResolvedDirection& from);

struct Thing {
  std::string name;
  Needs needs;
  Take take;
  bool W = false, R = false;  ///< which of the quantised matrices it is
};

std::vector<Thing> things() {
  return {
      {"weights", anything,
       [](ResolvedDirection& to, const ResolvedDirection& from) {
         to.W = from.W;
         to.R = from.R;
       },
       true, true},
      {"w", anything, [](ResolvedDirection& to, const ResolvedDirection& from) { to.W = from.W; }, true},
      {"r", anything, [](ResolvedDirection& to, const ResolvedDirection& from) { to.R = from.R; }, false, true},
      {"bias", has(input::B),
       [](ResolvedDirection& to, const ResolvedDirection& from) {
         to.Wb = from.Wb;
         to.Rb = from.Rb;
       }},
      {"peepholes", has(input::P), [](ResolvedDirection& to, const ResolvedDirection& from) { to.P = from.P; }},
      {"functions", names_functions,
       [](ResolvedDirection& to, const ResolvedDirection& from) { to.functions = from.functions; }},
      {"parameters", has(input::B),
       [](ResolvedDirection& to, const ResolvedDirection& from) {
         to.W = from.W;
         to.R = from.R;
         to.Wb = from.Wb;
         to.Rb = from.Rb;
         to.P = from.P;
       },
       true, true},
  };
}

void add_borrowing(Table& table) {
  for (const Thing& thing : things()) {
    const Needs needs = Needs(two_directions) && thing.needs;
    const auto add = [&](const std::string& how, bool first, bool second) {
      table.add(how + thing.name, needs, [=, take = thing.take, W = thing.W, R = thing.R](Sowing& s) {
        if (s.node.directions.size() != 2) return;
        const std::vector<ResolvedDirection> right = s.node.directions;
        if (first) take(s.node.directions[0], right[1]);
        if (second) take(s.node.directions[1], right[0]);
        if (!s.quantized) return;
        const std::vector<QuantizedDirection> matrices = s.quantized->directions;
        const auto borrow = [&](std::size_t d) {
          if (W) s.quantized->directions[d].W = matrices[1 - d].W;
          if (R) s.quantized->directions[d].R = matrices[1 - d].R;
        };
        if (first) borrow(0);
        if (second) borrow(1);
      });
    };
    add("backward-takes-forward-", false, true);
    add("forward-takes-backward-", true, false);
    add("directions-exchanged-in-", true, true);
  }
}

Sow turning(bool first, bool second) {
  return [=](Sowing& s) {
    s.node.directions.front().reverse = first;
    if (s.node.directions.size() == 2) s.node.directions.back().reverse = second;
  };
}

/// A split among threads that is off by one.
void read_second_half_early(Sowing& s) {
  const std::vector<double> right = s.node.X;
  for (std::size_t t = 0; t < s.node.T; ++t) {
    for (std::size_t n = (s.node.N + 1) / 2; n < s.node.N; ++n) {
      for (std::size_t k = 0; k < s.node.I; ++k)
        s.node.X[(t * s.node.N + n) * s.node.I + k] = right[(t * s.node.N + n - 1) * s.node.I + k];
    }
  }
}

bool some_row_is_empty(const Facts& facts) {
  return facts.node.T > 0 && std::ranges::any_of(facts.node.lengths, [](std::size_t length) { return length == 0; });
}

/// Rows [n] of the states of direction d taken from source(d, n).
using RowOf = std::function<std::pair<std::size_t, std::size_t>(const ResolvedNode&, std::size_t d, std::size_t n)>;
Sow moving_rows(const RowOf& source, bool of_h, bool of_c) {
  return [=](Sowing& s) {
    const std::vector<ResolvedDirection> right = s.node.directions;
    for (std::size_t d = 0; d < right.size(); ++d) {
      for (std::size_t n = 0; n < s.node.N; ++n) {
        const auto [from, row] = source(s.node, d, n);
        for (std::size_t j = 0; j < s.node.H; ++j) {
          if (of_h) s.node.directions[d].h[n * s.node.H + j] = right[from].h[row * s.node.H + j];
          if (of_c && !right[d].c.empty()) s.node.directions[d].c[n * s.node.H + j] = right[from].c[row * s.node.H + j];
        }
      }
    }
  };
}

/// Row (d, n) as it lies in a tensor [N,D,H] that is taken for [D,N,H].
std::pair<std::size_t, std::size_t> misread_row(const ResolvedNode& node, std::size_t d, std::size_t n) {
  const std::size_t D = node.directions.size(), place = d * node.N + n;
  return node.batch_first ? std::pair{place % D, place / D} : std::pair{d, n};
}

/// Row (d, n) as it lies in a tensor [D,N,H] that is taken for [N,D,H].
std::pair<std::size_t, std::size_t> row_by_batch(const ResolvedNode& node, std::size_t d, std::size_t n) {
  const std::size_t place = n * node.directions.size() + d;
  return {place / node.N, place % node.N};
}

void add_reading_by_batch(Table& table) {
  const Needs by_steps = [](const Facts& f) { return !f.node.batch_first && f.node.N > 1; };
  const Needs any_state = [](const Facts& f) { return has(input::initial_h)(f) || has(input::initial_c)(f); };
  table.add("states-read-by-batch", by_steps && Needs(two_directions) && any_state,
            moving_rows(row_by_batch, true, true));
  table.add("x-read-by-batch", by_steps, [](Sowing& s) {
    const std::vector<double> right = s.node.X;
    for (std::size_t t = 0; t < s.node.T; ++t) {
      for (std::size_t n = 0; n < s.node.N; ++n) {
        for (std::size_t k = 0; k < s.node.I; ++k)
          s.node.X[(t * s.node.N + n) * s.node.I + k] = right[(n * s.node.T + t) * s.node.I + k];
      }
    }
  });
}

/// The node of [N,T,I] as one of N steps and T rows. Where the rows have states or lengths, there are as many steps.
void read_in_layout_0(Sowing& s) {
  ResolvedNode& node = s.node;
  moving_rows(misread_row, true, true)(s);
  node.X = fuzz::with_axes_swapped(node.X, node.T, node.N, node.I);
  std::swap(node.T, node.N);
  node.batch_first = false;
  if (node.T == node.N) return;
  node.lengths.assign(node.N, node.T);
  for (ResolvedDirection& direction : node.directions) {
    direction.h.assign(node.N * node.H, 0);
    if (!direction.c.empty() || node.op == Operator::LSTM) direction.c.assign(node.N * node.H, 0);
  }
}

/// Can a node in layout 1 be one in layout 0, and another one?
bool is_another_in_layout_0(const Facts& facts) {
  const ResolvedNode& node = facts.node;
  const std::size_t D = node.directions.size();
  const auto is_given = [&](std::size_t position) { return facts.problem.input(position) != nullptr; };
  const bool has_states = is_given(input::initial_h) || (node.op == Operator::LSTM && is_given(input::initial_c));
  const bool lengths_fit = !is_given(input::sequence_lens) || node.T == node.N;
  const bool states_fit = !has_states || (node.T == node.N && node.N == D);
  const bool is_the_same = node.T == 1 && node.N == 1 && D == 1;
  return facts.problem.attributes.layout == 1 && lengths_fit && states_fit && !is_the_same;
}

void add_layout(Table& table) {
  table.add("layout-1-taken-for-0", is_another_in_layout_0, read_in_layout_0);
  const Needs exchanged = Needs(batch_first) && Needs(two_directions) && Needs(several_rows);
  const Needs any_state = [](const Facts& f) {
    return has(input::initial_h)(f) || (f.node.op == Operator::LSTM && has(input::initial_c)(f));
  };
  table.add("layout-ignored-in-states", exchanged && any_state, moving_rows(misread_row, true, true));
  table.add("layout-ignored-in-initial-h", exchanged && has(input::initial_h), moving_rows(misread_row, true, false));
  table.add("layout-ignored-in-initial-c", exchanged && has(input::initial_c), moving_rows(misread_row, false, true));
  table.add("layout-ignored-in-x", Needs(batch_first) && Needs(several_rows), [](Sowing& s) {
    if (!s.node.batch_first) return;
    const std::vector<double> right = s.node.X;  // [T][N][I], from a tensor [N][T][I]
    for (std::size_t place = 0; place < s.node.T * s.node.N; ++place) {
      const std::size_t n = place / s.node.T, t = place % s.node.T;
      for (std::size_t k = 0; k < s.node.I; ++k)
        s.node.X[place * s.node.I + k] = right[(t * s.node.N + n) * s.node.I + k];
    }
  });
}

}  // namespace

Table order_mutants() {
  Table table;
  table.add(
      "forward-taken-for-reverse", [](const Facts& f) { return f.problem.attributes.direction == "forward"; },
      turning(true, true));
  table.add("direction-ignored", only_reverse, turning(false, false));
  const Needs forward = [](const Facts& f) { return f.node.directions.size() == 1 && !f.node.directions[0].reverse; };
  table.add("reverse-by-default", forward, turning(true, true));
  table.add("backward-not-reversed", two_directions, turning(false, false));
  table.add("both-reversed", two_directions, turning(true, true));
  table.add("directions-exchanged-in-time", two_directions, turning(true, false));
  add_borrowing(table);
  add_layout(table);
  add_reading_by_batch(table);

  const auto add = [&](std::string_view id, Needs needs,
                       std::function<void(std::vector<std::size_t>&, std::size_t)> change) {
    table.add(id, std::move(needs), [change = std::move(change)](Sowing& s) { change(s.node.lengths, s.node.T); });
  };
  add("lengths-ignored", ragged, [](auto& lengths, std::size_t T) { std::ranges::fill(lengths, T); });
  add("length-off-by-one", anything, [](auto& lengths, std::size_t) {
    for (std::size_t& length : lengths) length -= length > 0 ? 1 : 0;
  });
  add("length-one-too-long", ragged, [](auto& lengths, std::size_t T) {
    for (std::size_t& length : lengths) length += length < T ? 1 : 0;
  });
  add("length-of-first-for-all", unequal,
      [](auto& lengths, std::size_t) { std::ranges::fill(lengths, std::size_t{lengths[0]}); });
  add("shortest-length-for-all", unequal,
      [](auto& lengths, std::size_t) { std::ranges::fill(lengths, std::size_t{*std::ranges::min_element(lengths)}); });
  add("lengths-of-next-row", unequal, [](auto& lengths, std::size_t) {
    const auto right = lengths;
    for (std::size_t n = 0; n < right.size(); ++n) lengths[n] = right[(n + 1) % right.size()];
  });
  add("lengths-sorted", unequal, [](auto& lengths, std::size_t) { std::sort(lengths.rbegin(), lengths.rend()); });
  add("length-zero-taken-for-t", some_row_is_empty,
      [](auto& lengths, std::size_t T) { std::ranges::replace(lengths, std::size_t{0}, T); });
  add("length-zero-taken-for-one", some_row_is_empty,
      [](auto& lengths, std::size_t T) { std::ranges::replace(lengths, std::size_t{0}, std::min<std::size_t>(T, 1)); });
  const auto longer_than = [](std::size_t steps) -> Needs {
    return [steps](const Facts& f) { return f.node.T > steps; };
  };
  table.add("previous-input", longer_than(1), switched(&Faults::input_lag, 1));
  table.add("input-two-steps-late", longer_than(1), switched(&Faults::input_lag, 2));
  table.add("next-input", longer_than(1), switched(&Faults::input_lag, -1));
  for (const int steps : {1, 2, 4}) {
    table.add("state-reset-every-" + std::to_string(steps), longer_than(static_cast<std::size_t>(steps)),
              switched(&Faults::resets_every, steps));
  }
  table.add("batch-halves-overlap", several_rows, read_second_half_early, Mutant::Shows::WithThreads);
  table.add("reverse-takes-last-steps", Needs(reverses) && Needs(ragged),
            switched(&Faults::reverse_takes_last_steps, true));
  table.add("reverse-starts-in-padding", Needs(reverses) && Needs(ragged) && Needs(every_row_runs),
            switched(&Faults::reverse_starts_in_padding, true));
  return table;
}

Table state_mutants() {
  Table table;
  const auto add = [&](std::string_view id, std::size_t position, double factor) {
    const auto state = position == input::initial_h ? &ResolvedDirection::h : &ResolvedDirection::c;
    table.add(id, has(position), each_direction([=](ResolvedDirection& d) { scale(d.*state, factor); }));
  };
  add("initial-h-ignored", input::initial_h, 0);
  add("initial-h-negated", input::initial_h, -1);
  add("initial-c-ignored", input::initial_c, 0);
  add("initial-c-negated", input::initial_c, -1);
  const Needs any = [](const Facts& f) {
    return has(input::initial_h)(f) || (f.node.op == Operator::LSTM && has(input::initial_c)(f));
  };
  table.add("initial-states-exchanged", any, each_direction([](ResolvedDirection& d) { std::swap(d.h, d.c); }));
  table.add("initial-c-for-h", any, each_direction([](ResolvedDirection& d) { d.h = d.c; }));
  table.add("initial-h-for-c", any, each_direction([](ResolvedDirection& d) { d.c = d.h; }));
  table.add("states-of-first-sequence", any && Needs(several_rows), [](Sowing& s) { share_first_state(s.node); });
  table.add("states-of-next-sequence", any && Needs(several_rows),
            moving_rows(
                [](const ResolvedNode& node, std::size_t d, std::size_t n) {
                  return std::pair{d, (n + 1) % node.N};
                },
                true, true));
  table.add("directions-exchanged-in-initial-states", any && Needs(two_directions), [](Sowing& s) {
    ResolvedDirection &first = s.node.directions.front(), &second = s.node.directions.back();
    if (&first == &second) return;
    std::swap(first.h, second.h);
    std::swap(first.c, second.c);
  });
  table.add("backward-takes-forward-states", any && Needs(two_directions), [](Sowing& s) {
    s.node.directions.back().h = s.node.directions.front().h;
    s.node.directions.back().c = s.node.directions.front().c;
  });
  const Needs cell_is_shown = [](const Facts& f) {
    return !has_cell_state(f.node.op) || f.problem.asks_for(output::Y_c);
  };
  table.add("directions-chained", Needs(two_directions) && wants(output::Y_h) && cell_is_shown,
            switched(&Faults::directions_are_chained, true));
  table.add("state-leaks-to-next-sequence", Needs(several_rows) && Needs(every_row_runs),
            switched(&Faults::row_state_leaks, true));
  table.add("state-kept-from-the-call-before", anything, switched(&Faults::call_state_is_kept, true),
            Mutant::Shows::AfterACall);
  return table;
}

}  // namespace cellproof::lab::mutants
