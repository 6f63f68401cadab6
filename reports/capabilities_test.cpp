// Capabilities by single changes from a plain case.
#include "reports/capabilities.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "reports/testing/made_up_finding.hpp"

namespace cellproof::reports {
namespace {

using testing::HasSubstr;

Finding& add(ReportData& data, AxisValues axes, OperatorVersion version = {Operator::GRU, 22},
             ElementType type = ElementType::Float) {
  Finding& finding = data.findings.emplace_back(
      made_up::plain(version, type, std::move(axes), static_cast<std::int64_t>(data.findings.size())));
  finding.engine = "npu";
  return finding;
}

const Capability* of_change(const Capabilities& capabilities, const AxisValue& change) {
  const auto found = std::ranges::find(capabilities.changes, change, &Capability::change);
  return found == capabilities.changes.end() ? nullptr : &*found;
}

/// Runs version 14, refuses 22 and `layout`, is wrong with `clip`, and never met `lengths` alone.
ReportData partial_engine() {
  ReportData data;
  made_up::refuse(add(data, {}), OutcomeKind::NotSupported, "opset 22");
  const OperatorVersion older{Operator::GRU, 14};
  add(data, {{"T", "8"}}, older);
  made_up::die(add(data, {{"N", "0"}}, older), OutcomeKind::Crashed, "SIGABRT");
  add(data, {{"direction", "reverse"}, {"H", "5"}}, older);
  made_up::refuse(add(data, {{"layout", "1"}}, older), OutcomeKind::NotSupported, "no layout");
  made_up::refuse(add(data, {{"clip", "wide"}}, older), OutcomeKind::NotSupported, "no clip at H = 5");
  made_up::diverge(add(data, {{"clip", "wide"}}, older), ViolationKind::Value, 3, "clip=wide", "Y differs");
  add(data, {{"clip", "wide"}}, older);
  add(data, {{"lengths", "ragged"}, {"direction", "reverse"}}, older);
  made_up::refuse(add(data, {}, older, ElementType::Double), OutcomeKind::NotSupported, "no double");
  return data;
}

TEST(CapabilitiesOf, AnEngineAreByTheNewestVersionThatRuns) {
  const std::vector<Capabilities> all = capabilities_of(partial_engine());
  ASSERT_EQ(all.size(), 1U);
  const Capabilities& gru = all.front();
  EXPECT_EQ(gru.version, (OperatorVersion{Operator::GRU, 14}));
  EXPECT_EQ(gru.plain, Support::Supported);
  ASSERT_NE(of_change(gru, {"version", "22"}), nullptr);
  EXPECT_EQ(of_change(gru, {"version", "22"})->message, "opset 22");
  EXPECT_EQ(of_change(gru, {"direction", "reverse"})->support, Support::Supported);
  EXPECT_EQ(of_change(gru, {"layout", "1"})->support, Support::Refused);
  EXPECT_EQ(of_change(gru, {"layout", "1"})->message, "no layout");
  EXPECT_EQ(of_change(gru, {"clip", "wide"})->support, Support::Broken) << "wrong once is broken";
  EXPECT_EQ(of_change(gru, {"clip", "wide"})->message, "Y differs");
  EXPECT_EQ(of_change(gru, {"type", "double"})->support, Support::Refused);
  EXPECT_EQ(of_change(gru, {"lengths", "ragged"}), nullptr) << "it came with another change only";
  EXPECT_EQ(gru.count(Support::Refused), 3U);
  EXPECT_EQ(of_change(gru, {"N", "0"})->support, Support::Broken) << "and the plain case is not";
  EXPECT_EQ(gru.count(Support::Broken), 2U);
  EXPECT_EQ(gru.changes.size(), 6U);
}

TEST(CapabilitiesOf, AnOperatorThatNoVersionRunsAreItsMessage) {
  ReportData data;
  made_up::refuse(add(data, {}), OutcomeKind::NotSupported, "no GRU");
  made_up::refuse(add(data, {}, {Operator::GRU, 7}), OutcomeKind::NotSupported, "no GRU");
  add(data, {{"direction", "reverse"}}, {Operator::LSTM, 22});
  const std::vector<Capabilities> all = capabilities_of(data);
  ASSERT_EQ(all.size(), 1U) << "of LSTM no plain case was asked";
  EXPECT_EQ(all.front().plain, Support::Refused);
  EXPECT_EQ(all.front().message, "no GRU");
  EXPECT_EQ(all.front().version, (OperatorVersion{Operator::GRU, 22}));
}

TEST(CapabilitiesOf, AnEngineAreNotOfCasesThatMustBeRefused) {
  ReportData data;
  Finding& invalid = add(data, {});
  invalid.expectation.kind = Expectation::Kind::Refuse;
  add(data, {}).law = "batch-order";
  EXPECT_TRUE(capabilities_of(data).empty());
}

TEST(CapabilitiesOf, AnEngineAreNotOfCasesWhoseDataMayBeWhatFails) {
  ReportData data;
  add(data, {});
  Finding& of_nan = add(data, {{"input.B", "initializer"}});
  made_up::diverge(of_nan, ViolationKind::Value, 3, "input.B=initializer", "Y is a number, and not nan");
  of_nan.case_line += " X=given,regime:special";
  const std::vector<Capabilities> all = capabilities_of(data);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all.front().changes.empty());
}

TEST(CapabilitiesOf, EachEngineStandOnThePageAndInJson) {
  const ReportData data = partial_engine();
  const std::string page = render_html(data);
  EXPECT_THAT(page, HasSubstr("supports 1 of 6 single changes"));
  EXPECT_THAT(page, HasSubstr("<code>layout=1</code>: no layout"));
  EXPECT_THAT(page, HasSubstr("<b>2 broken</b>"));
  const std::string json = render_capabilities(data);
  EXPECT_THAT(json, HasSubstr(R"({"axis":"clip","value":"wide","support":"broken","message":"Y differs")"));
  EXPECT_THAT(json, HasSubstr(R"("operator":"GRU-14","plain":"supported")"));
}

}  // namespace
}  // namespace cellproof::reports
