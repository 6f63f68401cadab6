#include "lab/zoo/quantized_node.hpp"

#include <algorithm>
#include <stdexcept>

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

}  // namespace

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
