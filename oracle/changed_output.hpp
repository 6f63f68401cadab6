#pragma once

#include <cstddef>
#include <optional>

#include "oracle/observed.hpp"
#include "spec/finding.hpp"

namespace cellproof::oracle {

/// An element that is not the same when other outputs are asked for beside it.
struct ChangedOutput {
  std::size_t output;
  std::size_t offset;
};

/// nullopt where the outputs that both have in one shape are equal in value.
std::optional<ChangedOutput> first_changed_output(const Outputs& alone, const Outputs& all);

/// Makes a divergence of a judgement that could not say more of the outputs that were asked for alone.
Judgement judgement_of_changed_output(const Observed& alone, const Observed& all, const ChangedOutput& changed,
                                      Judgement judgement);

}  // namespace cellproof::oracle
