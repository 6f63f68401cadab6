#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/paths.hpp"
#include "engines/registry.hpp"
#include "lab/command.hpp"
#include "lab/gpu/archive.hpp"
#include "lab/gpu/bench.hpp"
#include "lab/gpu/determinism.hpp"
#include "lab/gpu/facts.hpp"
#include "lab/gpu/part.hpp"
#include "lab/gpu/process.hpp"
#include "lab/gpu/record.hpp"
#include "lab/gpu/sanitizer.hpp"
#include "lab/gpu/suites.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;

struct GpuCheckArguments {
  std::vector<std::string> parts, engines;
  std::string output = "cellproof-gpu", pack, unpack;
  std::optional<double> seconds;
};

constexpr PartInfo parts[] = {
    {"facts", "open questions about cuDNN", check_facts},
    {"suites", "every suite on every engine that needs a device", check_suites},
    {"sanitizer", "cellproof-cuda under compute-sanitizer: memcheck on smoke, three other tools", check_with_sanitizer},
    {"determinism", "the same bits again, in another order, with other padding, on four threads", check_determinism},
    {"bench", "about seventy rows beside cuDNN and PyTorch (all: cellproof lab bench gpu --full)", check_speed},
};

/// Names of the engines that need a device.
std::vector<std::string> device_engines() {
  std::vector<std::string> names;
  for (const engines::KnownEngine& engine : engines::known_engines())
    if (engine.needs_device) names.push_back(engine.name);
  return names;
}

/// Usable engines among those that need a device, all of them or only those asked for. Prints on stderr why each of the
/// others cannot be used.
std::vector<std::string> usable_engines(const std::vector<std::string>& asked) {
  std::vector<std::string> present, reasons;
  for (const engines::KnownEngine& engine : engines::known_engines()) {
    if (!engine.needs_device || (!asked.empty() && std::ranges::find(asked, engine.name) == asked.end())) continue;
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
  // Lines already printed must be there when this is killed, also if nobody looks at a terminal.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  if (!arguments.unpack.empty()) unpack_record(arguments.unpack, arguments.output);
  const std::vector<std::string> present = usable_engines(arguments.engines);
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
  const auto pack = [&] {
    if (!arguments.pack.empty()) pack_record(arguments.output, arguments.pack);
  };
  disk.after_save = pack;
  const int code = run_parts(asked, disk, present, arguments.seconds);
  pack();
  fmt::print("{}", where);
  return code;
}

std::string names_of_parts() {
  std::string text = "Part to check (default: all); may be repeated:";
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
  command->add_option("--engine", arguments->engines, "Engine to check (default: all that need a GPU); may be repeated")
      ->check(CLI::IsMember(device_engines()))
      ->allow_extra_args(false);
  command->add_option("--seconds", arguments->seconds, "Time of all parts together (default: 450 for each)")
      ->check(CLI::Range(10.0, 1e6));
  command->add_option("--pack", arguments->pack, "Keep the record and the runs in this one archive (.tar.gz)");
  command->add_option("--unpack", arguments->unpack, "Begin with what --pack has kept");
  command->footer(
      "Examples:\n  cellproof lab gpu-check --part facts --seconds 300\n"
      "  cellproof lab gpu-check --part suites --engine cellproof-cuda --pack gpu.tgz\n\nWithout a GPU: exit code 77.");
  command->callback([arguments, &work] { work = [arguments] { return gpu_check(*arguments); }; });
}

}  // namespace cellproof::lab
