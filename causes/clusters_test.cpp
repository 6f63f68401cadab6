#include "causes/clusters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "spec/case_text.hpp"
#include "spec/signature.hpp"

namespace cellproof::causes {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

/// Findings of one engine that nothing explains.
class Unexplained {
 public:
  /// A case that a reduction has proved to need these.
  Finding& needs(AxisValues axes, Operator op = Operator::LSTM) {
    Finding& finding = blames(axes, op);
    finding.reduction.emplace();
    finding.reduction->guilty = std::move(axes);
    finding.reduction->complete = true;
    return finding;
  }

  /// A case with axes that the run blames.
  Finding& blames(const AxisValues& axes, Operator op = Operator::LSTM) {
    Finding& finding = findings_.emplace_back();
    finding.number = std::ssize(findings_);
    finding.version = newest(op);
    finding.outcome = OutcomeKind::Ran;
    finding.judgement.verdict = Verdict::Diverges;
    finding.judgement.kind = ViolationKind::Value;
    finding.axes = axes;
    finding.signature = to_text(signature_of(finding, axes));
    return finding;
  }

  std::vector<Cause> causes() const {
    std::vector<Answered> answered;
    for (const Finding& finding : findings_) answered.push_back({&finding});
    Clusters clusters(answered);
    for (const Finding& finding : findings_) clusters.add(finding, 1);
    return clusters.take();
  }

  std::vector<std::string> ids() const {
    std::vector<std::string> ids;
    for (const Cause& cause : causes()) ids.push_back(cause.id);
    return ids;
  }

 private:
  std::deque<Finding> findings_;
};

TEST(Clusters, AreOneWhereTheKindsOfFirstViolationDiffer) {
  Unexplained engine;
  engine.needs({{"input.P", "graph"}});
  engine.needs({{"input.P", "graph"}, {"outputs", "Y_c"}}).judgement.kind = ViolationKind::State;
  EXPECT_THAT(engine.ids(), ElementsAre("wrong:input.P=graph"));
}

TEST(Clusters, AreOneWhereAnotherNeedsMore) {
  Unexplained engine;
  engine.needs({});
  engine.needs({{"clip", "biting"}});
  EXPECT_THAT(engine.ids(), ElementsAre("wrong:any"));
  engine.needs({{"clip", "biting"}}, Operator::GRU);
  EXPECT_THAT(engine.ids(), UnorderedElementsAre("wrong:any", "wrong:clip=biting"))
      << "a GRU does not fail whatever it is asked";
}

TEST(Clusters, AreNotJoinedByACaseThatNeedsWhatBothNeed) {
  Unexplained engine;
  engine.needs({{"input.sequence_lens", "all zero"}, {"type", "float16"}});
  engine.needs({{"input.sequence_lens", "given"}, {"layout", "2"}});
  ASSERT_EQ(engine.ids().size(), 1U) << "both are about lengths";
  engine.needs({{"layout", "2"}});
  EXPECT_THAT(engine.ids(), ElementsAre("wrong:layout=2", "wrong:input.sequence_lens=all zero,type=float16"));
}

TEST(Clusters, ShowACaseOfTheNeedThatNamesThem) {
  Unexplained engine;
  const auto line_of = [](std::int64_t H) {
    return to_text(plain_case(newest(Operator::LSTM), ElementType::Float, 1, 1, 1, H));
  };
  engine.needs({{"layout", "2"}}).reduction->case_line = line_of(2);
  engine.needs({{"layout", "1"}, {"outputs", "Y_h"}}).reduction->case_line = line_of(1);
  ASSERT_THAT(engine.ids(), ElementsAre("wrong:layout=2"));
  EXPECT_EQ(engine.causes().front().case_line, line_of(2)) << "though the other has fewer numbers";
}

TEST(Clusters, AreApartWhereTheirNeedsAre) {
  Unexplained engine;
  engine.needs({{"clip", "biting"}, {"outputs", "Y_c"}});
  engine.needs({{"input.P", "graph"}, {"outputs", "Y_c"}});
  EXPECT_THAT(engine.ids(), UnorderedElementsAre("wrong:clip=biting,outputs=Y_c", "wrong:input.P=graph,outputs=Y_c"))
      << "outputs say where something shows, not what it is";
}

TEST(Clusters, OfSizesAndOutputsAloneAreOne) {
  Unexplained engine;
  engine.needs({{"outputs", "Y_h"}});
  engine.needs({{"T", "9"}, {"outputs", "Y"}}, Operator::RNN);
  EXPECT_THAT(engine.ids(), ElementsAre("wrong:outputs=Y_h"));
}

TEST(Clusters, OfOneFunctionAreOneWhereverItStands) {
  Unexplained engine;
  engine.needs({{"activation.f", "Elu"}});
  engine.needs({{"activation.f", "Elu"}});
  engine.needs({{"activation.g", "Elu"}, {"alpha", "given"}});
  engine.needs({{"activation.f", "Softplus"}});
  engine.needs({{"activation.g", "Affine"}, {"alpha", "given"}});
  const std::vector<Cause> causes = engine.causes();
  ASSERT_THAT(engine.ids(), ElementsAre("wrong:activation.f=Elu", "wrong:activation.f=Softplus",
                                        "wrong:activation.g=Affine,alpha=given"));
  EXPECT_EQ(causes.front().title, "returns wrong values, for example with Elu as f");
  EXPECT_EQ(causes.back().title, "returns wrong values with Affine as g and activation_alpha");
}

TEST(Clusters, OfSeveralFunctionsInOnePlaceAloneAreOne) {
  Unexplained engine;
  for (const char* function : {"Elu", "Softplus", "Relu"}) engine.needs({{"activation.f", function}});
  EXPECT_THAT(engine.ids(), ElementsAre("wrong:activation.f=Elu"));
  for (const char* function : {"Elu", "Softplus", "Relu"}) engine.needs({{"activation.g", function}});
  EXPECT_EQ(engine.ids().size(), 3U) << "it is the functions, then, not the place";
}

TEST(Clusters, OfPlacesWhereAnyFunctionFailsAreOne) {
  Unexplained engine;
  engine.needs({{"activation.g", "any"}});
  engine.needs({{"activation.h", "any"}});
  engine.needs({{"activation.h", "Sigmoid"}});
  EXPECT_THAT(engine.ids(), ElementsAre("wrong:activation.g=any"));
}

TEST(Clusters, OfDivergentAndSuspectValuesAreOne) {
  Unexplained engine;
  engine.needs({});
  engine.needs({}).judgement.verdict = Verdict::Suspect;
  EXPECT_THAT(engine.ids(), ElementsAre("wrong:any"));
}

TEST(Clusters, TakeCasesOfWhichNobodyKnowsWhereTheyHaveWhatIsNeeded) {
  Unexplained engine;
  engine.needs({{"clip", "biting"}});
  engine.blames({{"direction", "reverse"}, {"clip", "biting"}});
  engine.blames({{"direction", "reverse"}});
  EXPECT_THAT(engine.ids(), ElementsAre("wrong:clip=biting")) << "nobody proved a second defect";
  engine.needs({{"input.P", "graph"}});
  EXPECT_THAT(engine.ids(), UnorderedElementsAre("wrong:clip=biting", "wrong:input.P=graph", "wrong:any"));
}

TEST(Clusters, OfValuesAreNotAboutWhatThoseOfShapesAreAbout) {
  Unexplained engine;
  engine.needs({{"layout", "2"}, {"lengths", "full"}}, Operator::RNN).judgement.kind = ViolationKind::Shape;
  engine.needs({{"lengths", "ragged"}, {"type", "float16"}}, Operator::RNN);
  EXPECT_THAT(engine.ids(), UnorderedElementsAre("wrong:layout=2,lengths=full", "wrong:lengths=ragged,type=float16"));
  engine.blames({{"T", "9"}}).judgement.kind = ViolationKind::Shape;
  engine.blames({{"T", "9"}});
  std::vector<std::string> titles;
  for (const Cause& cause : engine.causes()) titles.push_back(cause.id + " " + cause.title);
  EXPECT_THAT(titles, ::testing::IsSupersetOf({"wrong:any returns wrong values", "wrong:form returns a wrong shape"}));
}

TEST(Clusters, TakeCasesOfOtherOperatorsThatHaveWhatIsNeeded) {
  Unexplained engine;
  engine.needs({{"layout", "2"}}, Operator::GRU);
  engine.needs({{"clip", "biting"}}, Operator::GRU);
  engine.blames({{"layout", "2"}, {"T", "9"}}, Operator::RNN);
  EXPECT_THAT(engine.ids(), ElementsAre("wrong:layout=2", "wrong:clip=biting"));
}

TEST(Clusters, AreNamedByWhatIsProvedAndNotByWhatTheRunBlames) {
  Unexplained engine;
  for (int k = 0; k < 3; ++k) engine.blames({{"clip", "biting"}});
  ASSERT_THAT(engine.ids(), ElementsAre("wrong:clip=biting"));
  EXPECT_EQ(engine.causes().front().title, "returns wrong values, so far only with a clip that bites");
  engine.blames({{"direction", "reverse"}});
  EXPECT_EQ(engine.causes().front().title, "returns wrong values") << "not all have it";
  engine.needs({{"clip", "biting"}, {"direction", "reverse"}});
  ASSERT_THAT(engine.ids(), ElementsAre("wrong:clip=biting,direction=reverse"));
  EXPECT_EQ(engine.causes().front().title,
            "returns wrong values, for example with a clip that bites and the reverse direction");
}

}  // namespace
}  // namespace cellproof::causes
