#include "campaign/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

namespace cellproof::campaign {
namespace {

/// The lines of a work that is no terminal's.
std::string lines_of(std::int64_t total, std::optional<std::chrono::milliseconds> every,
                     const std::function<void(Progress&)>& work) {
  std::FILE* const out = std::tmpfile();
  {
    Progress progress("work", total, out, every);
    work(progress);
  }
  std::rewind(out);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), out));
  std::fclose(out);
  return text;
}

TEST(Progress, SaysInTheEndWhatWasDone) {
  const std::string lines = lines_of(3, {}, [](Progress& progress) {
    progress.advance("1 odd");
    progress.advance("2 odd");
  });
  EXPECT_THAT(lines, ::testing::MatchesRegex("work: 2/3 in [0-9.]+ s, 2 odd\n"));
}

TEST(Progress, IsSilentOnWorkOfUnknownLengthThatIsDoneAtOnce) {
  const std::string lines = lines_of(0, {}, [](Progress& progress) {
    progress.go_on();
    progress.advance("");
  });
  EXPECT_EQ(lines, "");
}

TEST(Progress, ShowsWorkThatOnlyGoesOn) {
  const std::string lines = lines_of(0, std::chrono::milliseconds(0), [](Progress& progress) { progress.go_on(); });
  EXPECT_THAT(lines, ::testing::MatchesRegex("work: 0 in [0-9.]+ s\nwork: 0 in [0-9.]+ s\n"));
}

}  // namespace
}  // namespace cellproof::campaign
