#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "spec/rules/checks.hpp"

namespace cellproof::rules {
namespace {

Violation broken_input(const NodeFacts& facts, std::string rule, std::string_view input, std::string message) {
  return {std::move(rule), citation(facts.problem.version, fmt::format("input {}", input)), std::move(message)};
}

void check_input_presence(const NodeFacts& facts, std::vector<Violation>& found) {
  const std::vector<Input>& inputs = facts.problem.inputs;
  const std::vector<ArgumentRule>& rules = facts.rules.inputs;
  if (inputs.size() > rules.size()) {
    found.push_back({"input-count", citation(facts.problem.version, "inputs"),
                     fmt::format("the node has {} inputs, expected at most {}", inputs.size(), rules.size())});
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Presence presence = i < inputs.size() ? inputs[i].presence : Presence::Absent;
    if (presence == Presence::Given && !inputs[i].tensor) {
      found.push_back(
          broken_input(facts, fmt::format("data-of-{}", rules[i].name), rules[i].name,
                       fmt::format("input {} is given but comes without data, expected a tensor", rules[i].name)));
    } else if (presence != Presence::Given && rules[i].need == Need::Required) {
      found.push_back(broken_input(facts, fmt::format("missing-{}", rules[i].name), rules[i].name,
                                   fmt::format("input {} is {}, expected a tensor: it is required", rules[i].name,
                                               presence == Presence::Empty ? "the empty name" : "absent")));
    }
  }
}

bool allows(const TypeConstraint& constraint, ElementType type) {
  return std::ranges::find(constraint.allowed, type) != constraint.allowed.end();
}

/// The type that a constraint stands for in this node: that of its first input whose type is allowed, else of its
/// first.
std::optional<ElementType> bound_type(const NodeFacts& facts, const TypeConstraint& constraint) {
  std::optional<ElementType> first;
  for (std::size_t i = 0; i < facts.rules.inputs.size(); ++i) {
    const Tensor* tensor = facts.problem.input(i);
    if (tensor == nullptr || facts.rules.inputs[i].type != constraint.name) continue;
    if (allows(constraint, tensor->type())) return tensor->type();
    if (!first) first = tensor->type();
  }
  return first;
}

void check_types(const NodeFacts& facts, const TypeConstraint& constraint, std::vector<Violation>& found) {
  const auto bound = bound_type(facts, constraint);
  if (!bound) return;
  bool reported = allows(constraint, *bound);
  for (std::size_t i = 0; i < facts.rules.inputs.size(); ++i) {
    const ArgumentRule& rule = facts.rules.inputs[i];
    const Tensor* tensor = facts.problem.input(i);
    if (tensor == nullptr || rule.type != constraint.name) continue;
    const std::string what = fmt::format("input {} has type {}", rule.name, onnx_name(tensor->type()));
    if (!allows(constraint, tensor->type()) && (tensor->type() != *bound || !reported)) {
      std::vector<std::string_view> names;
      for (const ElementType type : constraint.allowed) names.push_back(onnx_name(type));
      found.push_back(
          broken_input(facts, fmt::format("type-of-{}", rule.name), rule.name,
                       fmt::format("{}, expected {} in ({})", what, constraint.name, fmt::join(names, ", "))));
      reported = true;
    } else if (tensor->type() != *bound) {
      found.push_back(broken_input(
          facts, fmt::format("type-of-{}", rule.name), rule.name,
          fmt::format("{}, expected {} like the other inputs of type {}", what, onnx_name(*bound), constraint.name)));
    }
  }
}

void check_shapes(const NodeFacts& facts, std::vector<Violation>& found) {
  for (std::size_t i = 0; i < facts.rules.inputs.size(); ++i) {
    const ArgumentRule& rule = facts.rules.inputs[i];
    const Tensor* tensor = facts.problem.input(i);
    if (tensor == nullptr || fits(facts.shape_of(rule), facts.sizes, tensor->shape())) continue;
    const std::string_view kind = i == input::X ? "rank" : "shape";  // X's own shape defines T, N and I
    found.push_back(
        broken_input(facts, fmt::format("{}-of-{}", kind, rule.name), rule.name,
                     fmt::format("input {} has shape {}, expected {} = {}", rule.name, to_string(tensor->shape()),
                                 facts.shape_of(rule), expected_shape(facts.shape_of(rule), facts.sizes))));
  }
}

void check_lengths(const NodeFacts& facts, std::vector<Violation>& found) {
  if (!facts.lengths || !facts.sizes.T) return;
  const auto outside = [&](std::int64_t length) { return length < 0 || length > *facts.sizes.T; };
  const auto bad = std::ranges::find_if(*facts.lengths, outside);
  if (bad == facts.lengths->end()) return;
  found.push_back({"length-out-of-range", std::string(info(Clause::LengthOutOfRange).id),
                   fmt::format("sequence_lens[{}] is {}, expected a length between 0 and {} (seq_length)",
                               bad - facts.lengths->begin(), *bad, *facts.sizes.T)});
}

}  // namespace

std::string citation(OperatorVersion version, std::string_view part) {
  const std::string_view of_domain = domain(version.op);
  return fmt::format("{}{}{}, {}", of_domain, of_domain.empty() ? "" : " ", to_string(version), part);
}

std::vector<Violation> input_violations(const NodeFacts& facts) {
  std::vector<Violation> found;
  check_input_presence(facts, found);
  for (const TypeConstraint& constraint : facts.rules.types) check_types(facts, constraint, found);
  check_shapes(facts, found);
  check_lengths(facts, found);
  return found;
}

std::vector<Violation> output_violations(const NodeFacts& facts) {
  std::vector<Violation> found;
  const std::vector<ArgumentRule>& rules = facts.rules.outputs;
  if (facts.problem.outputs.size() > rules.size()) {
    found.push_back(
        {"output-count", citation(facts.problem.version, "outputs"),
         fmt::format("the node has {} outputs, expected at most {}", facts.problem.outputs.size(), rules.size())});
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].need == Need::Optional || facts.problem.asks_for(i)) continue;
    found.push_back({fmt::format("missing-{}", rules[i].name),
                     citation(facts.problem.version, fmt::format("output {}", rules[i].name)),
                     fmt::format("output {} is not asked for, expected a name: it is required", rules[i].name)});
  }
  return found;
}

}  // namespace cellproof::rules
