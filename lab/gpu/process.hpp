#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cellproof::lab {

/// End of a process.
struct ProcessEnd {
  int exit_code = 0;   ///< 128 + its number where a signal ended it; timed_out_code where its time was up
  std::string output;  ///< all that it printed, stderr among it
};
inline constexpr int timed_out_code = 124;  // timeout(1)

/// Runs a program, found in PATH unless it has a '/', for at most so many seconds: what works on a device that may fail
/// or hang is in a process of its own, which ends when this one does. `input`: a file as its stdin; "" for none.
ProcessEnd run_bounded(const std::vector<std::string>& command, const std::filesystem::path& input, int seconds);

/// The lines that are JSON objects, among whatever libraries print.
std::vector<nlohmann::json> json_lines(const std::string& output);
/// The first of them; null where there is none.
nlohmann::json json_among(const std::string& output);

}  // namespace cellproof::lab
