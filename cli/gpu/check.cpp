#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/gpu/bench.hpp"
#include "cli/gpu/determinism.hpp"
#include "cli/gpu/part.hpp"
#include "cli/gpu/process.hpp"
#include "cli/gpu/record.hpp"
#include "cli/gpu/sanitizer.hpp"
#include "cli/gpu/suites.hpp"
#include "engines/paths.hpp"
#include "engines/registry.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

constexpr int seconds_of_a_probe = 200;

struct GpuCheckArguments {
  std::vector<std::string> parts;
  std::string output = "cellproof-gpu";
};

int find_facts(GpuPart& part) {
  const std::string program = (engines::worker_directory() / "cellproof-cudnn-probe").string();
  RecordOnDisk& disk = part.disk;
  int code = ok;
  for (const char letter : std::string("ABCDEFGHI")) {
    const std::string probe(1, letter);
    if (is_answered(disk.record, probe)) continue;
    const double left = part.clock.left();
    if (left < 1) {
      fmt::print("facts: stopped at {}: the same command goes on\n", probe);
      return unexpected;
    }
    auto& answer = disk.record["facts"][probe];
    // In a process of its own: a device that fails takes its process with it.
    const ProcessEnd end = run_bounded({program, probe}, "", std::min(seconds_of_a_probe, static_cast<int>(left) + 1));
    answer = probe_answer(end.exit_code, end.output);
    disk.save();
    const bool failed = answer.contains("failed");
    fmt::print("fact {}: {}\n", probe, failed ? answer["failed"].get<std::string>() : answer.value("question", ""));
    if (failed) code = unexpected;
  }
  return code;
}

constexpr PartInfo parts[] = {
    {"facts", "open questions about cuDNN", find_facts},
    {"suites", "every suite on every engine that needs a device", check_suites},
    {"sanitizer", "cellproof-cuda under compute-sanitizer: memcheck on smoke, racecheck on 100 cases",
     check_with_sanitizer},
    {"determinism", "the same bits again, in another order, with other padding, on four threads", check_determinism},
    {"bench", "about seventy rows beside cuDNN and PyTorch (all: cellproof bench gpu --full)", check_speed},
};

/// Engines that need a device and have one; why each of the others cannot be used goes to stderr.
std::vector<std::string> usable_engines() {
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
  return present;
}

int gpu_check(const GpuCheckArguments& arguments) {
  // What has been said must be there when this is killed, also where nobody looks at a terminal.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  const std::vector<std::string> present = usable_engines();
  if (present.empty()) {
    fmt::print(stderr, "gpu-check: no engine that needs a GPU can be used here: nothing was checked\n");
    return nothing_ran;
  }
  RecordOnDisk disk(arguments.output);
  const std::string where = fmt::format(
      "record: {}\n", fs::absolute(fs::path(arguments.output) / "gpu-check.md").lexically_normal().string());
  fmt::print("{}", where);  // now, too: a call that is cut off does not come to its end
  std::vector<PartInfo> asked;
  for (const PartInfo& part : parts)
    if (arguments.parts.empty() || std::ranges::find(arguments.parts, part.name) != arguments.parts.end())
      asked.push_back(part);
  const int code = run_parts(asked, disk, present);
  fmt::print("{}", where);
  return code;
}

std::string names_of_parts() {
  std::string text = "At most eight minutes each (default: all); may be repeated:";
  for (const PartInfo& part : parts) text += fmt::format("\n  {:<12} {}", part.name, part.what);
  return text;
}

}  // namespace

void add_gpu_check(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<GpuCheckArguments>();
  CLI::App* command = app.add_subcommand("gpu-check", "Do on a GPU what can only be done there (docs/gpu.md)");
  std::vector<std::string> names;
  for (const PartInfo& part : parts) names.emplace_back(part.name);
  command->add_option("--part", arguments->parts, names_of_parts())
      ->check(CLI::IsMember(names))
      ->allow_extra_args(false);
  command->add_option("-o,--output", arguments->output, "Folder of the record and the reports; what it holds is kept")
      ->capture_default_str();
  command->footer(
      "Examples:\n  cellproof gpu-check\n  cellproof gpu-check --part facts\n\nWithout a GPU: exit code 77.");
  command->callback([arguments, &work] { work = [arguments] { return gpu_check(*arguments); }; });
}

}  // namespace cellproof::cli
