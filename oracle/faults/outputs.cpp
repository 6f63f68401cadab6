// Faults of what is returned: right states in wrong places. The view puts them back where they belong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

/// An element's place: input time (of Y), direction, batch, unit.
struct Spot {
  std::int64_t t, d, b, j;
};
using WhereFrom = std::function<Spot(const Layout&, Spot)>;

std::size_t offset(const Layout& f, std::size_t which, Spot s) {
  return (which == output::Y ? f.y_offset(s.t, s.d, s.b) : f.state_offset(s.d, s.b)) + at(s.j);
}

void for_each_spot(const Layout& f, std::size_t which, const std::function<void(Spot)>& visit) {
  for (std::int64_t t = 0; t < (which == output::Y ? f.T : 1); ++t) {
    for (std::int64_t d = 0; d < f.D; ++d) {
      for (std::int64_t b = 0; b < f.N; ++b) {
        for (std::int64_t j = 0; j < f.H; ++j) visit({t, d, b, j});
      }
    }
  }
}

bool is_there(const View& view, std::size_t which) {
  return which < view.outputs().size() && view.outputs()[which].has_value();
}

/// The implementation stores at each spot what belongs at source_of(spot).
void put_back(View& view, std::size_t which, const WhereFrom& source_of) {
  if (!is_there(view, which)) return;
  const Layout f = layout_of(view.problem());
  Tensor& tensor = *view.own_outputs()[which];
  const Tensor stored = tensor;
  for_each_spot(f, which, [&](Spot s) {
    tensor.set_value(offset(f, which, source_of(f, s)), stored.value(offset(f, which, s)));
  });
}

/// Nothing more is asked of an output that the fault has made of something else.
void leave_out(View& view, std::size_t which) {
  view.own_outputs()[which].reset();
  view.own_problem().outputs[which] = Presence::Empty;
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

Fault moved(std::string_view id, Needs needs, std::vector<std::size_t> positions, WhereFrom source_of) {
  return {fault_info(id), std::move(needs),
          [positions = std::move(positions), source_of = std::move(source_of)](View& view) {
            for (const std::size_t which : positions) put_back(view, which, source_of);
            return true;
          }};
}

/// Y_h or Y_c holds what `made_of` says; it tells nothing more then.
Fault replaced(std::string_view id, Needs needs, std::size_t which,
               std::function<std::optional<double>(const View&, const Layout&, Spot)> made_of) {
  return {fault_info(id), both(asks(which), std::move(needs)), [which, made_of = std::move(made_of)](View& view) {
            const Layout f = layout_of(view.problem());
            bool agrees = true;
            for_each_spot(f, which, [&](Spot s) {
              const auto value = made_of(view, f, s);
              agrees = agrees && value && same(*value, view.outputs()[which]->value(offset(f, which, s)));
            });
            if (agrees) leave_out(view, which);
            return agrees;
          }};
}

std::optional<double> in_Y(const View& view, const Layout& f, Spot s, std::int64_t t) {
  if (!is_there(view, output::Y) || f.T == 0) return std::nullopt;
  return view.outputs()[output::Y]->value(offset(f, output::Y, {t, s.d, s.b, s.j}));
}

Spot other_direction(const Layout& f, Spot s) {
  return {s.t, f.D - 1 - s.d, s.b, s.j};
}
Spot row_reversed(const Layout& f, Spot s) {
  return {s.t, s.d, f.N - 1 - s.b, s.j};
}
/// Reverse directions by processed step.
Spot in_processing_order(const Layout& f, Spot s) {
  const std::int64_t length = f.lengths[at(s.b)];
  return f.reversed[at(s.d)] && s.t < length ? Spot{length - 1 - s.t, s.d, s.b, s.j} : s;
}
/// [N][D] where [D][N] belongs.
Spot transposed(const Layout& f, Spot s) {
  const std::int64_t position = s.d * f.N + s.b;
  return {s.t, position % f.D, position / f.D, s.j};
}
/// The layout's rows without its exchange of axes: [T][D][N] written into [N][T][D].
Spot without_layout(const Layout& f, Spot s) {
  const std::int64_t position = (s.b * f.T + s.t) * f.D + s.d;
  return {position / (f.D * f.N), position / f.N % f.D, position % f.N, s.j};
}
Spot state_without_layout(const Layout& f, Spot s) {
  const std::int64_t position = s.b * f.D + s.d;
  return {0, position / f.N, position % f.N, s.j};
}

/// [N][T][D] where [T][D][N] belongs.
Spot by_batch(const Layout& f, Spot s) {
  const std::int64_t position = (s.t * f.D + s.d) * f.N + s.b;
  return {position / f.D % f.T, position % f.D, position / (f.D * f.T), s.j};
}
/// A step's row at the place of the next one, the last at the first's; or the other way round.
WhereFrom slipped(std::int64_t by) {
  return [by](const Layout& f, Spot s) {
    const std::int64_t length = f.lengths[at(s.b)];
    return s.t < length ? Spot{(s.t + by + length) % length, s.d, s.b, s.j} : s;
  };
}

bool padding_is_zero(View& view) {
  const Layout f = layout_of(view.problem());
  bool was_zero = true;
  for_each_spot(f, output::Y, [&](Spot s) {
    if (s.t < f.lengths[at(s.b)]) return;
    const std::size_t place = offset(f, output::Y, s);
    was_zero = was_zero && view.outputs()[output::Y]->value(place) == 0;
    view.own_outputs()[output::Y]->set_value(place, 0);
  });
  return was_zero;
}

/// The forward direction's Y_h, where it is Y[T-1] everywhere.
bool put_last_state_right(View& view) {
  const Layout f = layout_of(view.problem());
  const Tensor* given = view.problem().input(input::initial_h);
  bool agrees = true;
  for_each_spot(f, output::Y_h, [&](Spot s) {
    if (f.reversed[at(s.d)]) return;
    const std::size_t place = offset(f, output::Y_h, s);
    const auto stored = in_Y(view, f, s, f.T - 1);
    agrees = agrees && stored && same(*stored, view.outputs()[output::Y_h]->value(place));
    if (!agrees) return;
    const std::int64_t length = f.lengths[at(s.b)];
    const double start = given ? given->value(place) : 0;
    view.own_outputs()[output::Y_h]->set_value(place, length > 0 ? *in_Y(view, f, s, length - 1) : start);
  });
  return agrees;
}

/// The middle step of the first sequence that has one.
bool put_element_right(View& view) {
  const Layout f = layout_of(view.problem());
  const auto row = std::ranges::find_if(f.lengths, [](std::int64_t length) { return length > 0; });
  if (row == f.lengths.end() || f.H == 0) return false;
  const std::size_t place = offset(f, output::Y, {*row / 2, 0, row - f.lengths.begin(), f.H / 2});
  view.own_outputs()[output::Y]->set_value(place, view.outputs()[output::Y]->value(place) / (1 + 1e-4));
  return true;
}

bool turns_rows(const Problem& problem) {
  return is_bidirectional(problem) && has_several_rows(problem);
}

bool has_two_steps(const Problem& problem) {
  return std::ranges::all_of(layout_of(problem).lengths, [](std::int64_t length) { return length >= 2; });
}

void add_layout_of_outputs(Table& table) {
  const Needs needs = both(is_batch_first, has_several_rows);
  table.push_back(moved("layout-ignored-in-y", needs, {output::Y}, without_layout));
  table.push_back(
      moved("layout-ignored-in-y-h", both(is_batch_first, turns_rows), {output::Y_h}, state_without_layout));
  table.push_back(
      moved("layout-ignored-in-y-c", both(is_batch_first, turns_rows), {output::Y_c}, state_without_layout));
}

}  // namespace

Table outputs() {
  Table table;
  add_layout_of_outputs(table);
  table.push_back(moved("y-in-processing-order", both(has_reverse, asks(output::Y)), {output::Y}, in_processing_order));
  table.push_back(moved("directions-swapped-in-states", is_bidirectional, {output::Y_h, output::Y_c}, other_direction));
  table.push_back(
      moved("directions-swapped-in-y", both(is_bidirectional, asks(output::Y)), {output::Y}, other_direction));
  table.push_back(
      moved("directions-swapped-in-y-h", both(is_bidirectional, asks(output::Y_h)), {output::Y_h}, other_direction));
  table.push_back(
      moved("directions-swapped-in-y-c", both(is_bidirectional, asks(output::Y_c)), {output::Y_c}, other_direction));
  table.push_back(moved("rows-reversed-in-y", both(has_several_rows, asks(output::Y)), {output::Y}, row_reversed));
  table.push_back(
      moved("rows-reversed-in-y-h", both(has_several_rows, asks(output::Y_h)), {output::Y_h}, row_reversed));
  table.push_back(
      moved("rows-reversed-in-y-c", both(has_several_rows, asks(output::Y_c)), {output::Y_c}, row_reversed));
  table.push_back(moved("y-batch-before-direction",
                        both([](const Problem& p) { return !is_batch_first(p); }, both(turns_rows, asks(output::Y))),
                        {output::Y}, transposed));
  table.push_back(moved("y-h-batch-before-direction",
                        both([](const Problem& p) { return !is_batch_first(p); }, both(turns_rows, asks(output::Y_h))),
                        {output::Y_h}, transposed));
  const auto has_steps = [](const Problem& p) { return dimensions_of(p).T > 1; };
  table.push_back(moved("y-slipped-by-a-step", both(has_steps, asks(output::Y)), {output::Y}, slipped(-1)));
  table.push_back(moved("y-slipped-back-by-a-step", both(has_steps, asks(output::Y)), {output::Y}, slipped(1)));
  table.push_back(
      moved("y-written-by-batch",
            both([](const Problem& p) { return !is_batch_first(p); }, both(has_several_rows, asks(output::Y))),
            {output::Y}, by_batch));
  const auto has_a_step = [](const Problem& p) { return dimensions_of(p).T > 0; };
  table.push_back(replaced("y-h-is-last-row", both(has_a_step, asks(output::Y)), output::Y_h,
                           [](const View& v, const Layout& f, Spot s) { return in_Y(v, f, s, f.T - 1); }));
  table.push_back({fault_info("y-h-is-last-row-forward"),
                   both(both(is_bidirectional, is_ragged), both(asks(output::Y), asks(output::Y_h))),
                   put_last_state_right});
  table.push_back(replaced("y-h-is-first-row", both(has_a_step, asks(output::Y)), output::Y_h,
                           [](const View& v, const Layout& f, Spot s) { return in_Y(v, f, s, 0); }));
  table.push_back(replaced("y-h-one-step-early", both(has_two_steps, asks(output::Y)), output::Y_h,
                           [](const View& v, const Layout& f, Spot s) {
                             const std::int64_t length = f.lengths[at(s.b)];
                             return in_Y(v, f, s, f.reversed[at(s.d)] ? 1 : length - 2);
                           }));
  table.push_back(replaced("y-h-is-zero", always, output::Y_h,
                           [](const View&, const Layout&, Spot) { return std::optional(0.0); }));
  table.push_back(replaced("y-c-is-zero", always, output::Y_c,
                           [](const View&, const Layout&, Spot) { return std::optional(0.0); }));
  table.push_back(replaced("y-c-is-y-h", asks(output::Y_h), output::Y_c, [](const View& v, const Layout& f, Spot s) {
    return std::optional(v.outputs()[output::Y_h]->value(offset(f, output::Y_h, s)));
  }));
  table.push_back({fault_info("y-h-and-y-c-exchanged"), both(asks(output::Y_h), asks(output::Y_c)), [](View& view) {
                     std::swap(view.own_outputs()[output::Y_h], view.own_outputs()[output::Y_c]);
                     return true;
                   }});
  table.push_back({fault_info("padding-computed"), both(is_ragged, asks(output::Y)),
                   [](View& view) { return !padding_is_zero(view); }});
  table.push_back(
      {fault_info("one-element-off"), both(both(has_wide_type, some_row_runs), asks(output::Y)), put_element_right});
  return table;
}

}  // namespace cellproof::oracle::fault_tables
