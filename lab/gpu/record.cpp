#include "lab/gpu/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "lab/bench/gpu/table.hpp"
#include "lab/command.hpp"
#include "lab/gpu/case_lines.hpp"
#include "lab/gpu/process.hpp"
#include "lab/gpu/walk.hpp"
#include "spec/files/regular_file.hpp"

namespace cellproof::lab {
namespace {

constexpr std::uint64_t largest_record = 1 << 26;
constexpr const char* record_format = "cellproof-gpu-check/1";
constexpr const char* sections[] = {"facts", "suites", "sanitizer", "determinism", "bench"};

/// A cell of a table: on one line, and without its separator.
std::string cell(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '|', '/');
  return text;
}

bool is_a_record(const nlohmann::json& json) {
  if (!json.is_object() || json.value("format", nlohmann::json()) != record_format) return false;
  for (const char* section : {"facts", "suites"})
    if (!json.contains(section)) return false;
  return std::ranges::all_of(sections, [&](const char* s) { return !json.contains(s) || json[s].is_object(); });
}

std::string render_suites(const nlohmann::json& section) {
  if (section.empty()) return "";
  std::string text = "\n## Suites\n\n| engine | exit code | report |\n| --- | --- | --- |\n", remarks;
  for (const auto& [engine, run] : section.items()) {
    const bool failed = run.contains("failed");
    text += fmt::format("| {} | {} | {} |\n", engine, failed ? "none" : std::to_string(run.value("exit_code", -1)),
                        run.value("report", ""));
    if (failed) remarks += fmt::format("- {}: failed: {}\n", engine, cell(run["failed"].get<std::string>()));
    if (!run.contains("left")) continue;
    for (const auto& what : run["left"]) remarks += fmt::format("- not run: {}\n", cell(what.get<std::string>()));
  }
  return remarks.empty() ? text : text + "\n" + remarks;
}

std::string render_progress(const nlohmann::json& section, const char* title, const char* subject) {
  if (section.empty()) return "";
  std::string text = fmt::format("\n## {}\n\n| {} | what was done |\n| --- | --- |\n", title, subject), findings;
  for (const auto& [name, progress] : section.items()) {
    text += fmt::format("| {} | {} |\n", name, progress_text(progress));
    if (!progress.contains("findings")) continue;
    for (const auto& finding : progress["findings"])
      findings += fmt::format("- {}: {}\n", name, cell(finding.get<std::string>()));
  }
  return findings.empty() ? text : text + "\n" + findings;
}

/// Has the question before the next one ended its process by itself? It is answered.
bool has_lost_the_device(const nlohmann::json& answer) {
  return !answer["rows"].empty() && answer["rows"].back().value("answer", "") == "the device is lost by it";
}

bool has_rows(const nlohmann::json& line) {
  return line.contains("rows") && line["rows"].is_array() && line.contains("next") && line.contains("of");
}

/// Adds the lines that a probe printed. Returns whether there were any with rows.
bool add_lines(nlohmann::json& answer, const std::string& output) {
  bool has_begun = false;
  for (const nlohmann::json& line : json_lines(output)) {
    if (!has_rows(line)) continue;
    if (!answer.contains("rows")) answer = {{"rows", nlohmann::json::array()}};
    for (const auto& row : line["rows"]) answer["rows"].push_back(row);
    for (const char* key : {"probe", "question", "on", "next", "of"}) answer[key] = line.value(key, nlohmann::json());
    has_begun = true;
  }
  return has_begun;
}

}  // namespace

nlohmann::json empty_gpu_record() {
  nlohmann::json record{{"format", record_format}};
  for (const char* section : sections) record[section] = nlohmann::json::object();
  return record;
}

nlohmann::json read_gpu_record(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return empty_gpu_record();
  nlohmann::json record = nlohmann::json::parse(read_regular_file(file, largest_record), nullptr, false);
  if (!is_a_record(record))
    throw std::invalid_argument(fmt::format("{}: expected a record of gpu-check, {}", file.string(), record_format));
  for (const char* section : sections)
    if (!record.contains(section)) record[section] = nlohmann::json::object();
  return record;
}

void add_probe_answer(nlohmann::json& answer, int exit_code, const std::string& output) {
  const std::string why = exit_code == timed_out_code ? "no answer in its time"
                                                      : fmt::format("exit code {}: {}", exit_code, first_words(output));
  if (!add_lines(answer, output)) {
    if (!answer.contains("rows")) answer = {{"failed", exit_code == 0 ? "it printed no answer" : why}};
    return;
  }
  const auto next = answer["next"].get<std::size_t>();
  if (exit_code == 0 || is_answered(answer) || has_lost_the_device(answer)) return;
  // It ended or hung in the question that it was at; the next process passes that one over.
  answer["rows"].push_back({{"asked", fmt::format("question {}", next)}, {"answer", why}});
  answer["next"] = next + 1;
}

void add_probe_lines(nlohmann::json& answer, const std::string& output) {
  add_lines(answer, output);
}

bool is_answered(const nlohmann::json& answer) {
  return answer.contains("rows") && answer.value("next", 0U) == answer.value("of", 0U);
}

std::string render_gpu_record(const nlohmann::json& record) {
  std::string text = "# What was found on a GPU\n";
  for (const auto& [name, answer] : record["facts"].items()) {
    if (answer.contains("failed")) {
      text += fmt::format("\n## {}: no answer\n\n{}\n", name, cell(answer["failed"].get<std::string>()));
      continue;
    }
    text += fmt::format("\n## {}: {}\n\n{}\n\n| asked | answer |\n| --- | --- |\n", name, answer.value("question", ""),
                        answer.value("on", ""));
    for (const auto& row : answer["rows"])
      text += fmt::format("| {} | {} |\n", cell(row.value("asked", "")), cell(row.value("answer", "")));
    if (!is_answered(answer))
      text += fmt::format("\nQuestions {} to {} are not asked yet.\n", answer.value("next", 0U),
                          answer.value("of", 0U) - 1);
  }
  text += render_suites(record["suites"]);
  text += render_progress(record["sanitizer"], "compute-sanitizer", "tool");
  text += render_progress(record["determinism"], "The same bits", "engine");
  if (!record["bench"].empty()) text += "\n## Times\n\n" + bench::gpu::render_table(record["bench"]);
  return text;
}

int code_of_parts(const std::vector<int>& codes) {
  if (std::ranges::all_of(codes, [](int code) { return code == nothing_ran; })) return nothing_ran;
  int highest = ok;
  for (const int code : codes) highest = std::max<int>(highest, code == nothing_ran ? unexpected : code);
  return highest;
}

}  // namespace cellproof::lab
