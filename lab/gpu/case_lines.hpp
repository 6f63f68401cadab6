#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cellproof::lab {

/// Output of cellproof-device-cases on a case, on one of its threads.
struct DeviceCase {
  std::string kind, message, digest;
  bool repeats = true;
};
/// By place in the list and thread.
using DeviceCases = std::map<std::pair<std::size_t, std::size_t>, DeviceCase>;

/// Its lines among all that was printed; other lines are passed over.
DeviceCases read_device_cases(const std::string& output);

/// The first line that is neither a case's nor a sanitizer's: what a process that failed has said.
std::string first_words(const std::string& output);

/// Lines of the valid cases of a suite that its operators' specification accepts, each once, in order.
std::vector<std::string> valid_case_lines(const std::string& suite);

/// So many of them, evenly spread.
std::vector<std::string> spread(const std::vector<std::string>& lines, std::size_t count);

/// Reports a case whose answer changed between two calls, in the words of `run`: "FLAKY: the engine differs between two
/// identical calls: LINE"; `text` says how the calls were made, if not one after the other.
std::string flaky_text(const std::string& line, const std::string& text = "");

/// Reports what differs between two runs of the same cases. `are_identical`: every call of both has the same inputs, so
/// that a difference is flaky_text().
std::vector<std::string> disagreements(const DeviceCases& base, const DeviceCases& other,
                                       const std::vector<std::string>& lines, const std::string& text,
                                       bool are_identical = true);

}  // namespace cellproof::lab
