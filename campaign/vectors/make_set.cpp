#include "campaign/vectors/make_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "campaign/vectors/ways.hpp"
#include "oracle/faults/catalogue.hpp"
#include "oracle/reading_choices.hpp"
#include "oracle/value_type.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

reports::VectorOutput numbers_of(const oracle::HonestOutput& honest, ElementType type) {
  const Tensor zeros(type, honest.shape);
  reports::VectorOutput output{zeros, zeros, zeros, {}};
  for (std::size_t i = 0; i < honest.elements.size(); ++i) {
    const oracle::HonestElement& element = honest.elements[i];
    output.value.set_value(i, element.value);
    output.lo.set_value(i, element.lo);
    output.hi.set_value(i, element.hi);
    if (element.may_be_nan) output.nan.push_back(i);
  }
  return output;
}

reports::Vector vector_of(const corpus::SelectedVector& selected) {
  const std::vector<OperatorVersion> versions = versions_of(selected.c);
  if (versions.empty() || versions.back() != selected.c.version)
    throw std::invalid_argument(fmt::format("{} is no valid case of its operator's newest version", selected.name));
  reports::Vector vector{
      selected.name, to_text(selected.c), make_problem(selected.c), {}, {}, selected.kills, selected.tells, {}};
  for (const OperatorVersion version : versions) vector.versions.push_back(version.since_version);
  for (const Clause clause : oracle::open_clauses(vector.problem)) vector.clauses.emplace_back(info(clause).id);
  const auto ways = ways_of(vector.problem);
  if (!ways) throw std::invalid_argument(fmt::format("{} has too many readings", selected.name));
  const ElementType type = oracle::value_type(vector.problem);
  for (const Way& way : *ways) {
    reports::VectorWay& made = vector.ways.emplace_back();
    made.readings = way.readings;
    for (const auto& output : way.outputs)
      made.outputs.push_back(output ? std::optional(numbers_of(*output, type)) : std::nullopt);
  }
  return vector;
}

}  // namespace

std::vector<OperatorVersion> versions_of(const Case& c) {
  std::vector<OperatorVersion> versions;
  for (const OperatorVersion version : all_operator_versions()) {
    if (version.op != c.version.op) continue;
    Case other = c;
    other.version = version;
    if (expectation_of(other).kind == Expectation::Kind::Refuse) continue;
    versions.push_back(version);
  }
  if (versions.empty()) return versions;
  const auto open_in = [&](OperatorVersion version) {
    Case other = c;
    other.version = version;
    return oracle::open_clauses(make_problem(other));
  };
  const std::vector<Clause> open = open_in(versions.back());
  std::erase_if(versions, [&](OperatorVersion version) { return open_in(version) != open; });
  return versions;
}

reports::VectorSet make_set(const corpus::VectorSelection& selection) {
  reports::VectorSet set;
  set.version = selection.version;
  for (const corpus::SelectedVector& selected : selection.cases) {
    set.vectors.push_back(vector_of(selected));
    const reports::Vector& vector = set.vectors.back();
    for (const std::string& id : vector.kills) {
      const oracle::FaultInfo& fault = oracle::fault_info(id);
      set.faults[id] = {fault.what, std::string(fault.clause)};
    }
    for (const std::string& id : vector.clauses) set.clauses[id] = info(clause_named(id).value()).text;
  }
  return set;
}

}  // namespace cellproof::campaign
