#include "oracle/quantized/weights.hpp"

#include <cmath>

#include "oracle/at.hpp"

namespace cellproof::oracle {
namespace {

/// [rows] of a parameter that is given once for the direction or once for each row.
std::vector<double> by_row(const Tensor& parameter, int direction, int rows) {
  std::vector<double> values(at(rows));
  const bool per_row = parameter.rank() == 2;
  for (int r = 0; r < rows; ++r) {
    values[at(r)] = parameter.value(per_row ? at(direction) * at(rows) + at(r) : at(direction));
  }
  return values;
}

QuantizedMatrix matrix_of(const Problem& problem, const Readings& readings, int direction, std::size_t weights,
                          std::size_t scale, std::size_t zero_point) {
  const Tensor& stored = *problem.input(weights);
  QuantizedMatrix m;
  m.depth = static_cast<int>(stored.shape().at(1));
  m.rows = static_cast<int>(stored.shape().at(2));
  m.scales = by_row(*problem.input(scale), direction, m.rows);
  m.has_signed_codes = stored.type() == ElementType::Int8;
  m.zero_points = by_row(*problem.input(zero_point), direction, m.rows);
  if (readings.is(Clause::DqZeroPoint, "first-element") && m.rows > 0) {
    m.zero_points.assign(m.zero_points.size(), m.zero_points.front());
  }
  const std::size_t count = at(m.depth) * at(m.rows);
  m.integers.resize(count);
  for (std::size_t k = 0, row = 0; k < count; ++k, row = row + 1 == at(m.rows) ? 0 : row + 1)
    m.integers[k] = stored.value(at(direction) * count + k) - m.zero_points[row];
  m.summarise();
  return m;
}

}  // namespace

void QuantizedMatrix::summarise() {
  magnitudes.assign(at(rows), 0);
  for (std::size_t first = 0; first < integers.size(); first += at(rows))
    for (std::size_t r = 0; r < at(rows); ++r) magnitudes[r] += std::abs(integers[first + r]);
}

void QuantizedMatrix::narrow_to(int unit, int units) {
  for (auto* values : {&integers, &scales, &magnitudes, &zero_points}) {
    const std::size_t left = values->size() / at(units);
    for (std::size_t k = 0; k < left; ++k) (*values)[k] = (*values)[k * at(units) + at(unit)];
    values->resize(left);
  }
  rows /= units;
}

std::vector<double> QuantizedMatrix::real_weights() const {
  std::vector<double> weights(integers.size());
  for (std::size_t first = 0; first < weights.size(); first += at(rows))
    for (std::size_t r = 0; r < at(rows); ++r) weights[first + r] = scales[r] * integers[first + r];
  return weights;
}

QuantizedMatrix matrix_of_W(const Problem& problem, const Readings& readings, int direction) {
  return matrix_of(problem, readings, direction, input::W, input::W_scale, input::W_zero_point);
}

QuantizedMatrix matrix_of_R(const Problem& problem, const Readings& readings, int direction) {
  return matrix_of(problem, readings, direction, input::R, input::R_scale, input::R_zero_point);
}

}  // namespace cellproof::oracle
