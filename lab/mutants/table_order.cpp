// Mutants of directions, layout, lengths and states.
#include <algorithm>

#include "lab/mutants/node_changes.hpp"
#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

using Take = void (*)(ResolvedDirection& to, const ResolvedDirection& from);

struct Thing {
  std::string name, called, blames;
  Needs needs;
  Take take;
};

std::vector<Thing> things() {
  return {
      {"weights", "W and R", "direction", anything,
       [](ResolvedDirection& to, const ResolvedDirection& from) {
         to.W = from.W;
         to.R = from.R;
       }},
      {"w", "W", "direction", anything, [](ResolvedDirection& to, const ResolvedDirection& from) { to.W = from.W; }},
      {"r", "R", "direction", anything, [](ResolvedDirection& to, const ResolvedDirection& from) { to.R = from.R; }},
      {"bias", "B", "direction input.B", has(input::B),
       [](ResolvedDirection& to, const ResolvedDirection& from) {
         to.Wb = from.Wb;
         to.Rb = from.Rb;
       }},
      {"peepholes", "P", "direction input.P", is(Operator::LSTM) && has(input::P),
       [](ResolvedDirection& to, const ResolvedDirection& from) { to.P = from.P; }},
      {"functions", "functions", "direction activation", names_functions,
       [](ResolvedDirection& to, const ResolvedDirection& from) { to.functions = from.functions; }},
  };
}

void add_borrowing(Table& table) {
  for (const Thing& thing : things()) {
    const Needs needs = Needs(two_directions) && thing.needs;
    const auto add = [&](const std::string& how, const std::string& what, bool first, bool second) {
      table.push_back({how + thing.name, thing.blames, what, needs, [=, take = thing.take](Sowing& s) {
                         if (s.node.directions.size() != 2) return;
                         const std::vector<ResolvedDirection> right = s.node.directions;
                         if (first) take(s.node.directions[0], right[1]);
                         if (second) take(s.node.directions[1], right[0]);
                       }});
    };
    add("backward-takes-forward-", "uses the forward direction's " + thing.called + " in both", false, true);
    add("forward-takes-backward-", "uses the backward direction's " + thing.called + " in both", true, false);
    add("directions-exchanged-in-", "uses each direction's " + thing.called + " in the other", true, true);
  }
}

Sow turning(bool first, bool second) {
  return [=](Sowing& s) {
    s.node.directions.front().reverse = first;
    if (s.node.directions.size() == 2) s.node.directions.back().reverse = second;
  };
}

Mutant length_mutant(const char* id, const char* what, Needs needs,
                     std::function<void(std::vector<std::size_t>&, std::size_t T)> change) {
  return {id, "lengths", what, std::move(needs),
          [change = std::move(change)](Sowing& s) { change(s.node.lengths, s.node.T); }};
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

void add_layout(Table& table) {
  const Needs exchanged = Needs(batch_first) && Needs(two_directions) && Needs(several_rows);
  const Needs any_state = [](const Facts& f) {
    return has(input::initial_h)(f) || (f.node.op == Operator::LSTM && has(input::initial_c)(f));
  };
  table.push_back({"layout-ignored-in-states", "layout direction input", "reads initial states of [N,D,H] as [D,N,H]",
                   exchanged && any_state, moving_rows(misread_row, true, true)});
  table.push_back({"layout-ignored-in-initial-h", "layout direction input.initial_h",
                   "reads initial_h of [N,D,H] as [D,N,H]", exchanged && has(input::initial_h),
                   moving_rows(misread_row, true, false)});
  table.push_back({"layout-ignored-in-initial-c", "layout direction input.initial_c",
                   "reads initial_c of [N,D,H] as [D,N,H]", is(Operator::LSTM) && exchanged && has(input::initial_c),
                   moving_rows(misread_row, false, true)});
  table.push_back({"layout-ignored-in-x", "layout", "reads X of [N,T,I] as [T,N,I]",
                   Needs(batch_first) && Needs(several_rows), [](Sowing& s) {
                     if (!s.node.batch_first) return;
                     const std::vector<double> right = s.node.X;  // [T][N][I], from a tensor [N][T][I]
                     for (std::size_t place = 0; place < s.node.T * s.node.N; ++place) {
                       const std::size_t n = place / s.node.T, t = place % s.node.T;
                       for (std::size_t k = 0; k < s.node.I; ++k)
                         s.node.X[place * s.node.I + k] = right[(t * s.node.N + n) * s.node.I + k];
                     }
                   }});
}

}  // namespace

Table order_mutants() {
  Table table;
  table.push_back({"forward-taken-for-reverse", "-", "runs in reverse where a direction is written, and it is forward",
                   [](const Facts& f) { return f.problem.attributes.direction == "forward"; }, turning(true, true)});
  table.push_back({"direction-ignored", "direction", "runs forward where reverse is asked for", only_reverse,
                   turning(false, false)});
  const Needs forward = [](const Facts& f) { return f.node.directions.size() == 1 && !f.node.directions[0].reverse; };
  table.push_back(
      {"reverse-by-default", "-", "runs in reverse where forward is asked for", forward, turning(true, true)});
  table.push_back(
      {"backward-not-reversed", "direction", "runs both directions forward", two_directions, turning(false, false)});
  table.push_back(
      {"both-reversed", "direction", "runs both directions in reverse", two_directions, turning(true, true)});
  table.push_back({"directions-exchanged-in-time", "direction",
                   "runs the first direction in reverse, the second forward", two_directions, turning(true, false)});
  add_borrowing(table);
  add_layout(table);

  table.push_back(length_mutant("lengths-ignored", "takes every sequence to have T steps", ragged,
                                [](auto& lengths, std::size_t T) { std::ranges::fill(lengths, T); }));
  table.push_back(length_mutant("length-off-by-one", "stops every sequence one step early", anything,
                                [](auto& lengths, std::size_t) {
                                  for (std::size_t& length : lengths) length -= length > 0 ? 1 : 0;
                                }));
  table.back().blames = std::string("-");
  table.push_back(
      length_mutant("length-one-too-long", "goes on for one step too many", ragged, [](auto& lengths, std::size_t T) {
        for (std::size_t& length : lengths) length += length < T ? 1 : 0;
      }));
  table.push_back(
      length_mutant("length-of-first-for-all", "uses the first sequence's length for all", unequal,
                    [](auto& lengths, std::size_t) { std::ranges::fill(lengths, std::size_t{lengths[0]}); }));
  table.push_back(length_mutant(
      "shortest-length-for-all", "stops all sequences with the shortest", unequal,
      [](auto& lengths, std::size_t) { std::ranges::fill(lengths, std::size_t{*std::ranges::min_element(lengths)}); }));
  table.push_back(length_mutant("lengths-of-next-row", "uses each sequence's length for the one before", unequal,
                                [](auto& lengths, std::size_t) {
                                  const auto right = lengths;
                                  for (std::size_t n = 0; n < right.size(); ++n)
                                    lengths[n] = right[(n + 1) % right.size()];
                                }));
  table.push_back(length_mutant("lengths-sorted",
                                "sorts the lengths, longest first, and leaves the sequences where they are", unequal,
                                [](auto& lengths, std::size_t) { std::sort(lengths.rbegin(), lengths.rend()); }));
  table.push_back(
      length_mutant("length-zero-taken-for-t", "runs sequences of no steps to the end", some_row_is_empty,
                    [](auto& lengths, std::size_t T) { std::ranges::replace(lengths, std::size_t{0}, T); }));
  table.push_back(length_mutant("length-zero-taken-for-one", "takes one step of sequences that have none",
                                some_row_is_empty, [](auto& lengths, std::size_t T) {
                                  std::ranges::replace(lengths, std::size_t{0}, std::min<std::size_t>(T, 1));
                                }));
  table.push_back({"previous-input", "-", "feeds the input of the step before",
                   [](const Facts& f) { return f.node.T > 1; }, switched([](Faults& f) { f.previous_input = true; })});
  table.push_back({"batch-halves-overlap", "-", "reads the second half of the batch from one row too early in X",
                   several_rows, read_second_half_early});
  table.back().shows = Mutant::Shows::WithThreads;
  table.push_back({"reverse-starts-in-padding", "direction lengths",
                   "starts the reverse direction at T - 1 whatever the length", Needs(reverses) && Needs(ragged),
                   switched([](Faults& f) { f.reverse_starts_in_padding = true; })});
  return table;
}

Table state_mutants() {
  Table table;
  const auto add = [&](const char* id, const char* what, std::size_t position, double factor) {
    const bool h = position == input::initial_h;
    Needs needs = has(position);
    if (!h) needs = is(Operator::LSTM) && needs;
    table.push_back({id, h ? "input.initial_h" : "input.initial_c", what, needs,
                     each_direction([=](const ResolvedNode&, ResolvedDirection& d) { scale(h ? d.h : d.c, factor); })});
  };
  add("initial-h-ignored", "starts from 0", input::initial_h, 0);
  add("initial-h-negated", "starts from the negative of initial_h", input::initial_h, -1);
  add("initial-c-ignored", "starts from an empty cell", input::initial_c, 0);
  add("initial-c-negated", "starts from the negative of initial_c", input::initial_c, -1);
  const Needs any = [](const Facts& f) {
    return has(input::initial_h)(f) || (f.node.op == Operator::LSTM && has(input::initial_c)(f));
  };
  const Needs lstm = is(Operator::LSTM) && any;
  table.push_back({"initial-states-exchanged", "input", "takes initial_c for H and initial_h for C", lstm,
                   each_direction([](const ResolvedNode&, ResolvedDirection& d) { std::swap(d.h, d.c); })});
  table.push_back({"initial-c-for-h", "input", "starts H and C from initial_c", lstm,
                   each_direction([](const ResolvedNode&, ResolvedDirection& d) { d.h = d.c; })});
  table.push_back({"initial-h-for-c", "input", "starts H and C from initial_h", lstm,
                   each_direction([](const ResolvedNode&, ResolvedDirection& d) { d.c = d.h; })});
  table.push_back({"states-of-first-sequence", "input", "starts all sequences from the first one's initial state",
                   any && Needs(several_rows), [](Sowing& s) { share_first_state(s.node); }});
  table.push_back({"states-of-next-sequence", "input", "starts each sequence from the next one's initial state",
                   any && Needs(several_rows),
                   moving_rows(
                       [](const ResolvedNode& node, std::size_t d, std::size_t n) {
                         return std::pair{d, (n + 1) % node.N};
                       },
                       true, true)});
  table.push_back({"directions-exchanged-in-initial-states", "direction input",
                   "starts each direction from the other one's states", any && Needs(two_directions), [](Sowing& s) {
                     ResolvedDirection &first = s.node.directions.front(), &second = s.node.directions.back();
                     if (&first == &second) return;
                     std::swap(first.h, second.h);
                     std::swap(first.c, second.c);
                   }});
  table.push_back({"backward-takes-forward-states", "direction input",
                   "starts both directions from the forward one's states", any && Needs(two_directions), [](Sowing& s) {
                     s.node.directions.back().h = s.node.directions.front().h;
                     s.node.directions.back().c = s.node.directions.front().c;
                   }});
  table.push_back({"state-leaks-to-next-sequence", "-", "starts a sequence from the last state of the one before",
                   several_rows, switched([](Faults& f) { f.row_state_leaks = true; })});
  table.push_back({"state-kept-from-the-call-before", "-",
                   "starts from the last state of the call before, here of one with the same inputs", anything,
                   switched([](Faults& f) { f.call_state_is_kept = true; })});
  table.back().shows = Mutant::Shows::AfterACall;
  return table;
}

}  // namespace cellproof::lab::mutants
