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
  };
}

}  // namespace cellproof::axes_detail
