// The honest zoo and the mutants' implementation without a fault compute what the reference does, but for roundings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/mutants/mutants.hpp"
#include "lab/zoo/zoo.hpp"
#include "reference/reference.hpp"
#include "reference/testing/cases.hpp"
#include "spec/case_text.hpp"

namespace cellproof::reference {
namespace {

/// The distance of two outputs in units of the type's roundoff, relative to the largest magnitude (at least 1).
double distance(const Outputs& a, const Outputs& b, ElementType type) {
  double largest = 1, difference = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].has_value() != b[k].has_value()) return std::numeric_limits<double>::infinity();
    if (!a[k]) continue;
    if (a[k]->shape() != b[k]->shape() || a[k]->type() != b[k]->type()) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < a[k]->size(); ++i) {
      if (a[k]->value(i) == b[k]->value(i)) continue;
      largest = std::max(largest, std::abs(b[k]->value(i)));
      difference = std::max(difference, std::abs(a[k]->value(i) - b[k]->value(i)));
    }
  }
  return difference / largest / float_format(type).unit_roundoff;
}

/// Random cases wide enough for vectors of eight, without jumps and chaos: there, honest results differ by more than a
/// few roundings.
std::optional<Case> smooth_case(OperatorVersion version, std::uint64_t seed) {
  Case c = testing::random_case(version, seed);
  c.I = 5;
  c.H = 9;
  if (c.attributes.hidden_size) c.attributes.hidden_size = c.H;
  const auto& names = c.attributes.activations;
  const bool jumps = names && std::ranges::find(*names, "ThresholdedRelu") != names->end();
  const bool amplifies = c.regime == Regime::Chaotic || c.regime == Regime::Saturating;
  return jumps || amplifies ? std::nullopt : std::optional(c);
}

class PlainImplementations : public ::testing::TestWithParam<OperatorVersion> {};

TEST_P(PlainImplementations, AreWithinRoundingsOfTheReference) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto c = smooth_case(GetParam(), seed);
    if (!c) continue;
    const Problem problem = make_problem(*c);
    const Outputs expected = run(problem);
    EXPECT_LT(distance(lab::mutants::run_without_fault(problem), expected, c->type), 500) << to_text(*c);
    for (const auto& style : lab::zoo::styles()) {
      EXPECT_LT(distance(lab::zoo::run(problem, style, seed), expected, c->type), 500)
          << style.name << ": " << to_text(*c);
    }
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

std::vector<OperatorVersion> float_versions() {
  std::vector<OperatorVersion> versions;
  for (OperatorVersion version : all_operator_versions()) {
    if (version.op != Operator::DynamicQuantizeLSTM) versions.push_back(version);
  }
  return versions;
}

INSTANTIATE_TEST_SUITE_P(EveryVersion, PlainImplementations, ::testing::ValuesIn(float_versions()),
                         [](const auto& parameter) {
                           return std::string(name(parameter.param.op)) + "_" +
                                  std::to_string(parameter.param.since_version);
                         });

}  // namespace
}  // namespace cellproof::reference
