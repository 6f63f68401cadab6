#include "campaign/run_store.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "campaign/not_run.hpp"
#include "spec/utf8.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;

reports::Store resumed(const fs::path& file, const RunMetadata& metadata) {
  reports::Store store = reports::Store::open(file);
  for (const std::string& line : store.remove_damage())
    fmt::print(stderr, "{}; removed, and asked again\n", visible_text(line));
  const std::vector<RunDifference> differences = differences_of_runs(store.metadata(), metadata, true);
  if (!differences.empty()) {
    const auto& [what, its, ours] = differences.front();
    throw std::invalid_argument(
        fmt::format("{}: cannot be resumed: its {} is '{}', this run's is '{}'", file.string(), what, its, ours));
  }
  return store;
}

}  // namespace

reports::Store open_run_store(const fs::path& file, bool resume, bool file_was_named, const RunMetadata& metadata) {
  if (!fs::exists(fs::symlink_status(file))) return reports::Store::create(file, metadata);
  if (resume) return resumed(file, metadata);
  if (file_was_named)
    throw std::invalid_argument(
        fmt::format("{}: exists; give --resume to go on with it, or another name", file.string()));
  // The default store keeps one generation, so that a second `run` loses nothing and asks nothing.
  fs::path previous = file;
  previous.replace_extension(".previous.sqlite");
  if (const std::string why = reports::set_store_aside(file, previous); !why.empty())
    fmt::print(stderr, "kept as {}, with its log: {}\n", previous.string(), visible_text(why));
  return reports::Store::create(file, metadata);
}

void mark_as_unfinished(reports::Store& store) {
  RunMetadata metadata = store.metadata();
  metadata.forget_last_call();
  metadata.not_run = {"what this run had not come to when it was killed, or has not come to yet"};
  store.set_metadata(metadata);
}

std::vector<std::string> cases_left(const RunOptions& options, const reports::Store& store,
                                    const std::vector<Finding>& findings) {
  std::vector<std::string> without_worker;
  for (const auto& [engine, notes] : store.engine_notes()) {
    if (!(words_of(notes, EngineNote::Absent) + words_of(notes, EngineNote::CannotStart)).empty())
      without_worker.push_back(engine);
  }
  std::vector<std::string> left;
  for (const NotRun& cases : not_run(options, findings, without_worker)) {
    left.push_back(fmt::format("{} of the {} cases of suite {} on {}, from {} on", cases.cases, cases.asked,
                               cases.suite, cases.engine, cases.first));
  }
  return left;
}

RunMetadata record_end(reports::Store& store, const RunResult& result, const EndOfRun& end) {
  RunMetadata metadata = store.metadata();
  metadata.wall_time =
      fmt::format("{:.2f} s for {} findings, this report not counted", end.wall_seconds, result.judged);
  metadata.in_engines =
      fmt::format("{:.2f} s (session creation, run, release; repeats and twins included)", result.engine_seconds);
  metadata.ended_early = end.cause;
  metadata.not_run = end.left;
  store.set_metadata(metadata);
  return metadata;
}

}  // namespace cellproof::campaign
