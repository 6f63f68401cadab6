// Sentences of a finding about several recurrent nodes in one graph.
#include "campaign/check_joined.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/mutants/mutants.hpp"
#include "spec/case.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::campaign {
namespace {

using ::testing::HasSubstr;

/// Two layers of a GRU; of the first one nothing was seen. `wrong`: the layer that drops the second half of B.
std::vector<JoinedNode> layers(std::optional<std::size_t> wrong) {
  std::vector<JoinedNode> nodes;
  std::vector<NodeElement> from;
  Tensor handed_on(ElementType::Float, {0});
  for (const std::size_t k : {0U, 1U}) {
    Case c = plain_case({Operator::GRU, 14}, ElementType::Float, 4, 2, 3, 3);
    c.seed = 5 + k;
    c.inputs[input::B].presence = Presence::Given;
    c.outputs = {Presence::Given};
    Problem problem = make_problem(c);
    if (k > 0)
      for (std::size_t i = 0; i < handed_on.size(); ++i)
        problem.inputs[input::X].tensor->set_value(i, handed_on.value(i));
    const lab::mutants::Mutant& mutant = *lab::mutants::mutant_named("rb-ignored");
    const Outputs outputs = wrong == k ? lab::mutants::run(problem, mutant) : lab::mutants::run_without_fault(problem);
    handed_on = *outputs.at(output::Y);
    if (k == 0) problem.outputs = {};
    nodes.push_back({k == 0 ? "" : "second", problem, from, k == 0 ? Outputs{} : outputs, 14});
    for (std::size_t i = 0; i < handed_on.size(); ++i) from.push_back({0, output::Y, i});
  }
  return nodes;
}

Finding finding_of(const std::vector<JoinedNode>& nodes) {
  Finding finding;
  judge_joined_nodes(nodes, std::nullopt, finding);
  return finding;
}

TEST(CheckJoined, RightLayersConform) {
  const Finding finding = finding_of(layers(std::nullopt));
  EXPECT_TRUE(finding.pass);
  EXPECT_EQ(finding.judgement.verdict, Verdict::Conforms);
  EXPECT_THAT(sentence_of(finding.judgement),
              HasSubstr("24 of 24 elements verified; 2 recurrent nodes judged together"));
}

TEST(CheckJoined, TheGuiltyLayerIsNamed) {
  const Finding first = finding_of(layers(0)), second = finding_of(layers(1));
  EXPECT_FALSE(first.pass);
  EXPECT_THAT(sentence_of(first.judgement),
              HasSubstr("; of 2 recurrent nodes this is 'second'; the guilty one is GRU 1"));
  EXPECT_THAT(sentence_of(second.judgement), HasSubstr("; the guilty one is 'second'"));
}

/// A step of its codes may be anywhere; the sentence says how to see the layer.
TEST(CheckJoined, AQuantisedLayerBehindAnUnseenOneIsLeftOpenWithAnAdvice) {
  std::vector<JoinedNode> nodes = layers(std::nullopt);
  const Shape of_X = nodes[1].problem.input(input::X)->shape();
  Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, of_X[0], of_X[1], of_X[2], 3);
  c.outputs = {Presence::Given};
  nodes[1].problem = make_problem(c);
  nodes[1].outputs = lab::mutants::run_without_fault(nodes[1].problem);
  const Finding finding = finding_of(nodes);
  EXPECT_EQ(finding.judgement.verdict, Verdict::Undecided);
  EXPECT_THAT(sentence_of(finding.judgement), HasSubstr("add that node's Y to the model's outputs"));
}

TEST(CheckJoined, AnInvalidNodeIsSaid) {
  std::vector<JoinedNode> nodes = layers(std::nullopt);
  nodes[0].problem.inputs[input::B].tensor = Tensor(ElementType::Float, {1, 5});
  const Finding finding = finding_of(nodes);
  EXPECT_EQ(finding.judgement.verdict, Verdict::Undecided);
  EXPECT_THAT(sentence_of(finding.judgement), HasSubstr("node GRU 1 is invalid by rule "));
}

}  // namespace
}  // namespace cellproof::campaign
