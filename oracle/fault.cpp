#include "oracle/fault.hpp"

#include <algorithm>

namespace cellproof::oracle {

bool Fault::applies(const Problem& problem) const {
  return std::ranges::find(operators, problem.version.op) != operators.end() && needs(problem);
}

Problem& View::own_problem() {
  changed_.reset();
  if (!problem_) problem_ = seen_.problem;
  return *problem_;
}

Outputs& View::own_outputs() {
  changed_.reset();
  if (!outputs_) outputs_ = seen_.outputs;
  return *outputs_;
}

const Observed& View::observed() {
  if (!problem_ && !outputs_) return seen_;
  if (!changed_) changed_.emplace(problem(), outputs());
  return *changed_;
}

}  // namespace cellproof::oracle
