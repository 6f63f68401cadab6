#pragma once

#include <optional>
#include <vector>

#include "oracle/judge.hpp"
#include "oracle/ladder.hpp"
#include "oracle/step/arithmetic.hpp"
#include "spec/verdict.hpp"

namespace cellproof::oracle {

/// judge()'s verdict alone, found with as little work as it takes: the search asks this of many hypotheses, and hands
/// `likeliest` from one to the next (is_beyond_proof). UNDECIDED where judge() would take more bits to verify enough.
Verdict verdict_under(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                      const Hypothesis& hypothesis, std::optional<Stretch>* likeliest = nullptr);

/// As judge(), but what `double` finds beyond a bound is neither confirmed nor described yet: the search may still
/// explain it.
Judgement judge_at_first(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                         const Hypothesis& hypothesis);

/// Are the outputs beyond a certified bound of `arithmetic`, under readings without a fault? Then they are so under
/// every contract that allows no more than `arithmetic` does.
bool excluded_under(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs, const Readings& readings,
                    const Arithmetic& arithmetic, Confirm confirm = Confirm::Later,
                    std::optional<Stretch>* likeliest = nullptr);

}  // namespace cellproof::oracle
