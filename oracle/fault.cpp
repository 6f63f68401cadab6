#include "oracle/fault.hpp"

#include <algorithm>
#include <utility>

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
  if (!changed_) {
    // A fault may take X's elements elsewhere: then the largest radius holds for all.
    std::vector<double> radius = seen_.X_radius;
    if (!radius.empty() && problem_) std::ranges::fill(radius, std::ranges::max(radius));
    changed_.emplace(problem(), outputs(), std::move(radius));
  }
  return *changed_;
}

}  // namespace cellproof::oracle
