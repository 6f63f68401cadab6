#include "spec/passing_case.hpp"

#include <gtest/gtest.h>

#include "spec/case_text.hpp"

namespace cellproof {
namespace {

constexpr const char* failing = "cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5 direction=reverse clip=0.5";

std::string difference(const char* passing) {
  return difference_text(passing_beside(parse_case(failing), parse_case(passing)));
}

TEST(PassingCase, SaysWhatItHasInsteadOfTheFailingOne) {
  EXPECT_EQ(difference("cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5 clip=0.5"), "with direction=forward");
  EXPECT_EQ(difference("cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5"),
            "with direction=forward, clip=absent");
}

TEST(PassingCase, NamesSizesWhereNothingElseDiffers) {
  EXPECT_EQ(difference("cellproof-case/1 op=LSTM-22 type=float T=1 N=2 I=4 H=16 direction=reverse clip=0.5"),
            "with T=1, H=16");
  EXPECT_EQ(difference("cellproof-case/1 op=LSTM-22 type=float T=1 N=2 I=4 H=5 clip=0.5"),
            "with direction=forward, and other sizes");
  EXPECT_EQ(difference("cellproof-case/1 op=LSTM-22 type=float T=4 N=2 I=4 H=5 seed=9 direction=reverse clip=0.5"),
            "with other values")
      << "sizes of one class are no difference";
}

}  // namespace
}  // namespace cellproof
