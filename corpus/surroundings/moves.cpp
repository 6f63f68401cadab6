#include "corpus/surroundings/moves.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "corpus/surroundings/parameters.hpp"

namespace cellproof::corpus {
namespace {

using Moves = std::vector<Move>;

/// All elements of the first input, in their order.
Move reshaped(Shape shape, const Parameters& p) {
  const std::size_t count = count_of(shape, p);
  if (count != count_of(p.operand(0).shape, p))
    p.fail("shape " + to_string(shape), "as many elements as " + to_string(p.operand(0).shape));
  Move move{std::move(shape), {}};
  move.from.reserve(count);
  for (std::size_t k = 0; k < count; ++k) move.from.emplace_back(0, k);
  return move;
}

/// Elements between two of the same row-major tensor that differ by one along each axis.
Shape steps_of(const Shape& shape) {
  Shape steps(shape.size(), 1);
  for (std::size_t k = shape.size(); k-- > 1;) steps[k - 1] = steps[k] * shape[k];
  return steps;
}

/// A walk over the first input: `first` element, and how far one step along each axis goes.
Move walked(Shape shape, const Shape& steps, std::int64_t first, const Parameters& p) {
  const std::size_t count = count_of(shape, p);
  Move move{std::move(shape), {}};
  move.from.reserve(count);
  Shape index(move.shape.size(), 0);
  for (std::size_t k = 0; k < count; ++k) {
    const std::int64_t element = std::inner_product(index.begin(), index.end(), steps.begin(), first);
    move.from.emplace_back(0, static_cast<std::uint64_t>(element));
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < move.shape[axis]) break;
      index[axis] = 0;
    }
  }
  return move;
}

Moves identity(const Parameters& p) {
  return {reshaped(p.operand(0).shape, p)};
}

Moves squeeze(const Parameters& p) {
  const Shape& shape = p.operand(0).shape;
  std::vector<bool> goes(shape.size(), false);
  if (const auto axes = p.integers("axes", 1)) {
    for (const std::int64_t axis : *axes) goes[p.axis(axis, shape.size())] = true;
  } else {
    for (std::size_t k = 0; k < shape.size(); ++k) goes[k] = shape[k] == 1;
  }
  Shape left;
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (!goes[k]) left.push_back(shape[k]);
  return {reshaped(std::move(left), p)};
}

Moves unsqueeze(const Parameters& p) {
  const auto axes = p.integers("axes", 1);
  if (!axes) p.fail("no axes", "axes");
  const Shape& shape = p.operand(0).shape;
  Shape wider(shape.size() + axes->size(), 0);
  for (const std::int64_t axis : *axes) wider[p.axis(axis, wider.size())] = 1;
  auto next = shape.begin();
  for (std::int64_t& size : wider) {
    if (size == 1) continue;
    if (next == shape.end()) p.fail("an axis twice", "axes that differ");
    size = *next++;
  }
  return {reshaped(std::move(wider), p)};
}

Moves flatten(const Parameters& p) {
  const Shape& shape = p.operand(0).shape;
  const std::int64_t written = p.integer("axis", 1);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t axis = written < 0 ? written + rank : written;
  if (axis < 0 || axis > rank) p.fail(fmt::format("axis {}", written), fmt::format("{} to {}", -rank, rank));
  const auto middle = shape.begin() + axis;
  const auto product = [&](auto from, auto to) { return static_cast<std::int64_t>(count_of(Shape(from, to), p)); };
  return {reshaped({product(shape.begin(), middle), product(middle, shape.end())}, p)};
}

Moves reshape(const Parameters& p) {
  const auto written = p.integers("shape", 1);
  if (!written) p.fail("no shape", "a shape");
  const Shape& old = p.operand(0).shape;
  Shape shape = *written;
  std::int64_t known = 1;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 0 && p.integer("allowzero", 0) == 0) {
      if (k >= old.size()) p.fail(fmt::format("0 as size {}", k), "a size of the input to take");
      shape[k] = old[k];
    }
    if (shape[k] != -1) known *= std::max<std::int64_t>(shape[k], 1);
    if (known >= std::int64_t{1} << 31) p.fail("shape " + to_string(shape), "a smaller one");
  }
  const auto open = std::ranges::find(shape, -1);
  if (open != shape.end()) *open = static_cast<std::int64_t>(count_of(old, p)) / known;
  return {reshaped(std::move(shape), p)};
}

Moves transpose(const Parameters& p) {
  const Shape& shape = p.operand(0).shape;
  Shape order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (const auto written = p.integers("perm", 1)) order = *written;
  Shape sorted = order, all(shape.size()), moved, steps;
  std::ranges::sort(sorted);
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all) p.fail("perm " + to_string(order), fmt::format("each of {} axes once", shape.size()));
  const Shape old_steps = steps_of(shape);
  for (const std::int64_t axis : order) {
    moved.push_back(shape[static_cast<std::size_t>(axis)]);
    steps.push_back(old_steps[static_cast<std::size_t>(axis)]);
  }
  return {walked(std::move(moved), steps, 0, p)};
}

/// One axis of a Slice: the first index, how many, and the step between two.
struct Stretch {
  std::int64_t first, count, step;
};

Stretch stretch_of(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size, const Parameters& p) {
  if (step == 0) p.fail("a step of 0", "any other");
  const std::int64_t lowest = step < 0 ? -1 : 0, highest = step < 0 ? size - 1 : size;
  // An index beyond the end of the tensor means its end; INT64_MIN and INT64_MAX are customary.
  const auto placed = [&](std::int64_t at) { return std::clamp(at < 0 ? at + size : at, lowest, highest); };
  const std::int64_t first = placed(start), last = placed(end);
  const std::int64_t way = step < 0 ? first - last : last - first, width = step < 0 ? -std::max(step, -size - 1) : step;
  return {first, way <= 0 ? 0 : 1 + (way - 1) / width, step};
}

Moves slice(const Parameters& p) {
  Shape shape = p.operand(0).shape, steps = steps_of(shape);
  const auto starts = p.integers("starts", 1), ends = p.integers("ends", 2);
  if (!starts || !ends || starts->size() != ends->size()) p.fail("starts and ends", "lists of one length");
  Shape axes(starts->size());
  std::iota(axes.begin(), axes.end(), 0);
  axes = p.integers("axes", 3).value_or(axes);
  const Shape by = p.integers("steps", 4).value_or(Shape(starts->size(), 1));
  if (axes.size() != starts->size() || by.size() != starts->size()) p.fail("axes and steps", "lists of one length");
  std::int64_t first = 0;
  std::vector<bool> cut(shape.size(), false);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::size_t axis = p.axis(axes[k], shape.size());
    if (cut[axis]) p.fail("an axis twice", "axes that differ");
    cut[axis] = true;
    const Stretch stretch = stretch_of((*starts)[k], (*ends)[k], by[k], shape[axis], p);
    first += stretch.first * steps[axis];
    shape[axis] = stretch.count;
    steps[axis] *= stretch.count > 1 ? stretch.step : 0;
  }
  return {walked(std::move(shape), steps, first, p)};
}

Moves split(const Parameters& p) {
  const Shape& shape = p.operand(0).shape;
  const std::size_t axis = p.axis(p.integer("axis", 0), shape.size());
  const auto parts = static_cast<std::int64_t>(p.output_count());
  Shape sizes;
  if (const auto written = p.integers("split", 1)) {
    sizes = *written;
  } else {
    const std::int64_t each = (shape[axis] + parts - 1) / std::max<std::int64_t>(parts, 1);
    for (std::int64_t left = shape[axis]; std::ssize(sizes) < parts; left -= sizes.back())
      sizes.push_back(std::min(each, left));
  }
  std::int64_t sum = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > shape[axis]) p.fail("split " + to_string(sizes), "parts of the axis");
    sum += size;
  }
  if (std::ssize(sizes) != parts || sum != shape[axis]) p.fail("split " + to_string(sizes), "a size for each output");
  const Shape steps = steps_of(shape);
  Moves moves;
  std::int64_t first = 0;
  for (const std::int64_t size : sizes) {
    Shape part = shape;
    part[axis] = size;
    moves.push_back(walked(std::move(part), steps, first, p));
    first += size * steps[axis];
  }
  return moves;
}

Moves expand(const Parameters& p) {
  const auto written = p.integers("shape", 1);
  if (!written) p.fail("no shape", "a shape");
  Shape shape = p.operand(0).shape, wanted = *written, steps = steps_of(shape);
  const std::size_t rank = std::max(shape.size(), wanted.size());
  shape.insert(shape.begin(), rank - shape.size(), 1);
  steps.insert(steps.begin(), rank - steps.size(), 0);
  wanted.insert(wanted.begin(), rank - wanted.size(), 1);
  for (std::size_t k = 0; k < rank; ++k) {
    if (wanted[k] == 1 || wanted[k] == shape[k]) continue;
    if (shape[k] != 1) p.fail("shape " + to_string(*written), "one that " + to_string(p.operand(0).shape) + " fits");
    shape[k] = wanted[k];
    steps[k] = 0;
  }
  return {walked(std::move(shape), steps, 0, p)};
}

/// Elements before and behind an axis.
std::pair<std::size_t, std::size_t> around(const Shape& shape, std::size_t axis, const Parameters& p) {
  const auto at = shape.begin() + static_cast<std::ptrdiff_t>(axis);
  return {count_of({shape.begin(), at}, p), count_of({at + 1, shape.end()}, p)};
}

Moves gather(const Parameters& p) {
  const Shape& shape = p.operand(0).shape;
  const std::size_t axis = p.axis(p.integer("axis", 0), shape.size());
  const auto indices = p.integers("indices", 1);
  if (!indices) p.fail("no indices", "indices");
  const Shape& shape_of_indices = p.operand(1).shape;
  Shape result(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis));
  result.insert(result.end(), shape_of_indices.begin(), shape_of_indices.end());
  result.insert(result.end(), shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end());
  const std::size_t count = count_of(result, p);
  Move move{std::move(result), {}};
  move.from.reserve(count);
  const auto [before, behind] = around(shape, axis, p);
  for (std::size_t outer = 0; outer < before; ++outer)
    for (const std::int64_t index : *indices) {
      const std::size_t row =
          outer * static_cast<std::size_t>(shape[axis]) + p.axis(index, static_cast<std::size_t>(shape[axis]));
      for (std::size_t inner = 0; inner < behind; ++inner) move.from.emplace_back(0, row * behind + inner);
    }
  return {std::move(move)};
}

Moves concat(const Parameters& p) {
  Shape result = p.operand(0).shape;
  const std::size_t axis = p.axis(p.integer("axis", 0), result.size());
  for (std::size_t k = 1; k < p.operand_count(); ++k) {
    Shape other = p.operand(k).shape;
    if (other.size() != result.size()) p.fail("tensors of several ranks", "one rank");
    const std::int64_t size = std::exchange(other[axis], result[axis]);
    if (other != result) p.fail("shape " + to_string(p.operand(k).shape), "one that differs along the axis alone");
    result[axis] += size;
  }
  const std::size_t count = count_of(result, p);
  const auto [before, behind] = around(result, axis, p);
  Move move{std::move(result), {}};
  move.from.reserve(count);
  for (std::size_t outer = 0; outer < before; ++outer)
    for (std::size_t k = 0; k < p.operand_count(); ++k) {
      const std::size_t row = static_cast<std::size_t>(p.operand(k).shape[axis]) * behind;
      for (std::size_t inner = 0; inner < row; ++inner)
        move.from.emplace_back(static_cast<std::uint32_t>(k), outer * row + inner);
    }
  return {std::move(move)};
}

struct Mover {
  std::string_view op_type;
  Moves (*moves)(const Parameters&);
};

/// Dropout moves nothing where it does not train, and no model at rest does.
constexpr std::array<Mover, 12> movers{{{"Identity", identity},
                                        {"Dropout", identity},
                                        {"Squeeze", squeeze},
                                        {"Unsqueeze", unsqueeze},
                                        {"Flatten", flatten},
                                        {"Reshape", reshape},
                                        {"Transpose", transpose},
                                        {"Slice", slice},
                                        {"Split", split},
                                        {"Concat", concat},
                                        {"Expand", expand},
                                        {"Gather", gather}}};

}  // namespace

std::optional<std::vector<Move>> moves_of(const onnx::NodeProto& node, const Operands& inputs,
                                          const std::string& where) {
  const auto found = std::ranges::find(movers, std::string_view(node.op_type()), &Mover::op_type);
  if (found == movers.end()) return std::nullopt;
  return found->moves({node, inputs, where});
}

}  // namespace cellproof::corpus
