// Faults that are taken out of a model again, since what stays unexplained speaks against them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "causes/cover.hpp"
#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"
#include "spec/resized.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::with_bias;
using testing::with_peepholes;
using testing::with_state;

/// Ids of the faults that are left.
std::vector<std::string> left(std::span<const Answered> answers, FaultSet tried) {
  Cover cover(answers, std::move(tried), {});
  cover.search();
  return testing::ids(cover);
}

/// A scope goes with its fault.
TEST(Dropped, AFaultThatIsTakenBackLeavesNoScope) {
  AskedEngine engine({"rb-ignored"}), right({});
  for (int k = 0; k < 4; ++k) engine.ask(with_bias);
  for (int k = 0; k < 9; ++k) right.ask(with_bias, Operator::GRU);
  std::vector<Answered> answers = engine.answered();
  answers.insert(answers.end(), right.answered().begin(), right.answered().end());
  Cover cover(answers, {oracle::fault_named("rb-ignored")}, {});
  cover.search();
  ASSERT_THAT(cover.scopes(), SizeIs(1));
  cover.take_back(oracle::fault_named("rb-ignored"));
  EXPECT_THAT(cover.scopes(), IsEmpty());
  EXPECT_FALSE(testing::explains_all(cover));
}

/// Something that is not known looks like it in a few of many cases.
TEST(Dropped, AFaultThatExplainsFewOfTheCasesThatItActsOnIsNotNamed) {
  AskedEngine known({"rb-ignored"}), unknown({"initial-h-negated"});
  const auto with_both = [](Case& c) {
    with_bias(c);
    with_state(c);
  };
  for (int k = 0; k < 2; ++k) known.ask(with_bias);
  for (int k = 0; k < 7; ++k) unknown.ask(with_both);
  const auto named = [&](std::size_t of_unknown) {
    std::vector<Answered> answers = known.answered();
    answers.insert(answers.end(), unknown.answered().begin(),
                   unknown.answered().begin() + static_cast<std::ptrdiff_t>(of_unknown));
    return left(answers, oracle::every_fault_but("initial-h-negated"));
  };
  EXPECT_THAT(named(6), ElementsAre("rb-ignored"));
  EXPECT_THAT(named(7), IsEmpty());
}

TEST(Dropped, ACornerIsDroppedBeyondWhichMoreIsUnexplained) {
  AskedEngine engine({"rb-ignored"});
  const auto in_both = [](Case& c) {
    with_bias(c);
    c.attributes.direction = "bidirectional";
  };
  FaultSet tried{oracle::fault_named("rb-ignored@bidirectional")};
  AskedEngine right({});
  const auto named = [&] {
    std::vector<Answered> answers = engine.answered();
    answers.insert(answers.end(), right.answered().begin(), right.answered().end());
    return left(answers, tried);
  };
  ASSERT_NE(tried.front(), nullptr);
  for (int k = 0; k < 3; ++k) engine.ask(in_both);
  for (int k = 0; k < 2; ++k) engine.ask(with_bias);
  EXPECT_THAT(named(), IsEmpty()) << "nothing is right beyond: that is no corner";
  for (int k = 0; k < 2; ++k) right.ask(with_bias);
  EXPECT_THAT(named(), SizeIs(1));
  engine.ask(with_bias);
  right.ask(with_bias);
  EXPECT_THAT(named(), IsEmpty());
}

TEST(Dropped, AScopeIsDroppedBeyondWhichAsMuchIsUnexplained) {
  AskedEngine engine({"rb-ignored"}), unknown({"initial-h-negated"}), right({});
  const auto in_reverse = [](Case& c) {
    with_bias(c);
    c.attributes.direction = "reverse";
  };
  for (int k = 0; k < 4; ++k) engine.ask(with_bias);
  for (int k = 0; k < 9; ++k) right.ask(in_reverse);
  for (int k = 0; k < 4; ++k)
    unknown.ask([&](Case& c) {
      in_reverse(c);
      with_state(c);
    });
  const auto named = [&](std::ptrdiff_t of_unknown) {
    std::vector<Answered> answers = engine.answered();
    answers.insert(answers.end(), right.answered().begin(), right.answered().end());
    answers.insert(answers.end(), unknown.answered().begin(), unknown.answered().begin() + of_unknown);
    return left(answers, {oracle::fault_named("rb-ignored")});
  };
  EXPECT_THAT(named(3), ElementsAre("rb-ignored"));
  EXPECT_THAT(named(4), IsEmpty());
}

/// Each operator has code of its own: what fails in others says nothing of this one.
TEST(Dropped, AScopeOfOperatorsWithManyCasesIsKeptWhateverOthersLeaveOpen) {
  AskedEngine engine({"rb-ignored"}), unknown({"initial-h-negated"}), right({});
  for (std::ptrdiff_t k = 0; k < enough_for_operators; ++k) EXPECT_FALSE(engine.ask(with_bias).pass);
  EXPECT_TRUE(right.ask(with_bias, Operator::GRU).pass);
  const auto with_both = [](Case& c) {
    with_bias(c);
    with_state(c);
  };
  for (int k = 0; k < 2; ++k) EXPECT_FALSE(unknown.ask(with_both, Operator::GRU).pass);
  std::vector<Answered> answers = engine.answered();
  answers.insert(answers.end(), right.answered().begin(), right.answered().end());
  answers.insert(answers.end(), unknown.answered().begin(), unknown.answered().end());
  const FaultSet tried{oracle::fault_named("rb-ignored")};
  EXPECT_THAT(left(answers, tried), ElementsAre("rb-ignored"));
  answers.erase(answers.begin());
  EXPECT_THAT(left(answers, tried), IsEmpty()) << "too few cases";
}

TEST(Dropped, ACornerOfSizesIsDroppedWhereSmallerOnesFailAsOften) {
  AskedEngine engine({"tail-of-8-dropped-in-w"});
  const auto with_columns = [](std::int64_t columns) { return [columns](Case& c) { c = resized(c, "I", columns); }; };
  const FaultSet tried{oracle::fault_named("tail-of-16-dropped-in-w")};
  const auto named = [&] { return left(engine.answered(), tried); };
  for (int k = 0; k < 2; ++k) engine.ask(with_columns(17));
  engine.ask(with_columns(9));
  EXPECT_THAT(named(), ElementsAre("tail-of-16-dropped-in-w"));
  engine.ask(with_columns(9));
  EXPECT_THAT(named(), IsEmpty());
}

/// A case that fails where the corner's base does not act may show another defect.
TEST(Dropped, ACornerIsNotDroppedForWhatOthersLeaveOpen) {
  AskedEngine engine({"lengths-ignored@symbolic-sizes", "peepholes-ignored"});
  const auto ragged = [](Case& c) {
    c.inputs[input::sequence_lens].presence = Presence::Given;
    c.presentation.dims = Dims::Steps;
  };
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(engine.ask(ragged).pass);
  for (int k = 0; k < 4; ++k) EXPECT_FALSE(engine.ask(with_peepholes).pass);
  const FaultSet tried{oracle::fault_named("lengths-ignored@symbolic-sizes")};
  EXPECT_THAT(left(engine.answered(), tried), ElementsAre("lengths-ignored@symbolic-sizes"));
}

}  // namespace
}  // namespace cellproof::causes
