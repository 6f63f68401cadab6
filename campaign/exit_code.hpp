#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

enum ExitCode { ok = 0, unexpected = 1, bad_input = 2, harness_error = 3, incomplete = 4, nothing_ran = 77 };

struct ExitCodeMeaning {
  std::string_view codes, meaning;
};

/// Every exit code and what it says, in the order of the codes: for --help and the docs.
std::span<const ExitCodeMeaning> exit_code_meanings();

/// Returns the one that counts: the first of 3, 2, 1, 4, 0 that is among the two. 77 counts only beside another 77.
int worse_of(int a, int b);

/// Returns the exit code that counts where an engine that was asked for could not start: 77 where nothing else ran.
int with_failed_start(int code, bool an_engine_cannot_start);

/// Returns 128 + signal where a signal asked for a stop (stop.hpp), otherwise `code`.
int unless_stopped(int code);

/// Returns the exit code that a set of findings deserves: 0 all as expected, 1 failing findings, 3 harness errors, 77
/// none. Those with a signature in `waived` do not fail.
int exit_code_of(const std::vector<Finding>& findings, const std::map<std::string, reports::Waived>& waived = {});

}  // namespace cellproof::campaign
