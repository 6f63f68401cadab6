#include "lab/gpu/sanitizer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "engines/paths.hpp"
#include "lab/command.hpp"
#include "lab/gpu/case_lines.hpp"
#include "lab/gpu/process.hpp"
#include "lab/gpu/walk.hpp"
#include "spec/files/output_file.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view margin = "=========";
constexpr const char* tool_names[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
constexpr std::size_t cases_of_racecheck = 100, cases_of_the_others = 25;

/// Text behind the margin, with its indentation, but without the one blank that is always there.
std::string behind_margin(const std::string& line) {
  const std::string rest = line.substr(margin.size());
  return rest.starts_with(' ') ? rest.substr(1) : rest;
}

std::string without_indentation(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin);
}

/// Does it say where a finding was: in which kernel, by which thread, at what distance from what?
bool says_where(const std::string& detail) {
  return detail.starts_with("at ") || detail.starts_with("by thread") || detail.starts_with("Address ") ||
         detail.starts_with("Access at") || detail.starts_with("and is ");
}

/// A summary whose count is zero, the banner, and how the watched process ended, which its own exit code says.
bool is_no_finding(const std::string& text) {
  return text.starts_with("COMPUTE-SANITIZER") || text.find("SUMMARY:") != std::string::npos ||
         text.starts_with("Target application returned an error");
}

bool is_summary(const std::string& text) {
  return text.starts_with("ERROR SUMMARY:") || text.starts_with("RACECHECK SUMMARY:");
}

/// The first number of "ERROR SUMMARY: 3 errors".
unsigned long count_of(const std::string& summary) {
  const std::size_t digit = summary.find_first_of("0123456789");
  return digit == std::string::npos ? 1 : std::strtoul(summary.c_str() + digit, nullptr, 10);
}

struct Tool {
  const char* name;
  std::vector<std::string> lines;
};

/// cellproof-device-cases on those lines, behind the words of a tool or by itself.
ProcessEnd run_cases(std::vector<std::string> words, const std::vector<std::string>& lines, const fs::path& folder,
                     int seconds) {
  const fs::path input = folder / "sanitized-cases.txt";
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_file(input, text);
  words.push_back((engines::worker_directory() / "cellproof-device-cases").string());
  words.emplace_back("cellproof-cuda");
  ProcessEnd end = run_bounded(words, input, seconds);
  fs::remove(input);
  return end;
}

std::vector<std::string> words_of(const std::string& program, const Tool& tool) {
  return {program, "--tool", tool.name, "--print-limit", "10", "--error-exitcode", "86"};
}

/// "", or why the tool is of no use here: with it the first case comes to nothing, without it to an outcome. Some
/// virtual machines let a device compute and not be watched, which is no finding about our kernels.
std::string refusal_of(const std::string& program, const Tool& tool, const fs::path& folder, double left) {
  const int seconds = std::max(1, static_cast<int>(left / 4));
  const std::vector<std::string> line{tool.lines.front()};
  const ProcessEnd watched = run_cases(words_of(program, tool), line, folder, seconds);
  if (!read_device_cases(watched.output).empty()) return "";
  if (read_device_cases(run_cases({}, line, folder, seconds).output).empty()) return "";
  const std::vector<std::string> said = read_sanitizer(watched.output).findings;
  return fmt::format("under {} no case comes to an outcome, exit code {}: {}", tool.name, watched.exit_code,
                     said.empty() ? first_words(watched.output) : said.front());
}

PieceEnd watch(const std::string& program, const Tool& tool, std::size_t first, std::size_t count, int seconds,
               const fs::path& folder) {
  const auto begin = tool.lines.begin() + static_cast<std::ptrdiff_t>(first);
  const ProcessEnd end =
      run_cases(words_of(program, tool), {begin, begin + static_cast<std::ptrdiff_t>(count)}, folder, seconds);
  if (end.exit_code == timed_out_code) return {.in_time = false};
  PieceEnd result;
  const SanitizerReading reading = read_sanitizer(end.output);
  result.findings = reading.findings;
  if (!reading.complete)
    result.findings.push_back(
        fmt::format("{} ended without a summary, exit code {}: {}", tool.name, end.exit_code, first_words(end.output)));
  const DeviceCases cases = read_device_cases(end.output);
  for (std::size_t k = 0; k < count; ++k) {
    const auto one = cases.find({k, 0});
    const std::string kind = one == cases.end() ? "no outcome" : one->second.kind;
    if (kind == "RAN") ++result.ran;
    if (kind != "RAN") result.findings.push_back(fmt::format("{}: {}", kind, tool.lines[first + k]));
    if (one != cases.end() && !one->second.repeats) result.findings.push_back(flaky_text(tool.lines[first + k]));
  }
  if (end.exit_code != 0 && result.findings.empty())
    result.findings.push_back(fmt::format("exit code {}: {}", end.exit_code, first_words(end.output)));
  return result;
}

}  // namespace

SanitizerReading read_sanitizer(const std::string& output) {
  SanitizerReading reading;
  unsigned long counted = 0;
  bool in_finding = false;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(margin)) continue;
    const std::string text = behind_margin(line), detail = without_indentation(text);
    if (detail.empty()) {
      in_finding = false;
    } else if (text.starts_with(' ')) {
      if (in_finding && says_where(detail)) reading.findings.back() += "; " + detail;
    } else if (is_no_finding(text)) {
      in_finding = false;
      if (!is_summary(text)) continue;
      reading.complete = true;
      counted += count_of(text);
    } else {
      in_finding = true;
      reading.findings.push_back(text);
    }
  }
  // Findings beyond the tool's limit are only counted.
  if (counted > 0 && reading.findings.empty()) reading.findings.push_back(fmt::format("{} findings", counted));
  return reading;
}

std::string find_compute_sanitizer() {
  if (const char* named = std::getenv("CELLPROOF_COMPUTE_SANITIZER")) return access(named, X_OK) == 0 ? named : "";
  std::vector<std::string> folders;
  std::istringstream path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) folders.push_back(folder);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable)) folders.push_back(std::string(home) + "/bin");
  folders.insert(folders.end(), {"/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer"});
  for (const std::string& folder : folders)
    if (const std::string file = folder + "/compute-sanitizer"; access(file.c_str(), X_OK) == 0) return file;
  return "";
}

int check_with_sanitizer(GpuPart& part) {
  auto& record = part.disk.record["sanitizer"];
  const auto refuse = [&](const std::string& why) {
    for (const char* tool : tool_names)
      if (!record.contains(tool) || !record[tool].contains("done")) record[tool] = {{"absent", why}};
    part.disk.save();
    fmt::print(stderr, "sanitizer: nothing was checked: {}\n", why);
    return nothing_ran;
  };
  if (std::ranges::find(part.present, "cellproof-cuda") == part.present.end())
    return refuse("cellproof-cuda cannot be used here");
  const std::string program = find_compute_sanitizer();
  if (program.empty())
    return refuse(
        "there is no compute-sanitizer: neither CELLPROOF_COMPUTE_SANITIZER nor the PATH nor the toolkit has it");
  int code = ok;
  for (const Tool& tool : {Tool{"memcheck", valid_case_lines("smoke")},
                           Tool{"racecheck", spread(valid_case_lines("pairs"), cases_of_racecheck)},
                           Tool{"initcheck", spread(valid_case_lines("pairs"), cases_of_the_others)},
                           Tool{"synccheck", spread(valid_case_lines("pairs"), cases_of_the_others)}}) {
    nlohmann::json& progress = record[tool.name];
    if (const std::string why = refusal_of(program, tool, part.disk.folder(), part.clock.left()); !why.empty())
      return refuse(why);
    const bool finished = walk_cases(
        progress, {.lines = tool.lines,
                   .piece = 25,
                   .whole_part = part.clock.whole(),
                   .left = [&] { return part.clock.left(); },
                   .work = [&](std::size_t first, std::size_t count,
                               int seconds) { return watch(program, tool, first, count, seconds, part.disk.folder()); },
                   .save =
                       [&] {
                         part.disk.save();
                         fmt::print("sanitizer {}: {}\n", tool.name, progress_text(progress));
                       }});
    if (!finished) fmt::print("sanitizer {}: not finished: the same command goes on\n", tool.name);
    if (!finished || !is_clean(progress)) code = unexpected;
  }
  return code;
}

}  // namespace cellproof::lab
