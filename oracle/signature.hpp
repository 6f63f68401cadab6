#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/finding.hpp"

namespace cellproof::oracle {

using AxisValues = std::vector<std::pair<std::string, std::string>>;

/// What findings of one cause have in common, before their axes are looked at: "(engine, operator, verdict, output,
/// kind, hypothesis or -". Findings with equal keys form a group.
std::string signature_key(std::string_view engine, Operator op, const Judgement& judgement);

/// "v1:(engine, operator, verdict, output, kind, hypothesis or -, axis=value ...)": stable, without numbers.
std::string signature(std::string_view engine, Operator op, const Judgement& judgement, const AxisValues& guilty);

}  // namespace cellproof::oracle
