#include "oracle/value_type.hpp"

namespace cellproof::oracle {

ElementType value_type(const Problem& problem) {
  for (std::size_t position = 0; position < problem.inputs.size(); ++position) {
    if (const Tensor* given = problem.input(position)) return given->type();
  }
  return ElementType::Float;
}

}  // namespace cellproof::oracle
