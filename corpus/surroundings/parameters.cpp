#include "corpus/surroundings/parameters.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <stdexcept>

#include "corpus/message.hpp"

namespace cellproof::corpus {
namespace {

constexpr std::size_t most_moved = std::size_t{1} << 28;

const onnx::AttributeProto* attribute_named(const onnx::NodeProto& node, const char* name) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name) return &attribute;
  return nullptr;
}

}  // namespace

std::int64_t Parameters::integer(const char* attribute, std::int64_t otherwise) const {
  const auto* const found = attribute_named(node_, attribute);
  return found == nullptr ? otherwise : found->i();
}

std::optional<std::vector<std::int64_t>> Parameters::integers(const char* attribute, std::size_t position) const {
  if (const auto* const found = attribute_named(node_, attribute))
    return std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
  if (position >= inputs_.size() || inputs_[position] == nullptr) return std::nullopt;
  const auto& known = inputs_[position]->known;
  if (!known) fail(fmt::format("{} is computed by the recurrent node", attribute), "one that is known before it runs");
  if (known->type() != ElementType::Int32 && known->type() != ElementType::Int64)
    fail(fmt::format("{} of type {}", attribute, onnx_name(known->type())), "int32 or int64");
  std::vector<std::int64_t> result(known->size());
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = known->integer(k);
  return result;
}

const Operand& Parameters::operand(std::size_t position) const {
  if (position >= inputs_.size() || inputs_[position] == nullptr) fail(fmt::format("no input {}", position), "one");
  return *inputs_[position];
}

std::size_t Parameters::output_count() const {
  return static_cast<std::size_t>(node_.output_size());
}

std::size_t Parameters::axis(std::int64_t written, std::size_t rank) const {
  const auto size = static_cast<std::int64_t>(rank);
  if (written < -size || written >= size)
    fail(fmt::format("axis {}", written), fmt::format("{} to {}", -size, size - 1));
  return static_cast<std::size_t>(written < 0 ? written + size : written);
}

void Parameters::fail(const std::string& what, const std::string& expected) const {
  refuse(fmt::format("{}: {} {}", where_, escaped(node_.op_type()), in_quotes(node_.name())), what, expected);
}

std::size_t count_of(const Shape& shape, const Parameters& parameters) {
  try {
    const std::size_t count = element_count(shape);
    if (count < most_moved) return count;
  } catch (const std::length_error&) {  // negative, or beyond any memory
  }
  parameters.fail("shape " + to_string(shape), fmt::format("fewer than {} elements", most_moved));
}

}  // namespace cellproof::corpus
