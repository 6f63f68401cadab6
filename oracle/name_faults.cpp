#include "oracle/name_faults.hpp"

#include <algorithm>

#include "oracle/fault.hpp"
#include "oracle/search.hpp"
#include "oracle/try_hypothesis.hpp"

namespace cellproof::oracle {
namespace {

/// Every fault costs a look at all weights and a step.
constexpr std::size_t most_weights = std::size_t{1} << 19;

bool too_many_weights(const Problem& problem) {
  const Tensor *W = problem.input(input::W), *R = problem.input(input::R);
  return !W || !R || W->size() + R->size() > most_weights;
}

std::vector<Readings> readings_to_try(const Readings& proved) {
  return proved == Readings{} ? std::vector{Readings{}} : std::vector{Readings{}, proved};
}

}  // namespace

std::vector<std::string> faults_that_explain(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                                             const EngineContext& engine) {
  std::vector<std::string> ids;
  if (too_many_weights(problem)) return ids;
  const ContractId contract = base_contract(problem, engine.declared);
  const std::vector<Readings> readings = readings_to_try(engine.proved);
  std::optional<Stretch> likeliest;
  const auto explains = [&](const Fault& fault) {
    engine.pass_checkpoint();
    return std::ranges::any_of(readings, [&](const Readings& choice) {
      return verdict_under(problem, outputs, {choice, contract, &fault}, &likeliest) == Verdict::Conforms;
    });
  };
  const auto is_named = [&](const std::string& id) { return std::ranges::find(ids, id) != ids.end(); };
  const Fault* only = engine.only_fault.empty() ? nullptr : fault_named(engine.only_fault);
  // Whether a fault of precision is named depends on all others.
  if (only != nullptr && only->cls == FaultClass::Precision) only = nullptr;
  for (const bool precision : {false, true}) {
    for (const Fault& fault : faults()) {
      const bool asked = only == nullptr || fault.id == only->id || fault.id == only->base;
      const bool tried =
          asked && (fault.cls == FaultClass::Precision) == precision && fault.id != engine.withheld_fault;
      if (!tried || !fault.applies(problem)) continue;
      // A corner of another fault is that fault wherever it acts.
      const bool by_base = !fault.base.empty() && fault.base != engine.withheld_fault;
      if (by_base ? is_named(fault.base) : explains(fault)) ids.push_back(fault.id);
    }
    if (!ids.empty()) break;
  }
  return ids;
}

}  // namespace cellproof::oracle
