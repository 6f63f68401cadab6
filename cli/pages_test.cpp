// Pages as their readers follow them: each command ends with the exit code that the page states, and prints what the
// page quotes. So does the divergence that the README shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/testing/followed_page.hpp"
#include "reports/store.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

TEST(Pages, TheTutorialDoesAndPrintsWhatItSays) {
  FollowedPage().follow("tutorial.md", 8, 5);
}

TEST(Pages, TheReadmeShowsARealDivergence) {
  int shown = 0;
  for (const Block& block : blocks_of(fs::path(CELLPROOF_SOURCE_DIR) / "README.md")) {
    if (!block.lines.front().starts_with("$ ./cellproof ")) continue;
    ++shown;
    const ProgramResult result = FollowedPage().run_line(block.lines.front().substr(std::string("$ ./").size()));
    EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
    EXPECT_EQ(missing_line({block.lines.begin() + 1, block.lines.end()}, result.out), "") << result.out;
  }
  EXPECT_EQ(shown, 1);
}

TEST(Pages, TheGalleryShowsTenFindings) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP()
      << "a sanitizer fills the fresh memory of ONNX Runtime's worker itself, which one of the findings is about";
#endif
  FollowedPage().follow("gallery.md", 10, 10);
}

TEST(Pages, TheAnswersToQuestionsHold) {
  FollowedPage().follow("faq.md", 3, 2);
}

/// The schedulers are stand-ins that set what the real ones set.
TEST(Pages, OnManyMachinesShareARunAndMergeItWhole) {
  FollowedPage page;
  page.take_programs_from("cli/testing/schedulers");
  page.bring({"docs/ci/slurm.sh", "docs/ci/kubernetes.yml", "docs/ci/bazel/BUILD", "docs/ci/bazel/cellproof_test.sh"});
  page.follow("how-to/many-machines.md", 8, 3);
  EXPECT_EQ(reports::Store::open_read_only(page.folder() / "4.sqlite").metadata().shard_chosen_by,
            "SLURM_ARRAY_TASK_ID=4 of 1 to 4");
  EXPECT_EQ(reports::Store::open_read_only(page.folder() / "array.sqlite").metadata().shard_chosen_by, "");
}

TEST(PagesText, IsHeldToItsWordsAndTheirOrder) {
  EXPECT_EQ(missing_line({"3 wrong", "", "gone x"}, "a\n4 wrong\n\nb\ngone x\n"), "");
  EXPECT_EQ(missing_line({"3 wrong"}, "3 right\n"), "3 wrong");
  EXPECT_EQ(missing_line({"b", "a"}, "a\nb\n"), "a");
}

}  // namespace
}  // namespace cellproof::cli
