#include "spec/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

namespace cellproof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Clauses, AreInTheOrderOfTheirEnumeration) {
  ASSERT_EQ(clauses().size(), clause_count);
  for (std::size_t i = 0; i < clause_count; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(clauses()[i].clause), i);
    EXPECT_EQ(&info(static_cast<Clause>(i)), &clauses()[i]);
  }
}

TEST(Clauses, HaveIdsThatFindThem) {
  std::set<std::string_view> ids;
  for (const ClauseInfo& row : clauses()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_EQ(clause_named(row.id), row.clause);
    EXPECT_FALSE(row.text.empty()) << row.id;
  }
  EXPECT_EQ(clause_named("no-such-clause"), std::nullopt);
}

TEST(Clauses, OfferAChoiceExactlyWhereTheirKindIsAChoice) {
  for (const ClauseInfo& row : clauses()) {
    const bool choice = row.kind == ClauseKind::Value || row.kind == ClauseKind::Acceptance;
    EXPECT_EQ(row.readings.size() >= 2, choice) << row.id;
    EXPECT_EQ(row.readings.empty(), !choice) << row.id;
    if (row.kind == ClauseKind::Acceptance) {
      EXPECT_EQ(row.readings.back().id, "refuse") << row.id;
    }
    const bool lists_refuse = choice && row.readings.back().id == "refuse";
    const bool gap = row.clause == Clause::EmptySequenceState || row.clause == Clause::DqZeroPoint;
    EXPECT_EQ(row.refusable, lists_refuse || gap) << row.id;
  }
}

TEST(Clauses, AreExecutableButForContracts) {
  for (const ClauseInfo& row : clauses()) {
    const bool later = row.kind == ClauseKind::Contract;
    EXPECT_EQ(row.executable, !later) << row.id;
  }
}

TEST(Readings, SayWhatAnEngineDoesThatHasOneThatIsNotTheDefault) {
  std::set<std::string> said;
  for (const ClauseInfo& row : clauses()) {
    for (const ListedReading& reading : row.readings) {
      const bool shows = reading.id != row.readings.front().id && reading.id != "refuse";
      EXPECT_EQ(reading.words.empty(), !shows) << row.id << "=" << reading.id;
      EXPECT_TRUE(said.insert(in_words({row.clause, reading.id})).second) << row.id << "=" << reading.id;
    }
  }
  EXPECT_EQ(in_words({Clause::ClipZero, "off"}), "takes a clip of 0 for none");
  EXPECT_EQ(in_words({Clause::ClipZero, "refuse"}), "reads clip-zero as refuse");
}

TEST(Readings, AreTheDefaultsUntilAnotherIsChosen) {
  const Readings readings;
  for (const ClauseInfo& row : clauses()) {
    EXPECT_EQ(readings.of(row.clause), row.readings.empty() ? "" : row.readings.front().id);
    if (!row.readings.empty()) {
      EXPECT_TRUE(readings.is(row.clause, row.readings.front().id));
    }
  }
  EXPECT_THAT(readings.differences(), IsEmpty());
}

TEST(Readings, ChangeOneClauseAndLeaveTheRest) {
  const Readings gates = Readings().with(Clause::ClipScope, "gates");
  EXPECT_TRUE(gates.is(Clause::ClipScope, "gates"));
  EXPECT_FALSE(gates.is(Clause::ClipScope, "gates+h"));
  EXPECT_EQ(gates.with(Clause::ClipScope, "gates+h"), Readings());
  const Readings both = gates.with(Clause::PaddingOfY, "carry");
  EXPECT_THAT(both.differences(), ElementsAre("clip-scope=gates", "padding-of-y=carry"));
  EXPECT_EQ(Readings::of_differences(both.differences()), both);
  EXPECT_EQ(Readings::of_differences({}), Readings{});
  for (const std::string wrong : {"clip-scope", "clip-scope=", "no-such-clause=gates", ""}) {
    const std::vector<std::string> list{wrong};
    EXPECT_THROW(Readings::of_differences(list), std::invalid_argument) << wrong;
  }
  EXPECT_EQ(both, Readings().with(Clause::PaddingOfY, "carry").with(Clause::ClipScope, "gates"));
}

TEST(Readings, RefuseWhatTheClauseDoesNotList) {
  EXPECT_THROW(Readings().with(Clause::ClipScope, "gate"), std::invalid_argument);
  EXPECT_THROW(Readings().with(Clause::RTransposed, "forward"), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(Readings().is(Clause::ClipScope, "gate")), std::logic_error);
}

TEST(ClauseKinds, HaveNames) {
  EXPECT_EQ(name(ClauseKind::Value), "value");
  EXPECT_EQ(name(ClauseKind::Settled), "settled");
  EXPECT_EQ(name(ClauseKind::Acceptance), "acceptance");
  EXPECT_EQ(name(ClauseKind::Invalid), "invalid");
  EXPECT_EQ(name(ClauseKind::Contract), "contract");
}

}  // namespace
}  // namespace cellproof
