// A hypothesis holds a set of faults: an engine that has two is explained by both together, and by neither alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "oracle/evaluate.hpp"
#include "oracle/faults/every_fault.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

using testing::some_problem;
using Ids = std::initializer_list<const char*>;

Problem two_directions() {
  return some_problem(Operator::LSTM, ElementType::Float, [](Case& c) { c.attributes.direction = "bidirectional"; });
}

std::optional<Verdict> verdict_with(const Problem& problem, const Outputs& outputs, Ids ids) {
  Hypothesis hypothesis;
  for (const char* id : ids) hypothesis.faults.push_back(fault_named(id));
  const Observed seen(problem, outputs);
  const auto verdict = evaluate(seen, hypothesis, Depth::Described).judgement.verdict;
  EXPECT_EQ(evaluate(seen, hypothesis, Depth::Verdict).judgement.verdict, verdict);
  return verdict;
}

/// A part of an input is taken for 0.
void clear(Problem& problem, std::size_t position, std::size_t first, std::size_t count) {
  for (std::size_t k = first; k < first + count; ++k) problem.inputs.at(position).tensor->set_value(k, 0);
}

/// Outputs of an engine that ignores all peepholes, and the recurrent biases of the backward direction.
Outputs without_peepholes_and_backward_rb(const Problem& problem) {
  Problem taken = problem;
  const Tensor &P = *problem.input(input::P), &B = *problem.input(input::B);
  clear(taken, input::P, 0, P.size());
  clear(taken, input::B, 3 * B.size() / 4, B.size() / 4);
  return testing::compute(taken);
}

TEST(FaultSets, ExplainTogetherWhatNeitherExplainsAlone) {
  const Problem problem = two_directions();
  const Outputs outputs = without_peepholes_and_backward_rb(problem);
  EXPECT_EQ(verdict_with(problem, outputs, {"peepholes-ignored"}), Verdict::Diverges);
  EXPECT_EQ(verdict_with(problem, outputs, {"rb-ignored@backward"}), Verdict::Diverges);
  EXPECT_EQ(verdict_with(problem, outputs, {"peepholes-ignored", "rb-ignored@backward"}), Verdict::Conforms);
  EXPECT_EQ(verdict_with(problem, outputs, {"rb-ignored@backward", "peepholes-ignored"}), Verdict::Conforms);
  EXPECT_EQ(verdict_with(problem, outputs, {"peepholes-ignored", "rb-ignored"}), Verdict::Diverges);
}

TEST(FaultSets, MayChangeProblemCellAndOutputsAtOnce) {
  const Problem problem = two_directions();
  Problem taken = problem;
  clear(taken, input::initial_h, 0, problem.input(input::initial_h)->size());
  Outputs outputs = without_peepholes_and_backward_rb(taken);
  std::swap(outputs[output::Y_h], outputs[output::Y_c]);
  const Ids all{"initial-h-ignored", "y-h-and-y-c-exchanged", "peepholes-ignored", "rb-ignored@backward"};
  EXPECT_EQ(verdict_with(problem, outputs, all), Verdict::Conforms);
  EXPECT_EQ(verdict_with(problem, outputs, {"initial-h-ignored", "peepholes-ignored", "rb-ignored@backward"}),
            Verdict::Diverges);
}

/// Outputs of the rows, all computed for T steps, as the problem's own lengths show them.
Outputs shown_within(const std::vector<std::int64_t>& lengths, Outputs outputs) {
  Tensor& Y = *outputs[output::Y];
  for (std::size_t k = 0; k < Y.size(); ++k) {
    const auto at = Y.index_of(k);
    if (at[0] >= lengths[static_cast<std::size_t>(at[2])]) Y.set_value(k, 0);
  }
  return outputs;
}

TEST(FaultSets, AReverseDirectionMayComeThroughItsPadding) {
  const auto reversed = [](Case& c) { c.attributes.direction = "reverse"; };
  const Problem dense = some_problem(Operator::LSTM, ElementType::Float, reversed);
  const Problem ragged = some_problem(Operator::LSTM, ElementType::Float, [&](Case& c) {
    reversed(c);
    testing::give_lengths(c, {5, 2, 3});
  });
  ASSERT_EQ(*ragged.input(input::X), *dense.input(input::X));
  const Outputs outputs = shown_within({5, 2, 3}, testing::compute(dense));
  EXPECT_EQ(verdict_with(ragged, outputs, {"reverse-starts-in-padding"}), Verdict::Conforms);
  EXPECT_EQ(verdict_with(ragged, outputs, {}), Verdict::Diverges);
}

TEST(FaultSets, HoldFaultsThatDoNotApplyButNoneThatIsNotThere) {
  const Problem problem = some_problem(Operator::LSTM);
  const Outputs honest = testing::compute(problem);
  EXPECT_EQ(verdict_with(problem, honest, {"layout-ignored-in-x", "backward-takes-forward-w"}), Verdict::Conforms);
  EXPECT_EQ(verdict_with(problem, honest, {"layout-ignored-in-x", "y-c-is-zero"}), Verdict::Diverges);
}

/// The view of an honest answer with faults put on one after the other.
class PutOn : public ::testing::Test {
 protected:
  View& seen_through(Ids ids) {
    for (const char* id : ids) EXPECT_TRUE(fault_named(id)->put_on(view_)) << id;
    return view_;
  }

  const Problem problem_ = two_directions();
  const Outputs outputs_ = testing::compute(problem_);
  const Observed observed_{problem_, outputs_};
  View view_{observed_};
  const Arithmetic f32_ = arithmetic_of(ContractId::F32, ElementType::Float);
};

TEST_F(PutOn, AFaultThatSleepsAtFirstLeavesTheOthersAwake) {
  for (const Ids ids : {Ids{"tf32-operands-late", "rb-ignored"}, Ids{"rb-ignored", "tf32-operands-late"}}) {
    view_.fault_hooks = {};
    View& view = seen_through(ids);
    const Task task(view.observed(), {}, f32_, view.fault_hooks);
    const FaultyCell early = task.early_cell(0), late = task.cell(0);
    EXPECT_EQ(early.Rb, std::vector<double>(early.Rb.size(), 0));
    EXPECT_EQ(late.Rb, early.Rb);
    EXPECT_EQ(early.switches.x_bits, 0);
    EXPECT_EQ(late.switches.h_bits, 11);
  }
}

TEST_F(PutOn, NumbersAreMadeAnewOnlyWhereAFaultChangesThem) {
  EXPECT_EQ(&seen_through({"rb-ignored", "f16-gates"}).observed(), &observed_);
  const Observed& changed = seen_through({"initial-h-negated"}).observed();
  EXPECT_NE(&changed, &observed_);
  EXPECT_EQ(changed.initial_h.front(), -observed_.initial_h.front());
  EXPECT_EQ(changed.Y, observed_.Y);
}

TEST(FaultLists, LeaveOutOneOrAllButOneWithItsBase) {
  EXPECT_EQ(every_fault().size(), faults().size());
  const auto without = every_fault_but("rb-ignored");
  EXPECT_EQ(without.size() + 1, faults().size());
  EXPECT_EQ(std::ranges::count(without, "rb-ignored", &oracle::Fault::id), 0);
  EXPECT_EQ(only_fault("rb-ignored"), std::vector<const oracle::Fault*>{fault_named("rb-ignored")});
  EXPECT_EQ(only_fault("rb-ignored@bidirectional"),
            (std::vector<const oracle::Fault*>{fault_named("rb-ignored"), fault_named("rb-ignored@bidirectional")}));
  EXPECT_EQ(only_fault("bf16-state").size(), faults().size());
  EXPECT_EQ(only_fault("no-such-fault").size(), faults().size());
}

/// Outputs of an engine that takes the backward weights for both directions, and z for r.
Outputs of_backward_weights_with_z_for_r(Problem problem) {
  for (const std::size_t position : {input::W, input::R, input::B}) {
    Tensor& tensor = *problem.inputs.at(position).tensor;
    const std::size_t of_direction = tensor.size() / 2, gates = position == input::B ? 6 : 3;
    const std::size_t of_gate = of_direction / gates;
    for (std::size_t k = 0; k < of_direction; ++k) {
      const std::size_t gate = k / of_gate, of_three = gate % 3,
                        taken = gate - of_three + (of_three == 2 ? 2 : 1 - of_three);
      const double value = tensor.value(of_direction + taken * of_gate + k % of_gate);
      tensor.set_value(k, value);
    }
    for (std::size_t k = 0; k < of_direction; ++k) tensor.set_value(of_direction + k, tensor.value(k));
  }
  return testing::compute(problem);
}

TEST(FaultSets, ReadWhatTheyTakeFromTheOtherDirectionLikeTheirOwn) {
  const Problem problem =
      some_problem(Operator::GRU, ElementType::Float, [](Case& c) { c.attributes.direction = "bidirectional"; });
  const Outputs outputs = of_backward_weights_with_z_for_r(problem);
  const char *const taken = "forward-takes-backward-parameters", *const order = "gate-order-rzh";
  EXPECT_EQ(verdict_with(problem, outputs, {taken, order}), Verdict::Conforms);
  EXPECT_EQ(verdict_with(problem, outputs, {order, taken}), Verdict::Conforms);
  EXPECT_EQ(verdict_with(problem, outputs, {taken}), Verdict::Diverges);
}

TEST(FaultSets, MayTakeMoreStepsThanTheCaseHas) {
  const Problem problem = some_problem(Operator::RNN, ElementType::Float16, [](Case& c) {
    c.N = 11;
    c.H = 16;
    c.I = 48;  // sums that nearly cancel
    c.seed = 5;
    testing::give_lengths(c, std::vector<double>(11, 0));
    c.outputs = {Presence::Absent, Presence::Given};
  });
  Problem taken = problem;
  taken.inputs.at(input::sequence_lens) = {};
  const Outputs outputs = testing::compute(taken, {.elements = ElementType::Float16});
  const Hypothesis hypothesis{{}, ContractId::Elementwise16, {fault_named("lengths-ignored")}};
  EXPECT_NE(evaluate(Observed(problem, outputs), hypothesis, Depth::Verdict).judgement.verdict, Verdict::Diverges)
      << "the case takes no step, so that nothing is known of how far its errors reach";
}

}  // namespace
}  // namespace cellproof::oracle
