#include "oracle/other_layout.hpp"

namespace cellproof::oracle {

bool is_layout_open(const Problem& problem) {
  const std::int64_t layout = problem.attributes.layout.value_or(0);
  return layout != 0 && layout != 1;
}

bool may_be_taken_for_0(const Problem& problem) {
  return problem.attributes.layout.value_or(0) != 0;
}

bool is_read_as_layout_0(const Problem& problem, const Readings& readings) {
  return is_layout_open(problem) && readings.is(Clause::LayoutOther, "only-one");
}

Problem in_layout_0(const Problem& problem) {
  Problem changed = problem;
  changed.attributes.layout = 0;
  return changed;
}

}  // namespace cellproof::oracle
