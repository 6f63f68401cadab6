#include "spec/tensor.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "spec/float_conversion.hpp"

namespace cellproof {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors hold their elements in little-endian order");

template <typename T>
T load(const std::vector<std::byte>& bytes, std::size_t i) {
  T result;
  std::memcpy(&result, bytes.data() + i * sizeof(T), sizeof(T));
  return result;
}

template <typename T>
void store(std::vector<std::byte>& bytes, std::size_t i, T value) {
  std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

template <typename T>
void store_integer(std::vector<std::byte>& bytes, std::size_t i, double value, ElementType type) {
  // 2^digits is a double even where the largest integer is not.
  const double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
  const double lowest = std::numeric_limits<T>::is_signed ? -limit : 0.0;
  if (!(value >= lowest && value < limit) || value != std::trunc(value)) {
    throw std::invalid_argument("Tensor: " + std::string(onnx_name(type)) + " cannot hold " + std::to_string(value));
  }
  store(bytes, i, static_cast<T>(value));
}

}  // namespace

std::size_t element_count(const Shape& shape) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 40;
  std::uint64_t count = 1;
  bool empty = false;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) throw std::length_error("shape " + to_string(shape) + " has a negative dimension");
    if (dimension == 0) {
      empty = true;
      continue;
    }
    if (static_cast<std::uint64_t>(dimension) > limit / count) {
      throw std::length_error("shape " + to_string(shape) + " has more than 2^40 elements");
    }
    count *= static_cast<std::uint64_t>(dimension);
  }
  return empty ? 0 : count;
}

std::string to_string(const Shape& shape) {
  std::string result = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) result += (i ? "," : "") + std::to_string(shape[i]);
  return result + "]";
}

Tensor::Tensor(ElementType type, Shape shape)
    : type_(type), shape_(std::move(shape)), size_(element_count(shape_)), bytes_(size_ * size_of(type)) {}

Tensor::Tensor(ElementType type, Shape shape, std::vector<std::byte> bytes)
    : type_(type), shape_(std::move(shape)), size_(element_count(shape_)), bytes_(std::move(bytes)) {
  if (bytes_.size() != size_ * size_of(type)) {
    throw std::invalid_argument("Tensor: " + std::to_string(bytes_.size()) + " bytes given for " +
                                std::string(onnx_name(type)) + to_string(shape_) + ", expected " +
                                std::to_string(size_ * size_of(type)));
  }
}

Tensor Tensor::from_values(ElementType type, Shape shape, std::span<const double> values) {
  Tensor result(type, std::move(shape));
  if (values.size() != result.size()) {
    throw std::invalid_argument("Tensor: " + std::to_string(values.size()) + " values given for shape " +
                                to_string(result.shape()) + ", expected " + std::to_string(result.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) result.set_value(i, values[i]);
  return result;
}

std::size_t Tensor::offset(std::initializer_list<std::int64_t> index) const {
  bool inside = index.size() == rank();
  std::size_t result = 0;
  for (std::size_t i = 0; inside && i < index.size(); ++i) {
    const std::int64_t coordinate = index.begin()[i];
    inside = coordinate >= 0 && coordinate < shape_[i];
    result = result * static_cast<std::size_t>(shape_[i]) + static_cast<std::size_t>(coordinate);
  }
  if (!inside) {
    throw std::out_of_range("Tensor: index " + to_string(Shape(index)) + " in a tensor of shape " + to_string(shape_));
  }
  return result;
}

std::vector<std::int64_t> Tensor::index_of(std::size_t offset) const {
  if (offset >= size_) {
    throw std::out_of_range("Tensor: position " + std::to_string(offset) + " in a tensor of shape " +
                            to_string(shape_));
  }
  std::vector<std::int64_t> result(rank());
  for (std::size_t i = rank(); i-- > 0;) {
    const auto dimension = static_cast<std::size_t>(shape_[i]);
    result[i] = static_cast<std::int64_t>(offset % dimension);
    offset /= dimension;
  }
  return result;
}

double Tensor::value(std::size_t i) const {
  switch (type_) {
    case ElementType::Float16:
      return float16_value(static_cast<std::uint16_t>(bits(i)));
    case ElementType::BFloat16:
      return bfloat16_value(static_cast<std::uint16_t>(bits(i)));
    case ElementType::Float:
      return float_value(static_cast<std::uint32_t>(bits(i)));
    case ElementType::Double:
      return std::bit_cast<double>(bits(i));
    default:
      return static_cast<double>(integer(i));
  }
}

void Tensor::set_value(std::size_t i, double value) {
  if (i >= size_) throw std::out_of_range("Tensor: position " + std::to_string(i) + " of " + std::to_string(size_));
  switch (type_) {
    case ElementType::Float16:
      return store(bytes_, i, float16_bits(value));
    case ElementType::BFloat16:
      return store(bytes_, i, bfloat16_bits(value));
    case ElementType::Float:
      return store(bytes_, i, float_bits(value));
    case ElementType::Double:
      return store(bytes_, i, value);
    case ElementType::Int8:
      return store_integer<std::int8_t>(bytes_, i, value, type_);
    case ElementType::UInt8:
      return store_integer<std::uint8_t>(bytes_, i, value, type_);
    case ElementType::Int32:
      return store_integer<std::int32_t>(bytes_, i, value, type_);
    case ElementType::Int64:
      return store_integer<std::int64_t>(bytes_, i, value, type_);
  }
}

std::int64_t Tensor::integer(std::size_t i) const {
  const std::uint64_t pattern = bits(i);
  switch (type_) {
    case ElementType::Int8:
      return static_cast<std::int8_t>(pattern);
    case ElementType::UInt8:
      return static_cast<std::uint8_t>(pattern);
    case ElementType::Int32:
      return static_cast<std::int32_t>(pattern);
    case ElementType::Int64:
      return static_cast<std::int64_t>(pattern);
    default:
      throw std::invalid_argument("Tensor: integer() of a " + std::string(onnx_name(type_)) + " tensor");
  }
}

std::uint64_t Tensor::bits(std::size_t i) const {
  if (i >= size_) throw std::out_of_range("Tensor: position " + std::to_string(i) + " of " + std::to_string(size_));
  switch (size_of(type_)) {
    case 1:
      return load<std::uint8_t>(bytes_, i);
    case 2:
      return load<std::uint16_t>(bytes_, i);
    case 4:
      return load<std::uint32_t>(bytes_, i);
    default:
      return load<std::uint64_t>(bytes_, i);
  }
}

}  // namespace cellproof
