#include <fmt/format.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/gpu_record.hpp"
#include "cli/output_file.hpp"
#include "engines/paths.hpp"
#include "engines/registry.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_of_a_part = 450;
constexpr int seconds_of_a_probe = 120;

struct GpuCheckArguments {
  std::vector<std::string> parts;
  std::string output = "cellproof-gpu";
};

/// Seconds that are left of a part.
class PartClock {
 public:
  double left() const {
    return seconds_of_a_part - std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The record with its file and its page, both written after every step: a call that is cut off loses nothing else.
struct RecordOnDisk {
  explicit RecordOnDisk(const fs::path& folder) : folder_(folder) {
    make_folder(folder_);
    record = read_gpu_record(folder_ / "gpu-check.json");
  }
  void save() const {
    write_file(folder_ / "gpu-check.json", record.dump(1) + "\n");
    write_file(folder_ / "gpu-check.md", render_gpu_record(record));
  }
  nlohmann::json record;

 private:
  fs::path folder_;
};

std::string quoted_for_shell(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

/// In a process of its own: a device that fails takes its process with it.
nlohmann::json ask_probe(const std::string& program, const std::string& probe, int seconds) {
  const std::string command = fmt::format("exec timeout -k 5 {} {} {} 2>&1", seconds, quoted_for_shell(program), probe);
  // Every word is quoted or ours. NOLINTNEXTLINE(bugprone-command-processor)
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {{"failed", "its process cannot be started"}};
  std::string output;
  std::array<char, 4096> piece{};
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), pipe)) output.append(piece.data(), count);
  const int status = pclose(pipe);
  return probe_answer(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output);
}

int find_facts(RecordOnDisk& disk) {
  const std::string program = (engines::worker_directory() / "cellproof-cudnn-probe").string();
  const PartClock clock;
  int code = ok;
  for (const char letter : std::string("ABCDEFGH")) {
    const std::string probe(1, letter);
    if (is_answered(disk.record, probe)) continue;
    if (clock.left() < 1) {
      fmt::print("facts: stopped at {}: the same command goes on\n", probe);
      return unexpected;
    }
    auto& answer = disk.record["facts"][probe];
    answer = ask_probe(program, probe, std::min(seconds_of_a_probe, static_cast<int>(clock.left()) + 1));
    disk.save();
    const bool failed = answer.contains("failed");
    fmt::print("fact {}: {}\n", probe, failed ? answer["failed"].get<std::string>() : answer.value("question", ""));
    if (failed) code = unexpected;
  }
  return code;
}

/// All suites of the tier `ci` on one engine, as `cellproof run` does it.
int run_suites(const std::string& engine, const fs::path& folder, double seconds) {
  std::vector<std::string> words{"run",           "--suite",       "ci",
                                 "--engine",      engine,          "-o",
                                 folder.string(), "--time-budget", fmt::format("{:.0f}", std::max(seconds, 1.0))};
  if (fs::exists(folder / "run.sqlite")) words.push_back("--resume");
  CLI::App app;
  Work work;
  add_run(app, work);
  std::ranges::reverse(words);  // as CLI11 wants a list
  app.parse(std::move(words));
  return work();
}

int judge_engines(RecordOnDisk& disk, const std::vector<std::string>& present, const fs::path& folder) {
  const PartClock clock;
  int code = ok;
  std::size_t left = present.size();
  for (const std::string& engine : present) {
    const std::string name = "suites-" + engine;
    const int ended = run_suites(engine, folder / name, clock.left() / static_cast<double>(left--));
    disk.record["suites"][engine] = {{"exit_code", ended}, {"report", name + "/index.html"}};
    disk.save();
    if (ended != ok) code = ended;
  }
  return code;
}

int gpu_check(const GpuCheckArguments& arguments) {
  std::vector<std::string> present, reasons;
  for (const engines::KnownEngine& engine : engines::known_engines()) {
    if (!engine.needs_device) continue;
    const std::string absence = engines::absence_of(engine);
    if (absence.empty())
      present.push_back(engine.name);
    else
      reasons.push_back(fmt::format("{}: absent: {}", engine.name, absence));
  }
  for (const std::string& reason : reasons) fmt::print(stderr, "{}\n", reason);
  if (present.empty()) {
    fmt::print(stderr, "gpu-check: no engine that needs a GPU can be used here: nothing was checked\n");
    return nothing_ran;
  }
  const auto wants = [&](const char* part) {
    return arguments.parts.empty() || std::ranges::find(arguments.parts, part) != arguments.parts.end();
  };
  RecordOnDisk disk(arguments.output);
  int code = ok;
  if (wants("facts")) code = std::max(code, find_facts(disk));
  if (wants("suites")) code = std::max(code, judge_engines(disk, present, arguments.output));
  fmt::print("record: {}\n", fs::absolute(fs::path(arguments.output) / "gpu-check.md").lexically_normal().string());
  return code;
}

}  // namespace

void add_gpu_check(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<GpuCheckArguments>();
  CLI::App* command = app.add_subcommand("gpu-check", "Do on a GPU what can only be done there (docs/gpu.md)");
  command
      ->add_option("--part", arguments->parts,
                   "facts (open questions about cuDNN) or suites (every suite on every engine that needs a device);\n"
                   "at most eight minutes each (default: both); may be repeated")
      ->check(CLI::IsMember({"facts", "suites"}))
      ->allow_extra_args(false);
  command->add_option("-o,--output", arguments->output, "Folder of the record and the reports; what it holds is kept")
      ->capture_default_str();
  command->footer(
      "Examples:\n  cellproof gpu-check\n  cellproof gpu-check --part facts\n\nWithout a GPU: exit code 77.");
  command->callback([arguments, &work] { work = [arguments] { return gpu_check(*arguments); }; });
}

}  // namespace cellproof::cli
