#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "oracle/faults/catalogue.hpp"
#include "oracle/faults/catalogue_rows.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {
namespace {

using ::testing::HasSubstr;

TEST(BrokenClauses, EveryFaultHasOneOfWordsForPeople) {
  for (const FaultInfo& fault : fault_catalogue()) {
    EXPECT_GE(fault.clause.size(), 20U) << fault.id;
    EXPECT_TRUE(fault.clause.ends_with('.')) << fault.id;
  }
}

/// A misspelt row in the table would leave its faults to the class's last clause.
TEST(BrokenClauses, NameRowsThatAreThere) {
  std::set<std::pair<FaultClass, std::string>> rows;
  for (const FaultInfo& fault : fault_catalogue()) rows.emplace(fault.cls, fault.family);
  for (const auto& [cls, row] : catalogue::rows_with_a_clause()) EXPECT_TRUE(rows.contains({cls, row})) << row;
}

TEST(BrokenClauses, AreAboutWhatTheFaultDoes) {
  EXPECT_EQ(fault_info("r-not-transposed-in-i").clause, info(Clause::RTransposed).text);
  EXPECT_EQ(fault_info("y-in-processing-order").clause, info(Clause::ReverseOutputOrder).text);
  EXPECT_THAT(std::string(fault_info("rb-ignored").clause), HasSubstr("Rb"));
  EXPECT_THAT(std::string(fault_info("clip-ignored").clause), HasSubstr("clip bounds"));
  EXPECT_THAT(std::string(fault_info("gate-order-ifoc").clause), HasSubstr("i, o, f, c"));
  EXPECT_THAT(std::string(fault_info("w-scale-ignored").clause), HasSubstr("scale"));
  EXPECT_EQ(fault_info("initial-h-ignored@reverse").clause, fault_info("initial-h-ignored").clause)
      << "a corner is about what its fault is about";
}

}  // namespace
}  // namespace cellproof::oracle
