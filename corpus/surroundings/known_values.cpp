#include "corpus/surroundings/known_values.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <cmath>
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

/// Numbers that QuantizeLinear or DequantizeLinear turns into others, with a scale and a zero point for each.
struct Scaled {
  const Tensor *x, *scale, *zero_point;  ///< zero_point: nullptr for zeros
  std::size_t count, behind;             ///< scales; elements that stand behind each other with the same scale

  std::size_t place(std::size_t k) const { return count == 1 ? 0 : k / behind % count; }
  double step(std::size_t k) const { return scale->value(place(k)); }
  double zero(std::size_t k) const { return zero_point == nullptr ? 0 : zero_point->value(place(k)); }
};

/// nullopt where one of the three is not known, or is of a kind that is not treated here.
std::optional<Scaled> scaled(const Operands& inputs, const Parameters& p) {
  const auto known = [&](std::size_t position) -> const Tensor* {
    const bool is_given = position < inputs.size() && inputs[position] != nullptr && inputs[position]->known;
    return is_given ? &*inputs[position]->known : nullptr;
  };
  Scaled found{known(0), known(1), known(2), 1, 1};
  const Tensor *x = found.x, *scale = found.scale, *zero_point = found.zero_point;
  const bool is_missing = inputs.size() > 2 && inputs[2] != nullptr && zero_point == nullptr;
  if (x == nullptr || scale == nullptr || is_missing || p.integer("block_size", 0) != 0) return std::nullopt;
  if (scale->type() != ElementType::Float || scale->rank() > 1) return std::nullopt;
  if (scale->size() != 1) {
    const std::size_t axis = p.axis(p.integer("axis", 1), x->rank());
    found.count = scale->size();
    found.behind = count_of({x->shape().begin() + static_cast<std::ptrdiff_t>(axis) + 1, x->shape().end()}, p);
    if (x->shape()[axis] != static_cast<std::int64_t>(found.count))
      p.fail(fmt::format("{} scales", found.count), fmt::format("{} as the axis has", x->shape()[axis]));
  }
  if (zero_point != nullptr && zero_point->size() != found.count)
    p.fail("a zero point", "as many numbers as the scale has");
  return found;
}

bool is_code(ElementType type) {
  return type == ElementType::Int8 || type == ElementType::UInt8;
}

/// (x - x_zero_point) * x_scale: a difference of two codes times a float has at most 33 bits, so that a double holds
/// it.
std::optional<Tensor> dequantized(const Operands& inputs, const Parameters& p) {
  const auto from = scaled(inputs, p);
  if (!from || !is_code(from->x->type())) return std::nullopt;
  Tensor result(ElementType::Float, from->x->shape());
  for (std::size_t k = 0; k < result.size(); ++k)
    result.set_value(k, (from->x->value(k) - from->zero(k)) * from->step(k));
  return result;
}

/// round(x / y_scale) + y_zero_point within the type, ties to even. A runtime may divide in float, multiply with the
/// inverse of the scale, or round after it has added: a number that these take to several codes is refused.
double code_of(double x, double step, double zero, double least, double most, const Parameters& p) {
  const auto single = [](double value) { return static_cast<double>(static_cast<float>(value)); };
  const auto within = [&](double code) { return std::clamp(code, least, most); };
  const double code = within(std::nearbyint(x / step) + zero);
  for (const double quotient : {x / step, single(x / step), single(x * single(1 / step))})
    if (!(within(std::nearbyint(quotient) + zero) == code && within(std::nearbyint(quotient + zero)) == code))
      p.fail(fmt::format("{:.9g} between two codes of the scale {:.9g}", x, step),
             "what every way to round takes to one");
  return code;
}

std::optional<Tensor> quantized(const Operands& inputs, const Parameters& p) {
  const auto from = scaled(inputs, p);
  if (!from || from->x->type() != ElementType::Float || p.integer("output_dtype", 0) != 0) return std::nullopt;
  const ElementType type = from->zero_point == nullptr ? ElementType::UInt8 : from->zero_point->type();
  if (!is_code(type)) return std::nullopt;
  const double least = type == ElementType::Int8 ? -128 : 0, most = least + 255;
  Tensor result(type, from->x->shape());
  for (std::size_t k = 0; k < result.size(); ++k)
    result.set_value(k, code_of(from->x->value(k), from->step(k), from->zero(k), least, most, p));
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
  if (node.op_type() == "QuantizeLinear") return quantized(inputs, p);
  if (node.op_type() != "Cast" || !p.operand(0).known) return std::nullopt;
  return cast(*p.operand(0).known, p);
}

}  // namespace cellproof::corpus
