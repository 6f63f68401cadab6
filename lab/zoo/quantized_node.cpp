#include "lab/zoo/quantized_node.hpp"

#include <algorithm>
#include <stdexcept>

#include "lab/zoo/zoo.hpp"

namespace cellproof::lab::zoo {
namespace {

/// Scale or zero points: one a direction, or one a row.
template <class T>
std::vector<T> for_each_row(const Tensor& tensor, std::size_t d, std::size_t rows) {
  std::vector<T> values(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    values[row] = static_cast<T>(tensor.value(tensor.rank() == 1 ? d : d * rows + row));
  }
  return values;
}

QuantizedMatrix matrix_at(const Problem& problem, std::size_t d, std::size_t weights, std::size_t scale,
                          std::size_t zero) {
  const Tensor& stored = *problem.input(weights);
  QuantizedMatrix matrix;
  matrix.columns = static_cast<std::size_t>(stored.shape().at(1));
  matrix.rows = static_cast<std::size_t>(stored.shape().at(2));
  matrix.codes_are_signed = stored.type() == ElementType::Int8;
  const std::size_t count = matrix.columns * matrix.rows;
  for (std::size_t k = 0; k < count; ++k) matrix.codes.push_back(static_cast<int>(stored.integer(d * count + k)));
  matrix.scales = for_each_row<float>(*problem.input(scale), d, matrix.rows);
  matrix.zero_points = for_each_row<int>(*problem.input(zero), d, matrix.rows);
  matrix.only_scales_are_by_row = problem.input(scale)->rank() > problem.input(zero)->rank();
  return matrix;
}

/// The float operator on the same inputs, its weights left at 0.
Problem float_twin(const Problem& problem) {
  Problem twin = problem;
  twin.version = newest(Operator::LSTM);
  twin.inputs.resize(std::min<std::size_t>(twin.inputs.size(), input::P + 1));
  const auto& W = problem.input(input::W)->shape();
  const auto& R = problem.input(input::R)->shape();
  twin.inputs[input::W].tensor = Tensor(ElementType::Float, {W[0], W[2], W[1]});
  twin.inputs[input::R].tensor = Tensor(ElementType::Float, {R[0], R[2], R[1]});
  return twin;
}

/// Fills one direction of real weights, [row][column].
void put_real(const QuantizedMatrix& matrix, std::size_t d, Tensor& weights) {
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      const int code = matrix.codes[column * matrix.rows + row] - matrix.zero_points[row];
      weights.set_value((d * matrix.rows + row) * matrix.columns + column,
                        static_cast<float>(code) * matrix.scales[row]);
    }
  }
}

}  // namespace

Problem with_real_weights(const Problem& problem) {
  Problem twin = float_twin(problem);
  const QuantizedNode node = resolve_quantized(problem);
  for (std::size_t d = 0; d < node.directions.size(); ++d) {
    put_real(node.directions[d].W, d, *twin.inputs[input::W].tensor);
    put_real(node.directions[d].R, d, *twin.inputs[input::R].tensor);
  }
  return twin;
}

QuantizedNode resolve_quantized(const Problem& problem) {
  if (!is_quantised(problem.version.op)) throw std::invalid_argument("expected DynamicQuantizeLSTM");
  QuantizedNode node{fuzz::resolve(float_twin(problem)), {}, problem.asks_for(output::Y)};
  for (std::size_t d = 0; d < node.lstm.directions.size(); ++d) {
    node.directions.push_back({matrix_at(problem, d, input::W, input::W_scale, input::W_zero_point),
                               matrix_at(problem, d, input::R, input::R_scale, input::R_zero_point)});
  }
  return node;
}

}  // namespace cellproof::lab::zoo
