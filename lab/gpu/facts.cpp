#include "lab/gpu/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "engines/paths.hpp"
#include "lab/command.hpp"
#include "lab/gpu/process.hpp"
#include "lab/gpu/record.hpp"

namespace cellproof::lab {
namespace {

constexpr int seconds_of_a_probe = 200;

}  // namespace

int check_facts(GpuPart& part) {
  // The facts are of cuDNN, whichever of its engines is asked for.
  if (std::ranges::none_of(part.present, [](const std::string& name) { return name.starts_with("cellproof-cudnn"); })) {
    fmt::print(stderr, "facts: nothing was asked: no engine of cuDNN is among those that are checked\n");
    return nothing_ran;
  }
  const std::string program = (engines::worker_directory() / "cellproof-cudnn-probe").string();
  RecordOnDisk& disk = part.disk;
  int code = ok;
  // First what the plan rests on, last what takes long.
  for (const char letter : std::string("OJKDNLFPBAEGICH")) {
    const std::string probe(1, letter);
    auto& answer = disk.record["facts"].emplace(probe, nlohmann::json::object()).first.value();
    while (!is_answered(answer)) {
      const double left = part.clock.left();
      if (left < 1) {
        fmt::print("facts: stopped at {}: the same command goes on\n", probe);
        return unexpected;
      }
      // In a process of its own, and in another one behind a question that takes the device with it.
      const auto seconds = std::min(seconds_of_a_probe, static_cast<int>(left) + 1);
      const ProcessEnd end = run_bounded({program, probe, std::to_string(answer.value("next", 0U))}, "", seconds);
      if (end.exit_code == timed_out_code && seconds < seconds_of_a_probe)
        add_probe_lines(answer, end.output);
      else
        add_probe_answer(answer, end.exit_code, end.output);
      disk.save();
      if (answer.contains("failed")) break;
    }
    const bool failed = answer.contains("failed");
    fmt::print("fact {}: {}\n", probe, failed ? answer["failed"].get<std::string>() : answer.value("question", ""));
    if (failed) code = unexpected;
  }
  return code;
}

}  // namespace cellproof::lab
