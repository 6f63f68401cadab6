#include "spec/files/pending_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>
#include <stdexcept>

#include "spec/files/regular_file.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof {
namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

TEST(PendingFile, HasItsNameOnlyOnceItIsWhole) {
  const TemporaryFolder folder;
  {
    PendingFile left_out(folder / "file");
    left_out.add("half");
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
  PendingFile file(folder / "file");
  file.add("one");
  file.add(" two");
  EXPECT_FALSE(names_in(folder.path()).contains("file"));
  file.commit();
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"file"});
  EXPECT_EQ(read_regular_file(folder / "file", 100), "one two");
}

TEST(PendingFile, GrowsUnderANameThatNobodyCanForesee) {
  const TemporaryFolder folder;
  std::set<std::string> names;
  for (int k = 0; k < 10; ++k) {
    const PendingFile file(folder / "file");
    names.merge(names_in(folder.path()));
  }
  EXPECT_EQ(names.size(), 10U);
}

TEST(PendingFile, ReplacesALinkAndLeavesWhatItLeadsTo) {
  const TemporaryFolder folder;
  std::ofstream(folder / "victim") << "precious";
  fs::create_symlink(folder / "victim", folder / "file");
  PendingFile file(folder / "file");
  file.add("new");
  file.commit();
  EXPECT_EQ(read_regular_file(folder / "victim", 100), "precious");
  EXPECT_FALSE(fs::is_symlink(folder / "file"));
}

TEST(PendingFile, TakesNoDevicesPlace) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(PendingFile(folder / "pipe"), std::invalid_argument);
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"pipe"});
}

}  // namespace
}  // namespace cellproof
