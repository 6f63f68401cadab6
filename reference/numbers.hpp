#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <vector>

#include "spec/tensor.hpp"

namespace cellproof::reference {

/// A tensor in the number type of the computation: row-major, every tensor value taken over exactly.
template <class Real>
struct Numbers {
  Shape shape;
  std::vector<Real> values;

  Numbers() = default;
  /// All zeros.
  explicit Numbers(Shape s) : shape(std::move(s)), values(element_count(shape), Real(0)) {}
  /// The tensor's values, or zeros where the specification says "if not specified - assumed to be 0".
  Numbers(const Tensor* tensor, const Shape& shape_if_absent) : Numbers(tensor ? tensor->shape() : shape_if_absent) {
    for (std::size_t i = 0; tensor && i < values.size(); ++i) values[i] = Real(tensor->value(i));
  }

  Real& at(std::initializer_list<std::int64_t> index) { return values[offset(index)]; }
  const Real& at(std::initializer_list<std::int64_t> index) const { return values[offset(index)]; }

 private:
  std::size_t offset(std::initializer_list<std::int64_t> index) const {
    if (index.size() != shape.size()) throw std::out_of_range("Numbers: index of another rank than the shape");
    std::int64_t result = 0;
    auto extent = shape.begin();
    for (std::int64_t i : index) {
      if (i < 0 || i >= *extent) throw std::out_of_range("Numbers: index outside the shape");
      result = result * *extent++ + i;
    }
    return static_cast<std::size_t>(result);
  }
};

}  // namespace cellproof::reference
