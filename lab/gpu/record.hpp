#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cellproof::lab {

/// Findings of `gpu-check` so far: {"format", "facts": {LETTER: answer}, "suites": {ENGINE: run}, "sanitizer":
/// {TOOL: progress}, "determinism": {ENGINE: progress}, "bench": {ROW: figures}}. An answer is
/// add_probe_answer's; a run is suites.hpp's; a progress is walk.hpp's; figures are bench/gpu/table.hpp's.
nlohmann::json empty_gpu_record();

/// The record in a file, or an empty one where there is no file. Throws std::invalid_argument (one line that names the
/// file) for anything else than a record of this format.
nlohmann::json read_gpu_record(const std::filesystem::path& file);

/// Adds what a probe's process left to an answer, {"probe", "question", "on", "rows", "next" question, "of"}: its lines
/// of JSON, and, where it ended or hung before the last question, a row that says how. {"failed": why} where nothing
/// was asked. `output` is all that it printed.
void add_probe_answer(nlohmann::json& answer, int exit_code, const std::string& output);

/// The same of a process that was ended because its part had no more time: the question that it was at stays open.
void add_probe_lines(nlohmann::json& answer, const std::string& output);

/// Have all questions been asked, so that none need be asked again?
bool is_answered(const nlohmann::json& answer);

/// The exit code of several parts: 77 only if none of them could check anything; a part that could not is otherwise a
/// failure, since something that was asked for was not done.
int code_of_parts(const std::vector<int>& codes);

/// The record as Markdown. Pure.
std::string render_gpu_record(const nlohmann::json& record);

}  // namespace cellproof::lab
