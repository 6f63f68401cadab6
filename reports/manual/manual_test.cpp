#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/manual/program.hpp"
#include "spec/testing/approval.hpp"

namespace cellproof::reports::manual {
namespace {

/// A program with an option of each sort, an inner command, and text that wants to be syntax.
Program sample_program() {
  const Option help{{"-h", "--help"}, "", "Print this help and exit", {}};
  const Option suite{{"--suite"}, "SUITE", "Run this suite [or tier]: repeatable", {"smoke", "quick"}};
  const Option output{{"-o", "--output"}, "DIR", "Write the report here, in 'DIR'", {}, true};
  const Option stores{{}, "STORE...", "Read these; required", {}, true};
  const Command run{"run",
                    "Judge `all` engines",
                    "Examples:\n  prover run -o 'a b'\n\n.no request",
                    {help, suite, output, stores},
                    {}};
  const Command list{"list", "List things", "", {help}, {{"engines", "List engines\\", "", {help}, {}}}};
  return {{"prover", "Proves\nthings.\n\nExamples:\n  prover run\n", "", {help}, {run, list}},
          "1.2.3",
          {{"0", "all as expected"}, {"130, 143", "stopped"}}};
}

TEST(Manual, OfBashIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/manual.bash", render_bash(sample_program())), "");
}

TEST(Manual, OfZshIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/manual.zsh", render_zsh(sample_program())), "");
}

TEST(Manual, OfFishIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/manual.fish", render_fish(sample_program())), "");
}

TEST(Manual, PageIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/manual.1", render_man(sample_program())), "");
}

}  // namespace
}  // namespace cellproof::reports::manual
