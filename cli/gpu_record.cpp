#include "cli/gpu_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace cellproof::cli {
namespace {

constexpr const char* record_format = "cellproof-gpu-check/1";
constexpr int timed_out_code = 124;  // timeout(1)

/// A cell of a table: on one line, and without its separator.
std::string cell(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '|', '/');
  return text;
}

bool is_a_record(const nlohmann::json& json) {
  return json.is_object() && json.value("format", nlohmann::json()) == record_format && json.contains("facts") &&
         json["facts"].is_object() && json.contains("suites") && json["suites"].is_object();
}

}  // namespace

nlohmann::json empty_gpu_record() {
  return {{"format", record_format}, {"facts", nlohmann::json::object()}, {"suites", nlohmann::json::object()}};
}

nlohmann::json read_gpu_record(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return empty_gpu_record();
  nlohmann::json record = nlohmann::json::parse(in, nullptr, false);
  if (!is_a_record(record))
    throw std::invalid_argument(fmt::format("{}: expected a record of gpu-check, {}", file.string(), record_format));
  return record;
}

nlohmann::json probe_answer(int exit_code, const std::string& output) {
  if (exit_code == 0) {
    nlohmann::json answer = nlohmann::json::parse(output, nullptr, false);
    if (answer.is_object() && answer.contains("rows") && answer["rows"].is_array()) return answer;
    return {{"failed", "it printed no answer"}};
  }
  if (exit_code == timed_out_code) return {{"failed", "no answer in its time"}};
  const std::string last = cell(output.substr(0, output.find('\n')));
  return {{"failed", fmt::format("exit code {}{}{}", exit_code, last.empty() ? "" : ": ", last)}};
}

bool is_answered(const nlohmann::json& record, const std::string& probe) {
  const auto answer = record["facts"].find(probe);
  return answer != record["facts"].end() && answer->contains("rows");
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
  }
  if (!record["suites"].empty()) text += "\n## Suites\n\n| engine | exit code | report |\n| --- | --- | --- |\n";
  for (const auto& [engine, run] : record["suites"].items())
    text += fmt::format("| {} | {} | {} |\n", engine, run.value("exit_code", -1), run.value("report", ""));
  return text;
}

}  // namespace cellproof::cli
