#pragma once

#include <utility>

#include "oracle/evaluate.hpp"
#include "oracle/observed.hpp"
#include "oracle/task.hpp"

namespace cellproof::oracle::testing {

/// Returns all that is to be said of an answer under one hypothesis.
inline Judgement judge(const Problem& problem, const Outputs& outputs, const Hypothesis& hypothesis) {
  return evaluate(Observed(problem, outputs), hypothesis, Depth::Described).judgement;
}

/// Is the answer beyond a certified bound of the arithmetic, as `double` has it?
inline bool is_excluded(const Problem& problem, const Outputs& outputs, const Arithmetic& arithmetic) {
  return evaluate(Observed(problem, outputs), {{}, ContractId::F32, {}, arithmetic}, Depth::Excluded).excluded();
}

/// A task with what it refers to.
struct OwnTask {
  OwnTask(const Problem& problem, Outputs answered, const Readings& readings, const Arithmetic& arithmetic)
      : outputs(std::move(answered)), seen(problem, outputs), task(seen, readings, arithmetic) {}
  OwnTask(const OwnTask&) = delete;
  OwnTask& operator=(const OwnTask&) = delete;
  operator const Task&() const { return task; }

  Outputs outputs;
  Observed seen;
  Task task;
};

}  // namespace cellproof::oracle::testing
