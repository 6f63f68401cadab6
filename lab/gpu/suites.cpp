#include "lab/gpu/suites.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "campaign/engine_campaign.hpp"
#include "lab/command.hpp"
#include "lab/gpu/record.hpp"
#include "reports/store.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;

/// Worker processes that share the device: what a case waits for is mostly the host.
unsigned jobs() {
  return std::clamp(std::thread::hardware_concurrency() / 2, 1U, 4U);
}

int run_suites(const std::string& suites, const std::string& engine, const fs::path& folder, double seconds) {
  std::vector<std::string> words{"run",
                                 "--suite",
                                 suites,
                                 "--engine",
                                 engine,
                                 "-o",
                                 folder.string(),
                                 "--jobs",
                                 std::to_string(jobs()),
                                 "--time-budget",
                                 fmt::format("{:.0f}", std::max(seconds, 1.0))};
  if (fs::exists(folder / "run.sqlite")) words.push_back("--resume");
  CLI::App app;
  Work work;
  cli::add_run(app, work);
  std::ranges::reverse(words);  // as CLI11 wants a list
  app.parse(std::move(words));
  return work();
}

/// Work that a stopped run has left, in its own words: its exit code does not tell.
std::vector<std::string> left_by(const fs::path& store) {
  return reports::Store::open_read_only(store).metadata().not_run;
}

/// Cases of a run that came to outputs: where none did, refusals are no success.
std::size_t ran_in(const fs::path& store) {
  const auto findings = reports::Store::open_read_only(store).findings();
  return static_cast<std::size_t>(
      std::ranges::count(findings, OutcomeKind::Ran, [](const Finding& finding) { return finding.outcome; }));
}

}  // namespace

int check_these_suites(GpuPart& part, const std::string& suites) {
  RecordOnDisk& disk = part.disk;
  std::vector<int> codes;
  std::size_t waiting = part.present.size();
  for (const std::string& engine : part.present) {
    const std::string name = "suites-" + engine;
    const double seconds = part.clock.left() / static_cast<double>(waiting--);
    auto& entry = disk.record["suites"][engine];
    try {
      const int ended = run_suites(suites, engine, disk.folder() / name, seconds);
      const std::vector<std::string> left = left_by(disk.folder() / name / "run.sqlite");
      const std::size_t ran = ran_in(disk.folder() / name / "run.sqlite");
      entry = {{"exit_code", ended}, {"report", name + "/index.html"}, {"left", left}, {"ran", ran}};
      const bool is_no_success = (!left.empty() || ran == 0) && (ended == ok || ended == nothing_ran);
      codes.push_back(is_no_success ? unexpected : ended);
      if (ran == 0 && left.empty()) fmt::print("suites {}: no case came to outputs\n", engine);
      if (!left.empty()) fmt::print("suites {}: not finished: the same command goes on\n", engine);
    } catch (const std::exception& error) {
      entry = {{"failed", error.what()}};
      codes.push_back(unexpected);
      fmt::print("suites {}: {}\n", engine, error.what());
    }
    disk.save();
    if (campaign::stop_is_requested()) break;
  }
  return code_of_parts(codes);
}

int check_suites(GpuPart& part) {
  return check_these_suites(part, "ci");
}

}  // namespace cellproof::lab
