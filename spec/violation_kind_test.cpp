#include "spec/violation_kind.hpp"

#include <gtest/gtest.h>

#include <set>

namespace cellproof {
namespace {

TEST(ViolationKind, HasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i < violation_kind_count; ++i) names.insert(name(static_cast<ViolationKind>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(violation_kind_count));
  EXPECT_EQ(name(ViolationKind::Value), "value");
  EXPECT_EQ(name(ViolationKind::Outcome), "outcome");
}

}  // namespace
}  // namespace cellproof
