#include "campaign/searched_note.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cellproof::campaign {
namespace {

using ::testing::IsEmpty;

TEST(SearchedNote, IsReadFromItsText) {
  const SearchedNote note{{"fuzz-judged", {1200, {{"CONFORMS", 1100}, {"NOT_SUPPORTED", 60}, {"FLAKY", 40}}}},
                          {"fuzz-laws", {0, {}}}};
  EXPECT_EQ(to_text(note), "fuzz-judged below 1200: 1100 CONFORMS, 40 FLAKY, 60 NOT_SUPPORTED; fuzz-laws below 0:");
  EXPECT_EQ(searched_note_of(to_text(note)), note);
}

TEST(SearchedNote, LeavesOutWhatIsNone) {
  EXPECT_THAT(searched_note_of(""), IsEmpty());
  EXPECT_THAT(searched_note_of("so many; and more; a below b: 3 CONFORMS"), IsEmpty());
}

}  // namespace
}  // namespace cellproof::campaign
