#include "spec/files/regular_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <stdexcept>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;

class RegularFile : public testing::Test {
 protected:
  void write(const fs::path& file, const std::string& text) const { std::ofstream(file) << text; }
  static std::string refusal(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  const fs::path file_ = folder_ / "file";
};

TEST_F(RegularFile, IsReadWholeUpToItsLimitAlsoThroughALink) {
  write(file_, "12345");
  EXPECT_EQ(read_regular_file(file_, 5), "12345");
  fs::create_symlink(file_, folder_ / "link");
  EXPECT_EQ(read_regular_file(folder_ / "link", 5), "12345");
  EXPECT_THAT(refusal([&] { read_regular_file(file_, 4); }), EndsWith("file: 5 bytes, expected at most 4"));
  EXPECT_THAT(refusal([] { read_regular_file("/proc/self/maps", 4); }),
              EndsWith("more than 4 bytes, expected at most 4"))
      << "which says that it has none";
}

TEST_F(RegularFile, WhatIsNoneIsRefusedAtOnce) {
  ::mkfifo(file_.c_str(), 0600);
  for (const fs::path& other : {file_, fs::path("/dev/zero"), folder_.path()})
    EXPECT_THAT(refusal([&] { read_regular_file(other, 10); }),
                EndsWith("not a regular file, expected a regular file"));
  EXPECT_THAT(refusal([&] { read_regular_file(folder_ / "none", 10); }),
              EndsWith("none: no such file, expected a readable file"));
}

TEST_F(RegularFile, IsNeverWrittenThroughALink) {
  write(folder_ / "victim", "precious");
  fs::create_symlink(folder_ / "victim", file_);
  EXPECT_THAT(refusal([&] { open_regular_file_to_write(file_, O_WRONLY | O_TRUNC); }),
              EndsWith("file: a symbolic link, expected a regular file"));
  EXPECT_EQ(read_regular_file(folder_ / "victim", 100), "precious");
  fs::remove(file_);
  ::mkfifo(file_.c_str(), 0600);
  EXPECT_THAT(refusal([&] { open_regular_file_to_write(file_, O_WRONLY); }), EndsWith("expected a regular file"));
  EXPECT_THAT(refusal([&] { open_regular_file_to_write(folder_.path(), O_WRONLY); }),
              testing::HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace cellproof
