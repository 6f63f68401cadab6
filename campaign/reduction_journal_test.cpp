#include "campaign/reduction_journal.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <system_error>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;

class ReductionJournalFile : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  fs::path file_ = folder_ / "journal";
};

TEST_F(ReductionJournalFile, RemembersWhatWasNoted) {
  {
    ReductionJournal journal(file_, "engine 1 case");
    journal.note("0123456789abcdef", true);
    journal.note("fedcba9876543210", false);
    EXPECT_EQ(journal.taken_over(), 0U);
  }
  const ReductionJournal journal(file_, "engine 1 case");
  EXPECT_EQ(journal.taken_over(), 2U);
  EXPECT_EQ(journal.answer_to("0123456789abcdef"), true);
  EXPECT_EQ(journal.answer_to("fedcba9876543210"), false);
  EXPECT_EQ(journal.answer_to("0000000000000000"), std::nullopt);
}

TEST_F(ReductionJournalFile, TakesNothingFromAnotherReduction) {
  ReductionJournal(file_, "engine 1 case").note("0123456789abcdef", true);
  EXPECT_THROW(ReductionJournal(file_, "engine 2 case"), std::invalid_argument);
  EXPECT_EQ(ReductionJournal(file_, "engine 1 case").taken_over(), 1U);
}

TEST_F(ReductionJournalFile, ALineThatWasCutShortIsNone) {
  ReductionJournal(file_, "what").note("0123456789abcdef", true);
  std::ofstream(file_, std::ios::app) << "fedcba9876543210 fai";
  {
    ReductionJournal journal(file_, "what");
    EXPECT_EQ(journal.taken_over(), 1U);
    journal.note("fedcba9876543210", true);
  }
  EXPECT_EQ(ReductionJournal(file_, "what").taken_over(), 2U);
}

TEST_F(ReductionJournalFile, IsGoneWhenTheReductionIsComplete) {
  ReductionJournal journal(file_, "what");
  EXPECT_TRUE(fs::exists(file_));
  journal.remove();
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(ReductionJournalFile, SaysWhereItCannotBeWritten) {
  EXPECT_THROW(ReductionJournal("/nowhere/at/all", "what"), std::system_error);
}

}  // namespace
}  // namespace cellproof::campaign
