// The probes that have a truth of their own, as tests: of cuDNN on a device, and of its stand-in where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

#include "lab/cudnn_probe/probes.hpp"
#include "optimized/cudnn/testing/stand_in.hpp"

namespace cellproof::cudnn::probe {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

/// Every answer of a probe, given to `expect`; a device that is lost ends it.
template <class Expect>
void ask_all(const Context& context, const std::vector<Question>& questions, Expect expect) {
  for (std::size_t k = 0; k < questions.size(); ++k) {
    const Step step = ask(context, questions, k);
    for (const auto& [asked, answer] : step.rows) expect(asked, answer);
    ASSERT_FALSE(step.is_lost) << "the device is lost by " << questions[k].asked;
  }
}

/// "y 1e-07, h 1e-07, c 2e-07": each within a tolerance; anything else is not.
void expect_distances(const std::string& asked, const std::string& answer, double tolerance) {
  ASSERT_THAT(answer, MatchesRegex("y [^ ]+, h [^ ,]+(, c [^ ,]+)?")) << asked;
  for (std::size_t at = answer.find(' '); at != std::string::npos;) {
    EXPECT_LE(std::strtod(answer.c_str() + at, nullptr), tolerance) << asked << ": " << answer;
    const std::size_t comma = answer.find(", ", at);
    at = comma == std::string::npos ? comma : answer.find(' ', comma + 2);
  }
}

/// J: seven steps of sums of a few terms; functions may be off by some units in the last place.
double tolerance_of(const std::string& asked) {
  if (asked.find("bfloat16") != std::string::npos) return 1e-1;
  if (asked.find("float16") != std::string::npos) return 2e-2;
  return asked.find("double") != std::string::npos ? 1e-12 : 4e-6;
}

void check_equations(const Context& context) {
  ask_all(context, questions_of_equations(), [](const std::string& asked, const std::string& answer) {
    expect_distances(asked, answer, tolerance_of(asked));
  });
}

/// K: one of the ways that the question names, for each of them.
void check_sums(const Context& context) {
  ask_all(context, questions_of_sums(), [](const std::string& asked, const std::string& answer) {
    if (asked.find("W x = 2049") != std::string::npos || asked.find("h = 2049") != std::string::npos)
      EXPECT_THAT(answer, AnyOf("0", "1")) << asked;
    else if (asked.find("W x = 70000") != std::string::npos)
      EXPECT_THAT(answer, AnyOf("112", "inf", "nan", "-nan")) << asked;
    else
      EXPECT_NEAR(std::strtod(answer.c_str(), nullptr), 1.0005, 6e-4) << asked << ": " << answer;
  });
}

/// N: as exact as the contract f32 demands, which bounds the relative error or the absolute one. What is flushed, and
/// how many units in the last place a function is off in its tail, are facts that nothing depends on.
void check_functions(const Context& context) {
  ask_all(context, questions_of_functions(), [](const std::string& asked, const std::string& answer) {
    if (asked.find("whichever are fewer") != std::string::npos) {
      EXPECT_LE(std::strtod(answer.c_str(), nullptr), 4) << asked << ": " << answer;
    } else if (asked.find("zeros, infinities") != std::string::npos) {
      EXPECT_THAT(answer, MatchesRegex(".*, nan gives -?nan")) << asked;
    } else if (asked.find("beyond 1") != std::string::npos) {
      EXPECT_EQ(answer, "0") << asked;
    }
  });
}

/// D: what our plan asks for; lengths of zero and padding without a fill are asked by gpu-check alone.
void check_padding(const Context& context) {
  std::vector<Question> questions;
  for (Question& question : questions_of_lengths()) {
    const std::string& asked = question.asked;
    if (asked.find(" 0 ") == std::string::npos && asked.find("0 7") == std::string::npos &&
        asked.find("NULL") == std::string::npos)
      questions.push_back(std::move(question));
  }
  ask_all(context, questions, [](const std::string& asked, const std::string& answer) {
    if (asked.find("padding") != std::string::npos && asked.find("filled") == std::string::npos)
      EXPECT_EQ(answer, "the same bits") << asked;  // X's
    else if (asked.find("neighbours") != std::string::npos)
      EXPECT_EQ(answer, "the same bits") << asked;
    else
      EXPECT_THAT(answer, MatchesRegex("in the padding of y [1-9][0-9]* zeros, 0 untouched, 0 others")) << asked;
  });
}

/// F: equal runs, states that are absent or zeros. I: what a graph computes, where it can be recorded at all. L: no
/// wait.
void check_bits(const Context& context, bool is_fast) {
  const auto expect_same = [](const std::string& asked, const std::string& answer) {
    if (asked.find("devSeqLengths") != std::string::npos) return;  // the plan gives none
    EXPECT_THAT(answer, AnyOf("the same bits", "as alone")) << asked;
  };
  for (const auto& questions : {questions_of_repeats(), questions_of_lengths_in_flight()}) {
    std::vector<Question> asked;
    // Some are of layers that plain loops take minutes for.
    std::ranges::copy_if(questions, std::back_inserter(asked), [&](const Question& question) {
      const auto has = [&](const char* words) { return question.asked.find(words) != std::string::npos; };
      return is_fast || (!has("reruns") && !has("another handle") && !has("N 64"));
    });
    ask_all(context, asked, expect_same);
  }
  ask_all(context, questions_of_recording(), [](const std::string& asked, const std::string& answer) {
    EXPECT_THAT(answer, AnyOf("the same bits", StartsWith("status "))) << asked;
  });
}

class CudnnStandInTruths : public ::testing::Test {
 protected:
  CudnnStandInTruths() { testing::reset_stand_in(); }
  std::unique_ptr<cellproof_cudnn_context> context_ = testing::stand_in_context();
};

TEST_F(CudnnStandInTruths, Equations) {
  check_equations(*context_);
}
TEST_F(CudnnStandInTruths, Sums) {
  check_sums(*context_);
  testing::stand_in().stores_products = true;
  check_sums(*context_);
}
TEST_F(CudnnStandInTruths, Functions) {
  check_functions(*context_);
}
TEST_F(CudnnStandInTruths, Padding) {
  check_padding(*context_);
}
TEST_F(CudnnStandInTruths, Bits) {
  check_bits(*context_, false);
}

/// The same of cuDNN: skipped by name, with the reason, where it or a device is absent.
class CudnnDeviceTruths : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      context_ = open_context({});
    } catch (const Failure& failure) {
      if (failure.status() != CELLPROOF_UNAVAILABLE) throw std::runtime_error(failure.what());
      GTEST_SKIP() << failure.what();
    }
  }
  std::unique_ptr<cellproof_cudnn_context> context_;
};

TEST_F(CudnnDeviceTruths, Equations) {
  check_equations(*context_);
}
TEST_F(CudnnDeviceTruths, Sums) {
  check_sums(*context_);
}
TEST_F(CudnnDeviceTruths, Functions) {
  check_functions(*context_);
}
TEST_F(CudnnDeviceTruths, Padding) {
  check_padding(*context_);
}
TEST_F(CudnnDeviceTruths, Bits) {
  check_bits(*context_, true);
}

/// O: what was loaded is one cuDNN, from one folder.
TEST_F(CudnnDeviceTruths, Libraries) {
  std::set<std::string> folders;
  ask_all(*context_, questions_of_libraries(), [&](const std::string& asked, const std::string& answer) {
    if (asked == "cudnnAdvVersionCheck") {
      EXPECT_EQ(answer, "0");
    }
    const std::filesystem::path file = answer;
    if (asked == "loaded" && file.filename().string().starts_with("libcudnn")) folders.insert(file.parent_path());
  });
  EXPECT_EQ(folders.size(), 1U) << ::testing::PrintToString(folders);
}

/// P: our plan refuses both; cuDNN must not answer with other numbers. What it may do to the device comes last.
TEST_F(CudnnDeviceTruths, Pointers) {
  for (const Question& question : questions_of_pointers()) {
    const Step step = ask(*context_, {question}, 0);
    for (const auto& [asked, answer] : step.rows) EXPECT_THAT(answer, Not(HasSubstr("OTHER BITS"))) << asked;
    if (step.is_lost) return;
  }
}

}  // namespace
}  // namespace cellproof::cudnn::probe
