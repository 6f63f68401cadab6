#include "spec/axes/groups.hpp"

namespace cellproof::axes_detail {
namespace {

std::vector<std::string> dims_values(OperatorVersion) {
  std::vector<std::string> values;
  for (const Dims dims : all_dims()) values.emplace_back(name(dims));
  return values;
}

std::vector<std::string> nesting_values(OperatorVersion) {
  std::vector<std::string> values;
  for (const Nesting nesting : all_nestings()) values.emplace_back(name(nesting));
  return values;
}

std::vector<std::string> weights_values(OperatorVersion) {
  std::vector<std::string> values;
  for (const Weights weights : all_weights()) values.emplace_back(name(weights));
  return values;
}

std::vector<std::string> states_values(OperatorVersion version) {
  std::vector<std::string> values;
  if (has_cell_state(version.op))
    for (const States states : all_states()) values.emplace_back(name(states));
  return values;
}

bool can_share_states(const Case& c) {
  if (c.inputs.size() <= input::initial_c) return false;
  const CaseInput &h = c.inputs[input::initial_h], &cell = c.inputs[input::initial_c];
  return h.presence == Presence::Given && cell.presence == Presence::Given && h.source == cell.source;
}

/// Brings initial states along where there is nothing to share.
void set_states(Case& c, std::string_view value) {
  c.presentation.states = states_named(value).value();
  if (c.presentation.states == States::Own || can_share_states(c)) return;
  const Case plain = plain_case(c.version, c.type, c.T, c.N, c.I, c.H);
  while (c.inputs.size() <= input::initial_c) c.inputs.push_back(plain.inputs[c.inputs.size()]);
  CaseInput &h = c.inputs[input::initial_h], &cell = c.inputs[input::initial_c];
  const bool given = h.presence == Presence::Given;
  h.presence = Presence::Given;
  cell.presence = Presence::Given;
  (given ? cell.source : h.source) = given ? h.source : cell.source;
}

}  // namespace

std::vector<Axis> presentation_axes() {
  return {
      make_axis(
          "dims",
          "which sizes the model declares as symbols: none, T, N, both, both in X alone, all; or outputs have no shape "
          "at "
          "all",
          dims_values, [](const Case& c) { return std::string(name(c.presentation.dims)); },
          [](Case& c, std::string_view value) { c.presentation.dims = *dims_named(value); }),
      make_axis(
          "nesting",
          "where the node stands: in the model's graph, in an If, in an If in an If, in a Loop of one trip, in a "
          "function of the model; without outputs always in the graph",
          nesting_values, [](const Case& c) { return std::string(name(c.presentation.nesting)); },
          [](Case& c, std::string_view value) { c.presentation.nesting = *nesting_named(value); }),
      make_axis(
          "weights",
          "how initializers come to the node: as they are, or each direction's by an Unsqueeze, and two by a Concat",
          weights_values, [](const Case& c) { return std::string(name(c.presentation.weights)); },
          [](Case& c, std::string_view value) { c.presentation.weights = weights_named(value).value(); }),
      make_axis(
          "states",
          "are initial_h and initial_c two tensors, or one; one brings both inputs along where they were not there",
          states_values,
          [](const Case& c) { return std::string(name(can_share_states(c) ? c.presentation.states : States::Own)); },
          set_states),
  };
}

}  // namespace cellproof::axes_detail
