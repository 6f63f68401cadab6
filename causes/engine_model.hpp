#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "causes/answered.hpp"
#include "causes/cover.hpp"

#include "spec/cause.hpp"

namespace cellproof::causes {

using cellproof::Cause;
using Status = CauseStatus;

struct EngineModel {
  std::vector<Cause> causes;   ///< faults, contracts, readings, then what is unexplained; each by number of cases
  std::int64_t failing = 0;    ///< cases
  std::int64_t explained = 0;  ///< of these: by faults or a contract
  bool is_cut_short = false;   ///< the bounds ended the search
};

/// Models an engine by all its findings of a run.
EngineModel model_of(std::span<const Answered> answers, const Bounds& bounds = {});

}  // namespace cellproof::causes
