#include "spec/engine_note.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cellproof {
namespace {

using enum EngineNote;

TEST(EngineNote, EveryNameLeadsBack) {
  for (int i = 0; i < engine_note_count; ++i) {
    const auto note = static_cast<EngineNote>(i);
    EXPECT_EQ(engine_note_named(name(note)), note);
  }
  EXPECT_EQ(name(Version), "version");
  EXPECT_EQ(name(Starts), "starts");
  EXPECT_EQ(name(Causes), "causes");
  EXPECT_EQ(name(AskedFor), "asked for");
  EXPECT_EQ(engine_note_named("of another program"), std::nullopt);
}

TEST(EngineNote, TellsWhyAnEngineDidNotStart) {
  EXPECT_EQ(start_trouble_of({{Version, "1"}}), "");
  EXPECT_EQ(start_trouble_of({{Version, "1"}, {CannotStart, ""}}), "") << "it has been started since";
  EXPECT_EQ(start_trouble_of({{CannotStart, "SIGSEGV"}}), "cannot start: SIGSEGV");
  EXPECT_EQ(start_trouble_of({{CannotStartAgain, "gone"}}), "can no longer be started: gone");
}

TEST(EngineNote, SomeAreRemarks) {
  const EngineNotes notes{{Version, "1"}, {Searched, "all"},         {Memory, "grew"},
                          {Slow, ""},     {CausesCutShort, "ended"}, {Deployed, "2 of 3"}};
  EXPECT_THAT(remarks_of(notes),
              testing::ElementsAre("memory: grew", "searched: all", "deployed: 2 of 3", "search for causes: ended"));
  EXPECT_FALSE(is_remark(Version));
  EXPECT_FALSE(is_remark(AskedFor));
  EXPECT_FALSE(is_remark(CannotStartAgain));
  EXPECT_EQ(words_of(notes, Memory), "grew");
  EXPECT_EQ(words_of(notes, Absent), "");
}

}  // namespace
}  // namespace cellproof
