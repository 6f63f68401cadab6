#include "spec/files/append_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <system_error>

#include "spec/files/regular_file.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof {
namespace {

TEST(AppendFile, BeginsAnewAndHoldsEachLineAtOnce) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "what a killed process left";
  const AppendFile file(folder / "file");
  file.add("one\n");
  file.add("two\n");
  EXPECT_EQ(read_regular_file(folder / "file", 100), "one\ntwo\n");
  file.remove();
  EXPECT_FALSE(std::filesystem::exists(folder / "file"));
}

TEST(AppendFile, FollowsNoLink) {
  const TemporaryFolder folder;
  std::ofstream(folder / "victim") << "precious";
  std::filesystem::create_symlink(folder / "victim", folder / "file");
  EXPECT_THROW(AppendFile(folder / "file"), std::invalid_argument);
  EXPECT_EQ(read_regular_file(folder / "victim", 100), "precious");
}

TEST(AppendFile, SaysWhatCannotBeWritten) {
  EXPECT_THROW(AppendFile("/nonexistent/file"), std::system_error);
}

}  // namespace
}  // namespace cellproof
