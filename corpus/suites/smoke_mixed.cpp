#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/smoke_parts.hpp"
#include "spec/axes.hpp"

namespace cellproof::corpus::catalogue {
namespace {

using Value = std::pair<std::string_view, std::string_view>;

/// Met alone only: values that make most of a result trivial, and values with which a refusal is as good as a result.
constexpr std::array<Value, 21> met_alone{{
    {"clip", "zero"},
    {"activations", "written-out"},
    {"T", "0"},
    {"N", "0"},
    {"lengths", "all-zero"},
    {"outputs", "none"},
    {"regime", "zero"},
    {"regime", "special"},
    {"regime", "subnormal"},
    {"hidden_size", "absent"},
    {"layout", "2"},
    {"alpha", "given"},
    {"alpha", "short"},
    {"alpha", "long"},
    {"beta", "given"},
    {"beta", "short"},
    {"beta", "long"},
    {"activations", "lower-case"},
    {"activations", "two-names"},
    {"linear_before_reset", "2"},
    {"output_sequence", "0"},
}};

bool is_met_alone(std::string_view axis_name, std::string_view value) {
  return std::find(met_alone.begin(), met_alone.end(), Value(axis_name, value)) != met_alone.end();
}

bool is_size(std::string_view axis_name) {
  return axis_name == "T" || axis_name == "N" || axis_name == "I" || axis_name == "H";
}

}  // namespace

/// Case k takes value k of every axis, counted from the axis's own number on, modulo how many values it has. Each time
/// round the count starts further on, so that axes with equally many values do not move in step. Parameters are given
/// where the functions that came up take any. Two cases in three stay in float, which every runtime has.
void add_mixed(OperatorVersion version, CaseList& list) {
  constexpr std::size_t count = 12;
  for (std::size_t k = 0; k < count; ++k) {
    Case c = basis(version);
    c.seed = k + 1;
    std::size_t number = 0;
    for (const Axis& row : axes_of_meaning()) {
      ++number;
      auto values = row.values(version);
      std::erase_if(values, [&](const std::string& value) { return is_met_alone(row.name, value); });
      if (values.empty() || is_size(row.name) || row.name.ends_with(".backward")) continue;
      if (row.name == "type" && k % 3 != 0) continue;
      const std::size_t round = k / values.size();
      c = row.apply(c, values[(k + number + round * number) % values.size()]);
    }
    list.add(fmt::format("mixed-{:02}", k), with_given_parameters(std::move(c)));
  }
}

}  // namespace cellproof::corpus::catalogue
