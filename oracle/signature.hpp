#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/finding.hpp"

namespace cellproof::oracle {

/// Names what came by chance: the outcome of the two calls that is no answer ("CRASHED", "REJECTED"), or, where both
/// are answers, the law that one of them broke, or "repeat". Only for flaky findings.
std::string_view flaky_kind(const Finding& finding);

/// Returns what findings of one cause have in common, before their axes are looked at: "(engine, operator, verdict,
/// output, kind, hypothesis or -". Findings with equal keys form a group. A flaky finding has "FLAKY" for its verdict
/// and its flaky_kind, and nothing else: output and hypothesis move with chance.
std::string signature_key(const Finding& finding);

/// "v1:(engine, operator, verdict, output, kind, hypothesis or -, axis=value ...)": stable, without numbers. Chance has
/// no axis values: a flaky finding's last field is always "-".
std::string signature(const Finding& finding, const AxisValues& guilty);

/// Is it the signature of flaky findings?
bool is_flaky(std::string_view signature);

}  // namespace cellproof::oracle
