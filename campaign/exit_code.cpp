#include "campaign/exit_code.hpp"

#include <array>

#include "campaign/stop.hpp"

namespace cellproof::campaign {
namespace {

constexpr std::array<ExitCodeMeaning, 7> meanings{{{"0", "all as expected"},
                                                   {"1", "an unexpected divergence, crash or waiver"},
                                                   {"2", "bad usage or unreadable input"},
                                                   {"3", "the harness contradicts itself"},
                                                   {"4", "nothing wrong, but not finished (with --require-complete)"},
                                                   {"77", "nothing could run"},
                                                   {"130, 143", "stopped by SIGINT, SIGTERM"}}};

}  // namespace

std::span<const ExitCodeMeaning> exit_code_meanings() {
  return meanings;
}

int worse_of(int a, int b) {
  for (const int code : {harness_error, bad_input, unexpected, incomplete, ok}) {
    if (a == code || b == code) return code;
  }
  return nothing_ran;
}

int with_failed_start(int code, bool an_engine_cannot_start) {
  if (!an_engine_cannot_start || code == nothing_ran) return code;
  return worse_of(code, unexpected);
}

int unless_stopped(int code) {
  return stop_is_requested() ? 128 + stop_signal() : code;
}

int exit_code_of(const std::vector<Finding>& findings, const std::map<std::string, reports::Waived>& waived) {
  if (findings.empty()) return nothing_ran;
  int code = ok;
  for (const Finding& finding : findings) {
    if (finding.outcome == OutcomeKind::HarnessError) return harness_error;
    if (!finding.pass && !waived.contains(finding.signature)) code = unexpected;
  }
  return code;
}

}  // namespace cellproof::campaign
