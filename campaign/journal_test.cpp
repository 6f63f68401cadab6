#include "campaign/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <system_error>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

using testing::ElementsAre;

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

TEST(Journal, AMissingFileHoldsNothing) {
  EXPECT_TRUE(unfinished_entries("/nonexistent/journal").empty());
}

TEST(Journal, SaysWhichFileCannotBeWritten) {
  EXPECT_THROW(Journal("/nonexistent/journal"), std::system_error);
}

}  // namespace
}  // namespace cellproof::campaign
