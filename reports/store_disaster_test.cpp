// Stores whose writer is killed, whose disk is full, whose folder is not ours, or to which others write too.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "reports/render.hpp"
#include "reports/store.hpp"
#include "reports/testing/sample_findings.hpp"
#include "reports/testing/store_folder.hpp"

namespace cellproof::reports {
namespace {

class StoreDisasterTest : public StoreFolder {
 protected:
  const Finding sample = large_report(200).findings[60];

  Finding numbered(std::int64_t number, const std::string& engine = "engine") const {
    Finding finding = sample;
    finding.engine = engine;
    finding.suite = "suite";
    finding.number = number;
    return finding;
  }
};

/// No file of this process may grow beyond `bytes` from here on: what a full disk looks like to the writer.
void limit_file_size(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, RLIM_INFINITY};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

TEST_F(StoreDisasterTest, KilledAtAnyMomentItHoldsWhatWasCommitted) {
  Store::create(file, run_metadata_of({{"seed", "7"}}));
  std::int64_t next = 0;
  for (int round = 0; round < 10; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Store store = Store::open(file);
      for (std::int64_t number = next;; ++number) {
        store.add(numbered(number));
        if (::write(ends[1], &number, sizeof number) != sizeof number) ::_exit(1);
      }
    }
    ::close(ends[1]);
    std::int64_t last = -1;
    // The first report shows that it writes; then any moment will do: a different one in each round.
    ASSERT_EQ(::read(ends[0], &last, sizeof last), static_cast<ssize_t>(sizeof last));
    std::this_thread::sleep_for(std::chrono::microseconds(700 * round * round + 137 * round));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    while (::read(ends[0], &last, sizeof last) == static_cast<ssize_t>(sizeof last)) {
    }
    ::close(ends[0]);
    const Store store = Store::open(file);
    const auto done = store.done("engine");
    for (std::int64_t number = 0; number <= last; ++number) ASSERT_TRUE(done.contains({"suite", number})) << number;
    ASSERT_LE(done.size(), static_cast<std::size_t>(last) + 2);
    EXPECT_EQ(store.findings().size(), done.size());
    EXPECT_EQ(store.metadata(), run_metadata_of({{"seed", "7"}}));
    next = static_cast<std::int64_t>(done.size());
  }
}

TEST_F(StoreDisasterTest, AFullDiskIsSaidAndLosesNothing) {
  const int status = status_of_child([&] {
    Store store = Store::create(file, {});
    limit_file_size(300'000);
    for (std::int64_t number = 0; number < 10'000; ++number) {
      const std::string said = refusal([&] { store.add(numbered(number)); });
      if (said.empty()) continue;
      const bool clear = said.starts_with("cannot write to the store " + file.string() + ": ") &&
                         said.find("File too large") != std::string::npos;
      if (!clear || number < 3 || store.findings().size() != static_cast<std::size_t>(number)) return 2;
      limit_file_size(RLIM_INFINITY);  // somebody tidied up
      store.add(numbered(number));
      return store.findings().size() == static_cast<std::size_t>(number) + 1 ? 0 : 3;
    }
    return 4;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_GT(Store::open(file).findings().size(), 3U);
}

TEST_F(StoreDisasterTest, AFullDiskTakesAllOfABatchOrNothing) {
  const int status = status_of_child([&] {
    Store store = Store::create(file, {});
    store.add(numbered(0));
    limit_file_size(300'000);
    std::vector<Finding> many;
    for (std::int64_t number = 1; number < 10'000; ++number) many.push_back(numbered(number));
    if (refusal([&] { store.add(many); }).empty() || store.findings().size() != 1) return 2;
    limit_file_size(RLIM_INFINITY);
    store.add(many);
    return store.findings().size() == 10'000 ? 0 : 3;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(StoreDisasterTest, AFullDiskLeavesNoHalfMadeStore) {
  for (const rlim_t bytes : {0, 1000, 8192, 16384}) {
    const int status = status_of_child([&] {
      limit_file_size(bytes);
      return refusal([&] {
               Store::create(file, run_metadata_of({{"command", std::string(20'000, 'v')}}));
             }).starts_with("cannot create the store " + file.string() + ": ")
                 ? 0
                 : 1;
    });
    EXPECT_EQ(status, 0) << bytes;
    EXPECT_TRUE(files().empty()) << bytes;
  }
}

TEST_F(StoreDisasterTest, AFolderThatIsNotOursIsSaid) {
  const int status = status_of_child([&] {
    ::chmod(folder.c_str(), 0555);
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return 2;
    const std::string said = refusal([&] { Store::create(file, {}); });
    return said == "cannot create the store " + file.string() + ": Permission denied" ? 0 : 1;
  });
  ::chmod(folder.c_str(), 0755);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(refusal([&] { Store::create(folder / "no" / "run.sqlite", {}); }),
            "cannot create the store " + (folder / "no" / "run.sqlite").string() + ": No such file or directory");
  write(file, "");
  EXPECT_THAT(refusal([&] { Store::create(file / "run.sqlite", {}); }), testing::EndsWith("Not a directory"));
}

TEST_F(StoreDisasterTest, AReportCanBeMadeOfAStoreInAFolderThatIsNotOurs) {
  Store::create(file, {}).add(numbered(1));
  const int status = status_of_child([&] {
    ::chmod(file.c_str(), 0444);
    ::chmod(folder.c_str(), 0555);
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return 2;
    return report_data(Store::open_read_only(file)).findings.size() == 1 ? 0 : 1;
  });
  ::chmod(folder.c_str(), 0755);
  EXPECT_EQ(status, 0);
}

TEST_F(StoreDisasterTest, ManyProcessesWriteAtOnce) {
  Store::create(file, {});
  constexpr int processes = 4;
  constexpr std::int64_t each = 60;
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Store store = Store::open(file);
      for (std::int64_t i = 0; i < each; ++i) store.add(numbered(i, "engine " + std::to_string(p)));
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Store::open(file).findings().size(), static_cast<std::size_t>(processes * each));
}

}  // namespace
}  // namespace cellproof::reports
