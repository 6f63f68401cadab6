// Stores that are read together, as a user meets them: what is missing shows, and nothing is counted twice.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/testing/run_program.hpp"
#include "reports/store.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class SeveralStores : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::vector<std::string> shard(const std::string& part, const std::string& store,
                                 const std::string& engine = "reference") const {
    return {"run", "--suite", "smoke", "--shard", part, "--engine", engine, "--store", path(store), "-o", path("r")};
  }

  TemporaryFolder folder_;
};

TEST_F(SeveralStores, AKilledShardShows) {
  const auto of = [&](const std::string& part, const std::string& store, const std::string& deed) {
    return shard(part, store, fmt::format("bad={}/bin/cellproof-engine-hostile {}", CELLPROOF_BINARY_DIR, deed));
  };
  ASSERT_EQ(run_program(of("1/2", "1.sqlite", "wrong-shape")).exit_code, 1);
  for (int tries = 1; !fs::exists(path("2.sqlite")) && tries <= 20; ++tries)
    run_program(of("2/2", "2.sqlite", "hang"), {}, std::chrono::milliseconds(300 * tries));
  const ProgramResult merged = run_program({"merge", path("1.sqlite"), path("2.sqlite"), "-o", path("all.sqlite")});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("2.sqlite: what this run had not come to when it was killed"));
  const ProgramResult report = run_program({"report", path("all.sqlite"), "-o", path("r")});
  EXPECT_THAT(report.out, HasSubstr("not run: " + path("2.sqlite")));
  EXPECT_EQ(reports::Store::open_read_only(path("all.sqlite")).metadata().shard, "1/2+2/2");
  std::vector<std::string> resume = of("2/2", "2.sqlite", "wrong-shape");
  resume.emplace_back("--resume");
  ASSERT_EQ(run_program(resume).exit_code, 1);
  const ProgramResult whole = run_program({"merge", path("1.sqlite"), path("2.sqlite"), "-o", path("whole.sqlite")});
  EXPECT_THAT(whole.out, Not(HasSubstr("not run")));
  EXPECT_EQ(reports::Store::open_read_only(path("whole.sqlite")).metadata().shard, "1/1");
}

TEST_F(SeveralStores, NothingIsCountedTwice) {
  ASSERT_EQ(run_program(shard("1/40", "1.sqlite")).exit_code, 0);
  const ProgramResult twice = run_program({"report", path("1.sqlite"), path("1.sqlite"), "-o", path("twice")});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_EQ(std::ranges::count(twice.err, '\n'), 1) << twice.err;
  EXPECT_THAT(twice.err, HasSubstr("holds smoke number 0 on reference, and so does"));
  EXPECT_THAT(twice.err, HasSubstr("name the older one's store with --baseline"));
}

TEST_F(SeveralStores, OfTwoVersionsTheOlderOneIsTheBaseline) {
  const std::string bin = fmt::format("ours={}/bin/cellproof-engine-", CELLPROOF_BINARY_DIR);
  ASSERT_EQ(run_program(shard("1/40", "old.sqlite", bin + "hostile wrong-shape")).exit_code, 1);
  ASSERT_EQ(run_program(shard("1/40", "new.sqlite", bin + "reference")).exit_code, 0);
  const auto compared = [&](const std::string& now, const std::string& base) {
    return run_program({"report", path(now), "--baseline", path(base), "-o", path("compared")});
  };
  const ProgramResult better = compared("new.sqlite", "old.sqlite"), worse = compared("old.sqlite", "new.sqlite");
  EXPECT_EQ(better.exit_code, 0) << better.err;
  EXPECT_THAT(better.out, testing::ContainsRegex("causes against [^:]*: 0 new, 0 known, [1-9][0-9]* fixed"));
  EXPECT_EQ(worse.exit_code, 1);
  EXPECT_THAT(worse.out, testing::ContainsRegex("causes against [^:]*: [1-9][0-9]* new, 0 known, 0 fixed"));
  EXPECT_EQ(run_command({"grep", "-q", "id=\"changes\"", path("compared/index.html")}).exit_code, 0);
}

TEST_F(SeveralStores, OnlyTheReducedFoldersThatAreThereAreNamed) {
  const std::string hostile = std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile wrong-shape";
  ASSERT_EQ(run_program({"run", "--suite", "onnx-backend", "--engine", "bad=" + hostile, "--explain", "1", "--store",
                         path("1.sqlite"), "-o", path("r")})
                .exit_code,
            1);
  const auto named = [&](const std::string& output) {
    run_program({"report", path("1.sqlite"), "-o", path(output), "--format", "html"});
    return run_command({"grep", "-q", "reduced/bad-", path(output + "/index.html")}).exit_code == 0;
  };
  EXPECT_TRUE(named("r"));
  EXPECT_FALSE(named("elsewhere"));
}

TEST_F(SeveralStores, ReadingLeavesNothingBesideThem) {
  ASSERT_EQ(run_program(shard("1/40", "1.sqlite")).exit_code, 0);
  run_program({"report", path("1.sqlite"), "--baseline", path("1.sqlite"), "-o", path("r")});
  run_program({"merge", path("1.sqlite"), "-o", path("2.sqlite")});
  for (const char* name : {"1.sqlite-shm", "1.sqlite-wal", "2.sqlite-shm", "2.sqlite-wal"})
    EXPECT_FALSE(fs::exists(path(name))) << name;
}

}  // namespace
}  // namespace cellproof::cli
