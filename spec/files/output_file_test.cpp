#include "spec/files/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <system_error>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof {
namespace {

class WriteFile : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(WriteFile, ReplacesTheWholeFile) {
  write_file(folder_ / "a", "first");
  write_file(folder_ / "a", "second");
  std::ostringstream text;
  text << std::ifstream(folder_ / "a").rdbuf();
  EXPECT_EQ(text.str(), "second");
}

TEST_F(WriteFile, LeavesNothingWhenTheDiskIsFull) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1024, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto file = folder_ / "full";
  EXPECT_THROW(write_file(file, std::string(100'000, 'x')), std::system_error);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(std::filesystem::exists(file));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos);
  }
}

TEST_F(WriteFile, NamesTheFileThatCannotBeWritten) {
  try {
    write_file("/nonexistent/report.html", "x");
    FAIL() << "expected an error";
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent/report.html: cannot be written"), std::string::npos);
  }
}

}  // namespace
}  // namespace cellproof
