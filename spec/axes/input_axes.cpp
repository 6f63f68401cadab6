#include "spec/axes/groups.hpp"
#include "spec/axes/lengths_pattern.hpp"
#include "spec/axes/quantisation.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::axes_detail {
namespace {

using Values = std::vector<std::string>;

bool has_input(OperatorVersion version, std::size_t position) {
  return position < rules_of(version).inputs.size();
}

CaseInput& at(Case& c, std::size_t position) {
  const Case plain = plain_case(c.version, c.type, c.T, c.N, c.I, c.H);
  while (c.inputs.size() <= position) c.inputs.push_back(plain.inputs[c.inputs.size()]);
  return c.inputs[position];
}

/// The input as it stands in the case; one that is not mentioned is absent.
CaseInput state_of(const Case& c, std::size_t position) {
  return position < c.inputs.size() ? c.inputs[position] : CaseInput{};
}

/// A Constant node's output is as constant as an initializer: for the axes they are one value.
std::string_view axis_value_of(Source source) {
  return name(source == Source::ConstantNode ? Source::Initializer : source);
}
void set_source(CaseInput& in, std::string_view value) {
  if (axis_value_of(in.source) != value) in.source = source_named(value).value();
}

/// Source of a required tensor; `usual` is the default.
Axis required_axis(std::string_view name, std::string_view what, std::size_t position, Source usual) {
  return make_axis(
      name, what,
      [=](OperatorVersion version) {
        const Source other = usual == Source::Initializer ? Source::GraphInput : Source::Initializer;
        return has_input(version, position)
                   ? Values{std::string(axis_value_of(usual)), std::string(axis_value_of(other))}
                   : Values{};
      },
      [=](const Case& c) {
        return std::string(axis_value_of(position < c.inputs.size() ? c.inputs[position].source : usual));
      },
      [=](Case& c, std::string_view value) { set_source(at(c, position), value); });
}

/// Presence and source of an optional tensor.
Axis optional_axis(std::string_view name, std::string_view what, std::size_t position) {
  return make_axis(
      name, what,
      [=](OperatorVersion version) {
        return has_input(version, position) ? Values{"absent", "empty", "initializer", "graph"} : Values{};
      },
      [=](const Case& c) -> std::string {
        const CaseInput in = state_of(c, position);
        if (in.presence == Presence::Given) return std::string(axis_value_of(in.source));
        return in.presence == Presence::Empty ? "empty" : "absent";
      },
      [=](Case& c, std::string_view value) {
        CaseInput& in = at(c, position);
        if (value == "absent" || value == "empty") {
          in.presence = value == "empty" ? Presence::Empty : Presence::Absent;
          return;
        }
        in.presence = Presence::Given;
        set_source(in, value);
      });
}

/// Way in which the lengths stand in the model; what they are is another axis.
Axis sequence_lens_axis() {
  return make_axis(
      "input.sequence_lens",
      "how sequence_lens stands in the model: a graph input (or not at all: see lengths), an initializer, or the empty "
      "name; an initializer brings ragged lengths along where there were none, the empty name takes the lengths away",
      [](OperatorVersion) {
        return Values{"graph", "initializer", "empty"};
      },
      [](const Case& c) -> std::string {
        const CaseInput in = state_of(c, input::sequence_lens);
        if (in.presence == Presence::Empty) return "empty";
        return std::string(in.presence == Presence::Given ? axis_value_of(in.source) : "graph");
      },
      [](Case& c, std::string_view value) {
        CaseInput& in = at(c, input::sequence_lens);
        if (value == "empty") {
          in.presence = Presence::Empty;
          return;
        }
        set_source(in, value);
        if (in.presence == Presence::Empty) in.presence = Presence::Absent;
        if (value == "initializer" && in.presence != Presence::Given) write_lengths(c, "ragged");
      });
}

Axis columns_axis(std::string_view name, std::string_view what, std::size_t position) {
  return make_axis(
      name, what,
      [=](OperatorVersion version) {
        return has_input(version, position) ? Values{"per-direction", "per-column"} : Values{};
      },
      [=](const Case& c) { return is_per_column(c, position) ? "per-column" : "per-direction"; },
      [=](Case& c, std::string_view value) {
        at(c, position);
        set_per_column(c, position, value == "per-column");
      });
}

}  // namespace

std::vector<Axis> input_axes() {
  const auto initializer = Source::Initializer;
  return {
      required_axis("input.X", "where X comes from", input::X, Source::GraphInput),
      required_axis("input.W", "where W comes from", input::W, initializer),
      required_axis("input.R", "where R comes from", input::R, initializer),
      optional_axis("input.B", "the biases: absent, the empty name, an initializer or a graph input", input::B),
      sequence_lens_axis(),
      optional_axis("input.initial_h", "the initial hidden state, likewise", input::initial_h),
      optional_axis("input.initial_c", "the initial cell state, likewise", input::initial_c),
      optional_axis("input.P", "the peepholes, likewise", input::P),
      required_axis("input.W_scale", "where W_scale comes from", input::W_scale, initializer),
      required_axis("input.W_zero_point", "where W_zero_point comes from", input::W_zero_point, initializer),
      required_axis("input.R_scale", "where R_scale comes from", input::R_scale, initializer),
      required_axis("input.R_zero_point", "where R_zero_point comes from", input::R_zero_point, initializer),
      columns_axis("columns.W_scale", "is W_scale [D] or [D,4H]", input::W_scale),
      columns_axis("columns.W_zero_point", "is W_zero_point [D] or [D,4H]", input::W_zero_point),
      columns_axis("columns.R_scale", "is R_scale [D] or [D,4H]", input::R_scale),
      columns_axis("columns.R_zero_point", "is R_zero_point [D] or [D,4H]", input::R_zero_point),
  };
}

std::vector<Axis> lengths_axes() {
  return {make_axis(
      "lengths",
      "what sequence_lens says: not given, all T, ragged, some 0, all 0, all 1; T and N grow where they are too small "
      "to "
      "tell the pattern from the others",
      [](OperatorVersion) { return Values{"absent", "full", "ragged", "with-zero", "all-zero", "one"}; },
      lengths_pattern,
      [](Case& c, std::string_view value) {
        at(c, input::sequence_lens);
        grow_for_pattern(c, value);
        write_lengths(c, value);
      })};
}

}  // namespace cellproof::axes_detail
