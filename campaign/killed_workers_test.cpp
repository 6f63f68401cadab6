// Real workers, killed from outside with nothing between them and the harness.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "campaign/run.hpp"
#include "engines/fresh_memory.hpp"
#include "fuzz/suites.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

std::string text_of(const fs::path& file) {
  const std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();  // stops, and says nothing, where the process has gone meanwhile
  return text.str();
}

/// The workers below a process to which the cases go; those that are asked a second time have other memory.
std::vector<pid_t> workers_of_the_run(pid_t process) {
  std::vector<pid_t> found;
  std::error_code gone;
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", process), gone)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) {
      const fs::path folder = fmt::format("/proc/{}", child);
      const bool is_first =
          text_of(folder / "environ").find(fmt::format("perturb={}", 0xff ^ engines::first_fill)) != std::string::npos;
      if (text_of(folder / "comm").starts_with("cellproof-engin") && is_first) found.push_back(child);
      for (const pid_t other : workers_of_the_run(child)) found.push_back(other);
    }
  }
  return found;
}

/// Returns the bytes that a process has written so far; a greeting has a hundred.
std::uint64_t written_by(pid_t process) {
  std::istringstream text(text_of(fmt::format("/proc/{}/io", process)));
  std::string key;
  for (std::uint64_t value = 0; text >> key >> value;)
    if (key == "wchar:") return value;
  return 0;
}

constexpr int kills_wanted = 20;

/// Kills so many of them, one after the other, at moments that it draws. Returns how many there were until `over`.
int kill_some(std::mt19937& random, const std::atomic<bool>& over) {
  int kills = 0;
  std::set<pid_t> killed;
  while (kills < kills_wanted && !over) {
    std::this_thread::sleep_for(milliseconds(1 + random() % 12));
    std::vector<pid_t> working;
    for (const pid_t worker : workers_of_the_run(getpid())) {
      // One that has not answered yet has no case that could be named for it, and a dead one dies no second death.
      if (written_by(worker) > 2'000 && !killed.contains(worker)) working.push_back(worker);
    }
    if (working.empty()) continue;
    const pid_t victim = working[random() % working.size()];
    if (::kill(victim, SIGKILL) != 0) continue;
    killed.insert(victim);
    ++kills;
  }
  return kills;
}

class KilledWorkers : public ::testing::TestWithParam<std::pair<const char*, int>> {};

/// Suite smoke over and over, so that the run goes on when the last one has been killed.
corpus::Suite long_suite() {
  const corpus::Suite smoke = fuzz::load_suite("smoke");
  corpus::Suite suite{"long", "", {}};
  for (int round = 0; round < 10; ++round) std::ranges::copy(smoke.cases, std::back_inserter(suite.cases));
  return suite;
}

TEST_P(KilledWorkers, AreNamedEachAndNothingElseIs) {
  const auto& [engine, jobs] = GetParam();
  const TemporaryFolder folder;
  RunOptions options;
  options.suites = {long_suite()};
  options.engines = {engine};
  options.jobs = jobs;
  options.explain = 0;
  options.journal = folder / "journal";
  options.report = folder.path();
  std::mt19937 random(20261125);
  int kills = 0;
  RunResult result;
  for (int round = 0; kills < kills_wanted && round < 5; ++round) {  // one run may be over too soon
    reports::Store store = reports::Store::create(folder / fmt::format("{}.sqlite", round), {});
    std::atomic<bool> over = false;
    std::jthread killer([&] { kills = kill_some(random, over); });
    result = run(options, store);
    over = true;
    killer.join();
  }
  ASSERT_EQ(kills, kills_wanted) << "the run was too short";
  ASSERT_EQ(result.findings.size(), options.suites[0].cases.size());
  int named = 0;
  for (const Finding& finding : result.findings) {
    if (finding.pass) continue;
    EXPECT_EQ(finding.outcome, OutcomeKind::Crashed) << finding.outcome_message;
    EXPECT_NE(finding.outcome_message.find("SIGKILL"), std::string::npos) << finding.outcome_message;
    ++named;
  }
  EXPECT_LE(named, kills);
  EXPECT_GE(named, kills - 2);  // two may hit one case: itself, its twin, or one of them when it is asked again
}

INSTANTIATE_TEST_SUITE_P(Engines, KilledWorkers,
                         ::testing::Values(std::pair{"reference", 1}, std::pair{"reference", 2},
                                           std::pair{"cellproof-cpu", 1}, std::pair{"cellproof-cpu", 2}),
                         [](const auto& test) {
                           const std::string name = test.param.first;
                           return fmt::format("{}_{}", name.substr(name.find('-') + 1), test.param.second);
                         });

}  // namespace
}  // namespace cellproof::campaign
