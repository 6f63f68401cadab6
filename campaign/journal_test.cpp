#include "campaign/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <system_error>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

using ::testing::ElementsAre;

TEST(Journal, NamesTheCaseThatWasEnteredAndNeverLeft) {
  const TemporaryFolder folder;
  const auto file = folder / "journal";
  Journal journal(file);
  journal.enter("onnxruntime", "smoke", 3, "cellproof-case/1 op=LSTM-22 T=3");
  journal.enter("onnxruntime", "smoke", 4, "cellproof-case/1 op=LSTM-22 T=4");
  journal.leave("onnxruntime", "smoke", 3);
  EXPECT_THAT(unfinished_entries(file), ElementsAre("onnxruntime smoke 4 cellproof-case/1 op=LSTM-22 T=4"));
  journal.leave("onnxruntime", "smoke", 4);
  EXPECT_TRUE(unfinished_entries(file).empty());
  journal.remove();
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Journal, DoesNotGrowForEver) {
  const TemporaryFolder folder;
  const auto file = folder / "journal";
  Journal journal(file, 1000);
  journal.enter("ours", "endless", 0, "cellproof-case/1 op=LSTM-22 T=1");
  for (std::int64_t number = 1; number < 500; ++number) {
    journal.enter("ours", "endless", number, "cellproof-case/1 op=LSTM-22 T=3");
    journal.leave("ours", "endless", number);
    EXPECT_LE(std::filesystem::file_size(file), 1200U);
  }
  EXPECT_THAT(unfinished_entries(file), ElementsAre("ours endless 0 cellproof-case/1 op=LSTM-22 T=1"));
}

TEST(Journal, AMissingFileHoldsNothing) {
  EXPECT_TRUE(unfinished_entries("/nonexistent/journal").empty());
}

TEST(Journal, SaysWhichFileCannotBeWritten) {
  EXPECT_THROW(Journal("/nonexistent/journal"), std::system_error);
}

}  // namespace
}  // namespace cellproof::campaign
