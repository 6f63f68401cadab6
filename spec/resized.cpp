#include "spec/resized.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "spec/axes/settle.hpp"

namespace cellproof {
namespace {

using SizeField = std::int64_t Case::*;

SizeField field_of(std::string_view size) {
  if (size == "T") return &Case::T;
  if (size == "N") return &Case::N;
  if (size == "I") return &Case::I;
  if (size == "H") return &Case::H;
  throw std::invalid_argument(fmt::format("there is no size '{}', expected T, N, I or H", size));
}

/// The elements of `tensor` at the places that are kept. A dimension that shrinks consists of equal blocks (gates),
/// each of which keeps the same.
Tensor cropped(const Tensor& tensor, const Shape& shape, std::int64_t before, std::span<const std::int64_t> places) {
  Tensor result(tensor.type(), shape);
  const std::size_t width = size_of(tensor.type());
  const auto after = static_cast<std::int64_t>(places.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::vector<std::int64_t> index = result.index_of(i);
    std::size_t place = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      const bool shrinks = shape[k] != tensor.shape()[k];
      const std::int64_t coordinate =
          shrinks ? index[k] / after * before + places[static_cast<std::size_t>(index[k] % after)] : index[k];
      place = place * static_cast<std::size_t>(tensor.shape()[k]) + static_cast<std::size_t>(coordinate);
    }
    std::ranges::copy(tensor.bytes().subspan(place * width, width), result.bytes().subspan(i * width).begin());
  }
  return result;
}

/// Is each dimension the same, or as many times the one size as it was the other?
bool is_crop(const Shape& from, const Shape& to, std::int64_t before, std::int64_t after) {
  return std::ranges::equal(
      from, to, [&](std::int64_t a, std::int64_t b) { return a == b || (a % before == 0 && a / before * after == b); });
}

}  // namespace

std::int64_t size_of(const Case& c, std::string_view size) {
  return c.*field_of(size);
}

Case resized(const Case& c, std::string_view size, std::int64_t value) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(std::clamp<std::int64_t>(value, 0, size_of(c, size))));
  std::iota(places.begin(), places.end(), 0);
  if (value <= size_of(c, size)) return with_kept(c, size, places);
  Case changed = c;
  changed.*field_of(size) = value;
  return axes_detail::settle(c, std::move(changed), size);
}

Case with_kept(const Case& c, std::string_view size, std::span<const std::int64_t> places) {
  const SizeField field = field_of(size);
  const auto value = static_cast<std::int64_t>(places.size());
  if (c.*field == value) return c;
  Case changed = c;
  changed.*field = value;
  changed = axes_detail::settle(c, std::move(changed), size);
  const std::size_t known = std::min(c.inputs.size(), input_names(c.version.op).size());
  for (std::size_t i = 0; i < known && value > 0; ++i) {
    const Tensor* literal = std::get_if<Tensor>(&c.inputs[i].values);
    if (literal == nullptr || i == input::sequence_lens || std::holds_alternative<Tensor>(changed.inputs[i].values))
      continue;
    const Shape shape = generated_shape(changed, i);
    if (is_crop(literal->shape(), shape, c.*field, value))
      changed.inputs[i].values = cropped(*literal, shape, c.*field, places);
  }
  return changed;
}

std::vector<std::int64_t> places_used(const Case& c, std::string_view size) {
  const std::int64_t count = size_of(c, size);
  std::vector<bool> used(static_cast<std::size_t>(count));
  Case one = c;
  one.*field_of(size) = 1;
  const std::size_t known = std::min(c.inputs.size(), input_names(c.version.op).size());
  for (std::size_t i = 0; i < known && count > 1; ++i) {
    const Tensor* literal = std::get_if<Tensor>(&c.inputs[i].values);
    if (literal == nullptr || i == input::sequence_lens || literal->shape() != default_shape(c, i)) continue;
    const Shape along = default_shape(one, i);
    for (std::size_t k = 0; k < literal->size(); ++k) {
      if (literal->value(k) == 0) continue;
      const std::vector<std::int64_t> index = literal->index_of(k);
      for (std::size_t axis = 0; axis < index.size(); ++axis) {
        if (along[axis] != literal->shape()[axis]) used[static_cast<std::size_t>(index[axis] % count)] = true;
      }
    }
  }
  std::vector<std::int64_t> places;
  for (std::int64_t k = 0; k < count; ++k) {
    if (used[static_cast<std::size_t>(k)]) places.push_back(k);
  }
  return places;
}

}  // namespace cellproof
