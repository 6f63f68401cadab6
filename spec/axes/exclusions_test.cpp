#include "spec/axes/exclusions.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "spec/axes.hpp"
#include "spec/expectation.hpp"

namespace cellproof {
namespace {

using Assignment = std::map<std::string_view, std::string>;

bool is_met(const AxisExclusion& exclusion, const Assignment& assignment) {
  return std::ranges::all_of(exclusion.choices, [&](const AxisChoice& choice) {
    const auto found = assignment.find(choice.axis);
    return found != assignment.end() && std::ranges::find(choice.values, found->second) != choice.values.end();
  });
}

const std::vector<AxisExclusion>& exclusions_of(OperatorVersion version) {
  static std::map<OperatorVersion, std::vector<AxisExclusion>> lists;
  const auto [entry, is_new] = lists.try_emplace(version);
  if (is_new) entry->second = axis_exclusions(version);
  return entry->second;
}

/// Reason for which the assignment is excluded; "" where there is none.
std::string_view exclusion_of(OperatorVersion version, const Assignment& assignment) {
  for (const AxisExclusion& exclusion : exclusions_of(version)) {
    if (is_met(exclusion, assignment)) return exclusion.why;
  }
  return "";
}

Case made_of(OperatorVersion version, const Assignment& assignment) {
  Case c = plain_case(version, ElementType::Float, 3, 2, 4, 5);
  for (const Axis& row : axes()) {
    if (const auto found = assignment.find(row.name); found != assignment.end()) c = row.apply(c, found->second);
  }
  return c;
}

Assignment assignment_of(const Case& c) {
  Assignment assignment;
  for (const Axis& row : axes()) {
    if (!row.values(c.version).empty()) assignment[row.name] = row.of(c);
  }
  return assignment;
}

OperatorVersion any_version() {
  const auto versions = all_operator_versions();
  return versions[*rc::gen::inRange<std::size_t>(0, versions.size())];
}

Assignment any_assignment(OperatorVersion version) {
  Assignment assignment;
  for (const Axis& row : axes()) {
    const auto values = row.values(version);
    if (!values.empty()) assignment[row.name] = *rc::gen::elementOf(values);
  }
  return assignment;
}

/// Changes a value of each exclusion that is met until none is.
void leave_exclusions(OperatorVersion version, Assignment& assignment) {
  for (int rounds = 0; !exclusion_of(version, assignment).empty(); ++rounds) {
    RC_ASSERT(rounds < 10000);
    for (const AxisExclusion& exclusion : exclusions_of(version)) {
      if (!is_met(exclusion, assignment)) continue;
      const AxisChoice& choice = *rc::gen::elementOf(exclusion.choices);
      assignment[choice.axis] = *rc::gen::elementOf(axis(choice.axis).values(version));
    }
  }
}

RC_GTEST_PROP(AxisExclusions, LeaveOnlyWhatACaseHas, ()) {
  const OperatorVersion version = any_version();
  Assignment assignment = any_assignment(version);
  leave_exclusions(version, assignment);
  const Case c = made_of(version, assignment);
  RC_ASSERT(assignment_of(c) == assignment);
  RC_ASSERT(expectation_of(make_problem(c)).violations.empty());
}

/// Cases from walks through the axes, which know nothing of the exclusions.
RC_GTEST_PROP(AxisExclusions, ExcludeNoCase, ()) {
  const OperatorVersion version = any_version();
  Case c = plain_case(version, ElementType::Float, 3, 2, 4, 5);
  const int steps = *rc::gen::inRange(1, 40);
  for (int k = 0; k < steps; ++k) {
    const Axis& row = axes()[*rc::gen::inRange<std::size_t>(0, axes().size())];
    if (const auto values = row.values(version); !values.empty()) c = row.apply(c, *rc::gen::elementOf(values));
  }
  RC_ASSERT(exclusion_of(version, assignment_of(c)) == "");
}

/// Combinations of lengths, sizes and how the lengths stand in the model are excluded exactly if applying the values
/// does not make them.
TEST(AxisExclusions, AreExactForLengths) {
  const OperatorVersion version{Operator::LSTM, 22};
  int excluded = 0;
  for (const std::string& T : axis("T").values(version)) {
    for (const std::string& N : axis("N").values(version)) {
      for (const std::string& pattern : axis("lengths").values(version)) {
        for (const std::string& source : axis("input.sequence_lens").values(version)) {
          const Assignment assignment = {{"T", T}, {"N", N}, {"lengths", pattern}, {"input.sequence_lens", source}};
          const Case c = made_of(version, assignment);
          const bool made = std::ranges::all_of(
              assignment, [&](const auto& entry) { return axis(entry.first).of(c) == entry.second; });
          EXPECT_EQ(made, exclusion_of(version, assignment).empty())
              << "T=" << T << " N=" << N << " lengths=" << pattern << " input.sequence_lens=" << source;
          excluded += !made;
        }
      }
    }
  }
  EXPECT_GT(excluded, 0);
}

}  // namespace
}  // namespace cellproof
