#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> defaults_written(const Problem& problem) {
  const Node left(problem);
  Node right(problem);
  Attributes& attributes = right.problem().attributes;
  const OperatorRules& rules = rules_of(problem.version);
  if (!attributes.direction) attributes.direction = "forward";
  if (rules.attribute("layout") != nullptr && !attributes.layout) attributes.layout = 0;
  if (rules.attribute("input_forget") != nullptr && !attributes.input_forget) attributes.input_forget = 0;
  if (rules.attribute("linear_before_reset") != nullptr && !attributes.linear_before_reset)
    attributes.linear_before_reset = 0;
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
