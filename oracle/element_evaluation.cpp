#include "oracle/element_evaluation.hpp"

#include "oracle/at.hpp"

namespace cellproof::oracle {

ElementEvaluation ElementEvaluation::untouched(const Task& task) {
  ElementEvaluation evaluation;
  const auto states = at(task.layout.D * task.layout.N * task.layout.H);
  if (task.Y) evaluation.Y.resize(at(task.layout.T) * states);
  if (task.Y_h && !task.Y) evaluation.Y_h.resize(states);
  if (task.Y_c) evaluation.Y_c.resize(states);
  return evaluation;
}

}  // namespace cellproof::oracle
