#include "spec/axes/quantisation.hpp"

namespace cellproof::axes_detail {
namespace {

Shape column_shape(const Case& c) {
  const Shape rows = default_shape(c, input::W);  // [D,I,4H]
  return {rows[0], rows[2]};
}

}  // namespace

bool is_per_column(const Case& c, std::size_t position) {
  if (!is_quantised(c.version.op) || position < input::W_scale || position >= c.inputs.size()) return false;
  const CaseInput& in = c.inputs[position];
  const Tensor* literal = std::get_if<Tensor>(&in.values);
  if (literal != nullptr) return literal->shape() == column_shape(c);
  return in.shape == column_shape(c);
}

void set_per_column(Case& c, std::size_t position, bool per_column) {
  CaseInput& in = c.inputs[position];
  if (per_column) {
    in.shape = column_shape(c);
  } else {
    in.shape.reset();
  }
  const Tensor* literal = std::get_if<Tensor>(&in.values);
  if (literal != nullptr && literal->shape() != (per_column ? column_shape(c) : default_shape(c, position))) {
    in.values = Generated{};
  }
}

}  // namespace cellproof::axes_detail
