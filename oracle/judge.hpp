#pragma once

#include <optional>
#include <vector>

#include "spec/contract.hpp"
#include "spec/finding.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

struct Fault;

/// What the judge supposes of the engine.
struct Hypothesis {
  Readings readings;
  ContractId contract = ContractId::F32;
  const Fault* fault = nullptr;  ///< at most one (oracle/fault.hpp)
};

/// The pure judge: do these outputs follow from this problem under this hypothesis? The residual judge where Y was
/// asked for, the forward judge elsewhere, and all structural checks (number, type, shape, padding, Y_h against Y,
/// Y_c). Fills every field of the Judgement except `readings`; verdict is CONFORMS, SUSPECT, DIVERGES or UNDECIDED.
Judgement judge(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                const Hypothesis& hypothesis);

}  // namespace cellproof::oracle
