#include "spec/signature.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "spec/finding_words.hpp"

namespace cellproof {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::string signature(const Finding& finding, const AxisValues& guilty) {
  return to_text(signature_of(finding, guilty));
}

TEST(Signature, HasNoNumbersAndTheGuiltyAxes) {
  Finding finding;
  finding.engine = "engine";
  finding.version.op = Operator::GRU;
  EXPECT_EQ(signature(finding, {}), "v1:(engine, GRU, -, -, -, -, -)");
  finding.version.op = Operator::LSTM;
  Judgement& judgement = finding.judgement;
  judgement.verdict = Verdict::Diverges;
  judgement.kind = ViolationKind::Padding;
  judgement.first = FirstViolation{};
  judgement.first->output = output::Y;
  const AxisValues guilty{{"direction", "reverse"}, {"lengths", "ragged"}};
  EXPECT_EQ(signature(finding, guilty), "v1:(engine, LSTM, DIVERGES, Y, padding, -, direction=reverse lengths=ragged)");
  EXPECT_FALSE(is_flaky(signature(finding, guilty)));
  judgement.verdict = Verdict::Precision;
  judgement.contract = ContractId::Tf32;
  judgement.readings = Readings{}.with(Clause::ClipScope, "gates");
  EXPECT_EQ(signature(finding, {}), "v1:(engine, LSTM, PRECISION, Y, padding, clip-scope=gates tf32, -)");
}

TEST(Signature, OfChanceHoldsNothingThatMovesWithIt) {
  Finding finding;
  finding.engine = "my, FLAKY, engine";
  finding.outcome = OutcomeKind::Ran;
  finding.judgement.verdict = Verdict::Diverges;
  EXPECT_FALSE(is_flaky(signature(finding, {})));
  finding.flaky = OtherOutcome{};
  finding.judgement.faults = {"clip-ignored"};
  const std::string repeat = signature(finding, {{"clip", "biting"}});
  EXPECT_EQ(repeat, "v1:(my, FLAKY, engine, LSTM, FLAKY, -, repeat, -, -)");
  EXPECT_TRUE(is_flaky(repeat));
  EXPECT_FALSE(is_flaky(""));
  finding.law = "layout";
  EXPECT_EQ(flaky_kind(finding), "layout");
  for (const auto& [worse, other] :
       {std::pair(OutcomeKind::TimedOut, OutcomeKind::Ran), std::pair(OutcomeKind::Ran, OutcomeKind::TimedOut)}) {
    finding.outcome = worse;
    finding.flaky->outcome = other;
    EXPECT_EQ(flaky_kind(finding), "TIMED_OUT");
  }
}

TEST(Signature, IsReadFromItsText) {
  Signature all;
  all.engine = "my, engine (2)";
  all.op = Operator::DynamicQuantizeLSTM;
  all.verdict = Verdict::AcceptedInvalid;
  all.output = output::Y_c;
  all.kind = "type-of-sequence_lens";
  all.hypothesis = "defaults-affine-scaledtanh=affine(1,0) scaledtanh(1,1) tf32";
  all.axes = {{"activation", "any"}, {"lengths", "with a blank"}, {"P", ""}};
  Signature none;
  Signature flaky;
  flaky.engine = "-";
  flaky.flaky = true;
  flaky.kind = "CRASHED";
  Signature open = all;
  open.axes = unattributed();
  for (const Signature& signature : {all, none, flaky, open}) {
    const std::string text = to_text(signature);
    const std::optional<Signature> read = signature_of_text(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(*read, signature) << text;
    EXPECT_EQ(read->is_unattributed(), signature == open) << text;
    EXPECT_EQ(is_flaky(text), signature.flaky) << text;
  }
  EXPECT_EQ(open.without_axes(), all.without_axes());
  EXPECT_NE(open.without_axes(), none);
  EXPECT_THAT(signature_of_text(to_text(all))->axes,
              ElementsAre(Pair("activation", "any"), Pair("lengths", "with a blank"), Pair("P", "")));
}

TEST(Signature, IsNotReadFromOtherTexts) {
  for (const char* text : {"", "v1:()", "v2:(e, LSTM, -, -, -, -, -)", "v1:(e, LSTM, -, -, -, -, -",
                           "v1:(e, LSTM, -, -, -, -)", "v1:(e, lstm, -, -, -, -, -)", "v1:(e, LSTM, WRONG, -, -, -, -)",
                           "v1:(e, LSTM, -, Z, -, -, -)", "v1:(e, LSTM, -, -, -, -, clip)"}) {
    EXPECT_FALSE(signature_of_text(text)) << text;
    EXPECT_FALSE(is_flaky(text)) << text;
  }
}

}  // namespace
}  // namespace cellproof
