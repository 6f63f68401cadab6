#include "corpus/framework_layout.hpp"

#include <gtest/gtest.h>

#include "spec/case.hpp"

namespace cellproof::corpus {
namespace {

constexpr std::int64_t T = 3, N = 2, H = 4;

Problem problem_with(std::int64_t layout, const char* direction) {
  Case c = plain_case({Operator::GRU, 14}, ElementType::Float, T, N, 5, H);
  c.attributes.layout = layout;
  c.attributes.direction = direction;
  return make_problem(c);
}

Tensor counted_up(Shape shape) {
  Tensor tensor(ElementType::Float, std::move(shape));
  for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, static_cast<double>(k));
  return tensor;
}

TEST(FrameworkLayout, PutsBothDirectionsWhereOnnxHasThem) {
  const Tensor y = counted_up({N, T, 2 * H});
  const Outputs time_first = from_framework_layout(problem_with(0, "bidirectional"), {y, std::nullopt});
  const Outputs batch_first = from_framework_layout(problem_with(1, "bidirectional"), {y, std::nullopt});
  for (std::int64_t n = 0; n < N; ++n)
    for (std::int64_t t = 0; t < T; ++t)
      for (std::int64_t d = 0; d < 2; ++d)
        for (std::int64_t h = 0; h < H; ++h) {
          EXPECT_EQ(time_first[0]->value({t, d, n, h}), y.value({n, t, d * H + h}));
          EXPECT_EQ(batch_first[0]->value({n, t, d, h}), y.value({n, t, d * H + h}));
        }
  EXPECT_FALSE(time_first[1]);
}

TEST(FrameworkLayout, GivesStatesOfOneDirectionTheirAxis) {
  const Tensor state = counted_up({N, H});
  EXPECT_EQ(from_framework_layout(problem_with(0, "forward"), {std::nullopt, state})[1]->shape(), (Shape{1, N, H}));
  EXPECT_EQ(from_framework_layout(problem_with(1, "reverse"), {std::nullopt, state})[1]->shape(), (Shape{N, 1, H}));
  EXPECT_EQ(from_framework_layout(problem_with(0, "bidirectional"), {std::nullopt, state})[1], state);
}

TEST(FrameworkLayout, LeavesEveryOtherShape) {
  for (const Shape& shape : {Shape{T, 1, N, H}, Shape{T, N, H}, Shape{N, T}}) {
    const Outputs outputs{counted_up(shape), std::nullopt};
    EXPECT_EQ(from_framework_layout(problem_with(0, "forward"), outputs), outputs);
  }
}

}  // namespace
}  // namespace cellproof::corpus
