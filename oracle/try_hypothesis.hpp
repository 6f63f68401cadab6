#pragma once

#include <optional>
#include <vector>

#include "oracle/judge.hpp"
#include "spec/verdict.hpp"

namespace cellproof::oracle {

/// judge()'s verdict alone, found with as little work as it takes: the search asks this of many hypotheses.
Verdict verdict_under(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                      const Hypothesis& hypothesis);

}  // namespace cellproof::oracle
