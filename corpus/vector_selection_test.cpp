#include "corpus/vector_selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "corpus/model.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::HasSubstr;

const std::string some_selection =
    "cellproof-vectors 1.2.3\n\nRNN-01\nkills: bias-dropped\ntells: padding-of-y=carry\n"
    "cellproof-case/1 op=RNN-22 type=float T=2 N=1 I=2 H=3\n";

std::string refusal_of_selection(const std::string& text) {
  try {
    parse_vector_selection(text, "some.txt");
  } catch (const CorpusError& error) {
    return error.what();
  }
  return "read";
}

TEST(VectorSelection, IsWrittenAsItIsRead) {
  const VectorSelection selection = parse_vector_selection(some_selection, "some.txt");
  EXPECT_EQ(selection.version, "1.2.3");
  ASSERT_EQ(selection.cases.size(), 1u);
  EXPECT_EQ(selection.cases[0].name, "RNN-01");
  EXPECT_THAT(selection.cases[0].kills, ::testing::ElementsAre("bias-dropped"));
  EXPECT_THAT(selection.cases[0].tells, ::testing::ElementsAre("padding-of-y=carry"));
  EXPECT_EQ(to_text(selection), some_selection);
}

TEST(VectorSelection, NamesTheLineThatIsWrong) {
  EXPECT_THAT(refusal_of_selection(""), HasSubstr("some.txt:1"));
  EXPECT_THAT(refusal_of_selection("cellproof-vectors 1\n\nRNN-01\ntells:\n"), HasSubstr("some.txt:4"));
  EXPECT_THAT(refusal_of_selection("cellproof-vectors 1\n\nRNN-01\nkills:\ntells:\n"), HasSubstr("a case line"));
  EXPECT_THAT(refusal_of_selection("cellproof-vectors 1\n\nRNN-01\nkills:\ntells:\ncellproof-case/1 op=RNN-23\n"),
              HasSubstr("some.txt:6"));
}

TEST(VectorSelection, OfTheProjectHasValidCasesOfEveryOperator) {
  const VectorSelection selection = read_vector_selection();
  std::set<Operator> operators;
  std::set<std::string> names;
  for (const SelectedVector& each : selection.cases) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_NE(expectation_of(each.c).kind, Expectation::Kind::Refuse) << each.name;
    operators.insert(each.c.version.op);
  }
  EXPECT_EQ(operators.size(), all_operators().size());
}

}  // namespace
}  // namespace cellproof::corpus
