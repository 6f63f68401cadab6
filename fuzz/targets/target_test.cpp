#include "fuzz/targets/target.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::fuzz {
namespace {

namespace fs = std::filesystem;

TEST(Target, GetsAFolderThatIsEmptyAtEachCall) {
  const fs::path folder = scratch_folder();
  EXPECT_EQ(folder.parent_path(), process_folder());
  std::ofstream(folder / "remains") << "of the input before";
  EXPECT_EQ(scratch_folder(), folder);
  EXPECT_TRUE(fs::is_empty(folder));
}

/// A target as people run it by hand, over one file and some changes of it, with this folder for temporary files.
int run_target(const fs::path& temporary, const fs::path& input, const fs::path& log) {
  return std::system(fmt::format("TMPDIR={} {}/bin/cellproof-fuzz-case-text --random 20 {} >{} 2>&1",
                                 temporary.string(), CELLPROOF_BINARY_DIR, input.string(), log.string())
                         .c_str());
}

TEST(Target, SaysWhereItsLastInputIsAndLeavesNothingWhenItEnds) {
  const TemporaryFolder temporary, own;
  std::ofstream(own / "input") << "cellproof-case/1 op=RNN-14 type=float T=1 N=1 I=1 H=1";
  ASSERT_EQ(run_target(temporary.path(), own / "input", own / "log"), 0);
  EXPECT_TRUE(fs::is_empty(temporary.path()));
  std::ifstream log(own / "log");
  const std::string said{std::istreambuf_iterator<char>(log), {}};
  EXPECT_NE(said.find("if an input crashes, it is " + temporary.path().string()), std::string::npos) << said;
}

}  // namespace
}  // namespace cellproof::fuzz
