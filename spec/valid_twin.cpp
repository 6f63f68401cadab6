#include <optional>
#include <stdexcept>

#include "spec/expectation.hpp"
#include "spec/rules/repair.hpp"

namespace cellproof {
namespace {

/// nullopt for sizes of which no problem can be made (negative, or beyond what make_problem allows): they are no
/// rule's.
std::optional<Expectation> expectation_of_case(const Case& c) {
  try {
    return expectation_of(c);
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Case> valid_twin(const Case& c) {
  // One repair can uncover the next rule: with the direction known, the number of activations can be wrong.
  constexpr int rounds = 8;
  auto expectation = expectation_of_case(c);
  if (!expectation || expectation->kind != Expectation::Kind::Refuse) return std::nullopt;
  if (expectation->violations.front().rule == "operator-version") return std::nullopt;
  Case twin = c;
  for (int round = 0; round < rounds; ++round) {
    twin = rules::repaired(twin, expectation->violations);
    expectation = expectation_of_case(twin);
    if (!expectation) return std::nullopt;
    if (expectation->kind != Expectation::Kind::Refuse) return twin;
  }
  return std::nullopt;
}

}  // namespace cellproof
