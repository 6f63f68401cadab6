// Nodes of which one takes what the other gave and nobody saw: honest engines conform, and a fault is found in its
// node.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "lab/zoo/zoo.hpp"
#include "oracle/joined/judge_joined.hpp"
#include "oracle/joined/made_outputs.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/problems.hpp"
#include "oracle/value_type.hpp"
#include "oracle/values_of.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::oracle {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

/// An engine as a function.
using Computes = std::function<Outputs(const Problem&)>;

/// Two nodes, joined as exporters do it: [T,D,N,H] becomes [T,N,D*H]. Y of the second alone is seen.
struct TwoNodes {
  Problem first, second;
  std::vector<NodeElement> X_from;
};

TwoNodes pair_of(Operator op, ElementType type = ElementType::Float, std::int64_t T = 5) {
  const auto shape = [&](Case& c) {
    c.T = T;
    c.attributes.direction = "bidirectional";
    c.outputs = {Presence::Given};
  };
  TwoNodes pair;
  pair.first = testing::some_problem(op, type, shape);
  const auto [steps, N, I, H, D] = dimensions_of(pair.first);
  pair.second = testing::some_problem(op, type, [&](Case& c) {
    shape(c);
    c.I = D * H;
    c.seed = 77;
  });
  for (std::int64_t t = 0; t < steps; ++t)
    for (std::int64_t n = 0; n < N; ++n)
      for (std::int64_t d = 0; d < D; ++d)
        for (std::int64_t h = 0; h < H; ++h)
          pair.X_from.push_back({0, output::Y, static_cast<std::uint64_t>(((t * D + d) * N + n) * H + h)});
  return pair;
}

std::vector<JoinedNode> seen_of(const TwoNodes& pair, const Computes& first, const Computes& second) {
  const Tensor Y = first(pair.first).at(output::Y).value();
  Problem fed = pair.second;
  Tensor& X = *fed.inputs.at(input::X).tensor;
  for (std::size_t k = 0; k < pair.X_from.size(); ++k) X.set_value(k, Y.value(pair.X_from[k].element));
  JoinedNode one{"one", pair.first, {}, {}, 14};
  one.problem.outputs = {};
  JoinedNode two{"two", pair.second, pair.X_from, second(fed), 14};
  Tensor& unknown = *two.problem.inputs.at(input::X).tensor;
  unknown = Tensor(unknown.type(), unknown.shape());
  return {one, two};
}

Outputs rightly(const Problem& problem) {
  return lab::zoo::run(problem, lab::zoo::styles().front(), 1);
}

/// A mistake as a change of the problem that a right engine then computes.
struct Planted {
  const char* fault;
  std::function<void(Problem&)> change;

  Outputs operator()(const Problem& problem) const {
    Problem wrong = problem;
    change(wrong);
    return rightly(wrong);
  }
};

void clear(Tensor& tensor, bool first_half, bool second_half) {
  const std::size_t row = static_cast<std::size_t>(tensor.shape().back());
  for (std::size_t k = 0; k < tensor.size(); ++k)
    if (2 * (k % row) < row ? first_half : second_half) tensor.set_value(k, 0);
}

std::vector<Planted> planted() {
  const auto clears = [](std::size_t position, bool first, bool second) {
    return [=](Problem& p) { clear(*p.inputs.at(position).tensor, first, second); };
  };
  return {{"wb-ignored", clears(input::B, true, false)},
          {"rb-ignored", clears(input::B, false, true)},
          {"initial-h-ignored", clears(input::initial_h, true, true)},
          {"input-weights-ignored", clears(input::W, true, true)}};
}

TEST(Joined, HonestEnginesConform) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const ElementType type : {ElementType::Float, ElementType::Float16}) {
      const TwoNodes pair = pair_of(op, type);
      for (const lab::zoo::Style& style : lab::zoo::styles()) {
        if (style.flushed || style.products || style.states || style.factors || style.factors_of_tf32) continue;
        const auto runs = [&](const Problem& problem) { return lab::zoo::run(problem, style, 3); };
        const JoinedJudgement found = judge_joined(seen_of(pair, runs, runs), {});
        EXPECT_EQ(found.judgement.verdict, Verdict::Conforms) << name(op) << " " << style.name;
        EXPECT_THAT(found.behind, ElementsAre(0, 1));
      }
    }
  }
}

/// Unseen outputs lie inside of their bounds, after many steps, too.
TEST(Joined, BoundsHoldWhatHonestEnginesGive) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const TwoNodes pair = pair_of(op, ElementType::Float, 60);
    const Outputs none;
    const testing::OwnTask task(pair.first, none, {}, arithmetic_of(ContractId::F32, ElementType::Float));
    const std::vector<MadeTensor> made = made_outputs(task), quickly = quickly_made_outputs(task);
    double widest = 0;
    for (const lab::zoo::Style& style : lab::zoo::styles()) {
      if (style.flushed || style.products || style.states || style.factors || style.factors_of_tf32) continue;
      const std::vector<double> Y = values_of(lab::zoo::run(pair.first, style, 5).at(output::Y).value());
      for (std::size_t k = 0; k < Y.size(); ++k) {
        EXPECT_LE(std::abs(Y[k] - made[output::Y].centre[k]), made[output::Y].radius[k]) << name(op) << " " << k;
        EXPECT_LE(made[output::Y].radius[k], quickly[output::Y].radius[k]);
        widest = std::max(widest, made[output::Y].radius[k]);
      }
    }
    EXPECT_LT(widest, 1e-2) << name(op);
  }
}

TEST(Joined, AFaultIsFoundInItsNode) {
  int found_in_its_node = 0;
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const TwoNodes pair = pair_of(op);
    for (const Planted& wrongly : planted()) {
      for (const std::size_t guilty : {0U, 1U}) {
        const JoinedJudgement found =
            judge_joined(guilty == 0 ? seen_of(pair, wrongly, rightly) : seen_of(pair, rightly, wrongly), {});
        EXPECT_EQ(found.judgement.verdict, Verdict::Diverges) << name(op) << " " << wrongly.fault;
        EXPECT_EQ(found.node, 1U);
        EXPECT_THAT(found.guilty, Contains(guilty)) << name(op) << " " << wrongly.fault;
        EXPECT_THAT(found.judgement.faults, Contains(wrongly.fault)) << name(op);
        found_in_its_node += found.guilty.size() == 1 ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(found_in_its_node, 24);
}

/// No fault of a node looks at outputs that it was asked for and nobody saw.
TEST(Joined, AFaultIsFoundWhereOutputsWereAskedForAndNotSaved) {
  const TwoNodes pair = pair_of(Operator::LSTM);
  const Planted wrongly = planted()[1];
  std::vector<JoinedNode> nodes = seen_of(pair, wrongly, rightly);
  nodes[0].problem.outputs = {Presence::Given, Presence::Given, Presence::Given};
  const JoinedJudgement found = judge_joined(nodes, {});
  EXPECT_EQ(found.judgement.verdict, Verdict::Diverges);
  EXPECT_THAT(found.guilty, Contains(0U));
  EXPECT_THAT(found.judgement.faults, Contains(wrongly.fault));
}

/// A node of which outputs are seen answers for itself, and the second is judged on what it truly took.
TEST(Joined, ANodeThatIsSeenAnswersForItself) {
  const TwoNodes pair = pair_of(Operator::GRU);
  const Planted wrongly = planted()[1];
  for (const std::size_t guilty : {0U, 1U}) {
    std::vector<JoinedNode> nodes = guilty == 0 ? seen_of(pair, wrongly, rightly) : seen_of(pair, rightly, wrongly);
    nodes[0].problem = pair.first;
    nodes[0].outputs = guilty == 0 ? wrongly(pair.first) : rightly(pair.first);
    const JoinedJudgement found = judge_joined(nodes, {});
    EXPECT_EQ(found.judgement.verdict, Verdict::Diverges);
    EXPECT_EQ(found.node, guilty);
    EXPECT_THAT(found.behind, ElementsAre(guilty));
    EXPECT_THAT(found.guilty, ElementsAre(guilty));
  }
}

/// One contract and one reading is supposed of all nodes: factors rounded to tf32 in both are a precision.
TEST(Joined, AWiderContractIsSupposedOfAll) {
  const TwoNodes pair = pair_of(Operator::LSTM);
  const auto of_tf32 = std::ranges::find_if(lab::zoo::declared_styles(), [](const lab::zoo::DeclaredStyle& s) {
    return s.contract == ContractId::Tf32 && s.type == ElementType::Float;
  });
  ASSERT_NE(of_tf32, lab::zoo::declared_styles().end());
  const auto runs = [&](const Problem& problem) { return lab::zoo::run(problem, of_tf32->style, 3); };
  const JoinedJudgement found = judge_joined(seen_of(pair, runs, runs), {});
  EXPECT_EQ(found.judgement.verdict, Verdict::Precision);
  EXPECT_TRUE(found.judgement.faults.empty());
}

}  // namespace
}  // namespace cellproof::oracle
