#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spec/element_type.hpp"

namespace cellproof {

using Shape = std::vector<std::int64_t>;

/// Number of elements; 1 for a scalar. Throws std::length_error for a negative dimension or a product above 2^40.
std::size_t element_count(const Shape& shape);

/// "[5,2,3]"
std::string to_string(const Shape& shape);

/// A dense row-major tensor that owns its bytes (little endian, as TensorProto.raw_data).
class Tensor {
 public:
  /// All zeros.
  Tensor(ElementType type, Shape shape);
  /// From raw little-endian bytes; throws std::invalid_argument unless bytes.size() == element_count(shape) *
  /// size_of(type).
  Tensor(ElementType type, Shape shape, std::vector<std::byte> bytes);
  /// Each value rounded once to `type` (nearest even); throws std::invalid_argument when the counts differ or an
  /// integer type cannot hold a value exactly.
  static Tensor from_values(ElementType type, Shape shape, std::span<const double> values);

  ElementType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  std::size_t rank() const { return shape_.size(); }
  /// Number of elements.
  std::size_t size() const { return size_; }

  /// Row-major position of a full index, one coordinate per dimension. Throws std::out_of_range.
  std::size_t offset(std::initializer_list<std::int64_t> index) const;
  /// The coordinates of a row-major position.
  std::vector<std::int64_t> index_of(std::size_t offset) const;

  /// The exact value of element i (every type but Int64 beyond 2^53).
  double value(std::size_t i) const;
  double value(std::initializer_list<std::int64_t> index) const { return value(offset(index)); }
  /// Stores `value` rounded once to the type. Throws std::invalid_argument for an integer type that cannot hold it.
  void set_value(std::size_t i, double value);
  void set_value(std::initializer_list<std::int64_t> index, double value) { set_value(offset(index), value); }
  /// The element as an integer; throws std::invalid_argument for a floating-point type.
  std::int64_t integer(std::size_t i) const;
  /// The element's bit pattern, zero-extended.
  std::uint64_t bits(std::size_t i) const;

  std::span<const std::byte> bytes() const { return bytes_; }
  std::span<std::byte> bytes() { return bytes_; }

  /// Same type, same shape, same bits (so NaN equals the same NaN, and +0 differs from -0).
  friend bool operator==(const Tensor&, const Tensor&) = default;

 private:
  ElementType type_;
  Shape shape_;
  std::size_t size_;
  std::vector<std::byte> bytes_;
};

/// Outputs that a node gives, or should give, by position; nullopt for an output that is not there.
using Outputs = std::vector<std::optional<Tensor>>;

}  // namespace cellproof
