#include "corpus/surroundings/known_values.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "corpus/constant_node.hpp"
#include "corpus/surroundings/parameters.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

Tensor integers(const std::vector<std::int64_t>& values) {
  Tensor result(ElementType::Int64, {std::ssize(values)});
  for (std::size_t k = 0; k < values.size(); ++k) result.set_value(k, static_cast<double>(values[k]));
  return result;
}

Tensor shape_of(const Parameters& p) {
  const Shape& shape = p.operand(0).shape;
  const auto rank = std::ssize(shape);
  const auto placed = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
  const std::int64_t first = placed(p.integer("start", 0)), last = std::max(first, placed(p.integer("end", rank)));
  return integers({shape.begin() + first, shape.begin() + last});
}

std::optional<Tensor> filled(const onnx::NodeProto& node, const Parameters& p, const std::string& where,
                             const std::string& directory) {
  const auto shape = p.integers("input", 0);
  if (!shape) return std::nullopt;
  count_of(*shape, p);
  Tensor value(ElementType::Float, {1});
  for (const auto& attribute : node.attribute())
    if (attribute.name() == "value" && attribute.has_t()) value = read_tensor(attribute.t(), where, directory);
  if (value.size() != 1) p.fail("a value of shape " + to_string(value.shape()), "one number");
  Tensor result(value.type(), *shape);
  for (auto at = result.bytes().begin(); at != result.bytes().end();) at = std::ranges::copy(value.bytes(), at).out;
  return result;
}

/// Only where the page leaves nothing open: a number cut to an integer may lie outside its range.
std::optional<Tensor> cast(const Tensor& from, const Parameters& p) {
  const auto type = element_type_of(static_cast<int>(p.integer("to", 0)));
  if (!type || (is_floating_point(from.type()) && !is_floating_point(*type))) return std::nullopt;
  if (*type == from.type()) return from;  // integers beyond 2^53, too
  Tensor result(*type, from.shape());
  try {
    for (std::size_t k = 0; k < from.size(); ++k) result.set_value(k, from.value(k));
  } catch (const std::invalid_argument&) {  // an integer that the type does not hold
    return std::nullopt;
  }
  return result;
}

/// (x - x_zero_point) * x_scale: a difference of two codes times a float has at most 33 bits, so that a double holds
/// it.
std::optional<Tensor> dequantized(const Operands& inputs, const Parameters& p) {
  const auto known = [&](std::size_t position) -> const Tensor* {
    const bool is_given = position < inputs.size() && inputs[position] != nullptr && inputs[position]->known;
    return is_given ? &*inputs[position]->known : nullptr;
  };
  const Tensor *x = known(0), *scale = known(1), *zero_point = known(2);
  const bool is_missing = inputs.size() > 2 && inputs[2] != nullptr && zero_point == nullptr;
  if (x == nullptr || scale == nullptr || is_missing || p.integer("block_size", 0) != 0) return std::nullopt;
  const bool are_codes = x->type() == ElementType::Int8 || x->type() == ElementType::UInt8;
  if (!are_codes || scale->type() != ElementType::Float || scale->rank() > 1) return std::nullopt;
  std::size_t behind = x->size(), count = 1;
  if (scale->size() != 1) {
    const std::size_t axis = p.axis(p.integer("axis", 1), x->rank());
    count = scale->size();
    behind = count_of({x->shape().begin() + static_cast<std::ptrdiff_t>(axis) + 1, x->shape().end()}, p);
    if (x->shape()[axis] != static_cast<std::int64_t>(count))
      p.fail(fmt::format("{} scales", count), fmt::format("{} as the axis has", x->shape()[axis]));
  }
  if (zero_point != nullptr && zero_point->size() != count) p.fail("x_zero_point", "as many numbers as x_scale has");
  Tensor result(scale->type(), x->shape());
  for (std::size_t k = 0; k < x->size(); ++k) {
    const std::size_t at = count == 1 ? 0 : k / behind % count;
    const double zero = zero_point == nullptr ? 0 : zero_point->value(at);
    result.set_value(k, (x->value(k) - zero) * scale->value(at));
  }
  return result;
}

}  // namespace

std::optional<Tensor> known_value_of(const onnx::NodeProto& node, const Operands& inputs, const std::string& where,
                                     const std::string& directory) {
  const Parameters p(node, inputs, where);
  if (node.op_type() == "Constant") return read_tensor(constant_value(node, where), where, directory);
  if (node.op_type() == "Shape") return shape_of(p);
  if (node.op_type() == "ConstantOfShape") return filled(node, p, where, directory);
  if (node.op_type() == "DequantizeLinear") return dequantized(inputs, p);
  if (node.op_type() != "Cast" || !p.operand(0).known) return std::nullopt;
  return cast(*p.operand(0).known, p);
}

}  // namespace cellproof::corpus
