#pragma once

#include <optional>
#include <string>

#include "oracle/hypothesis.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

/// Judges the judge by the naive reference, which shares nothing with it but the specification: the reference's
/// outputs, rounded to the type, must not be accused under the same readings, and the reference's exact trajectory must
/// lie in the balls that the judge's own equations give over the real numbers. Returns what
/// disagrees, in one sentence; nullopt where both agree. The problem must be valid. Under dq-granularity=block-chunked,
/// which leaves the chunks open, both have to agree on every number of sequences that may make one.
std::optional<std::string> crosscheck(const Problem& problem, const Hypothesis& hypothesis);

}  // namespace cellproof::oracle
