#include "spec/verdict.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace cellproof {
namespace {

constexpr std::array verdicts = {Verdict::Conforms,          Verdict::Reading,         Verdict::Precision,
                                 Verdict::Suspect,           Verdict::Diverges,        Verdict::Undecided,
                                 Verdict::RefusedAsExpected, Verdict::AcceptedInvalid, Verdict::Unreadable};

TEST(Verdict, EveryNameLeadsBack) {
  for (const Verdict verdict : verdicts) EXPECT_EQ(verdict_named(name(verdict)), verdict);
  EXPECT_EQ(name(Verdict::RefusedAsExpected), "REFUSED_AS_EXPECTED");
  EXPECT_EQ(verdict_named("conforms"), std::nullopt);
}

TEST(Verdict, SeverityIsTheDesignsOrder) {
  EXPECT_GT(severity(Verdict::Diverges), severity(Verdict::Suspect));
  EXPECT_GT(severity(Verdict::Suspect), severity(Verdict::Precision));
  EXPECT_GT(severity(Verdict::Precision), severity(Verdict::Reading));
  EXPECT_GT(severity(Verdict::Reading), severity(Verdict::Undecided));
  EXPECT_GT(severity(Verdict::Undecided), severity(Verdict::Conforms));
  EXPECT_EQ(severity(Verdict::RefusedAsExpected), severity(Verdict::Conforms));
  EXPECT_EQ(severity(Verdict::AcceptedInvalid), severity(Verdict::Diverges));
}

TEST(Verdict, ElementClassesHaveTheirOwnNames) {
  std::set<std::string_view> names;
  for (int i = 0; i < element_class_count; ++i) names.insert(name(static_cast<ElementClass>(i)));
  EXPECT_EQ(names.size(), 7u);
  EXPECT_EQ(name(ElementClass::Exact), "EXACT");
  EXPECT_EQ(name(ElementClass::Unspecified), "UNSPECIFIED");
}

}  // namespace
}  // namespace cellproof
