#include "oracle/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace cellproof::oracle {
namespace {

constexpr int most_rounds = 60;
constexpr double difference = 1e-7, most_damping = 1e8, float_rounding = 6e-8;
constexpr double infinite = std::numeric_limits<double>::infinity();

using Slopes = std::vector<std::vector<double>>;  ///< by unknown, then by residual

double square_sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

Slopes slopes_at(const Residuals& residuals, const std::vector<double>& unknowns, const std::vector<double>& here) {
  Slopes slopes;
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    std::vector<double> beside = unknowns;
    const double step = difference * std::max(1.0, std::abs(unknowns[k]));
    beside[k] += step;
    std::vector<double> column = residuals(beside);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = (column[i] - here[i]) / step;
    slopes.push_back(std::move(column));
  }
  return slopes;
}

/// The square matrix of normal equations; of every residual or, from `first` on, of every second one.
class Normal {
 public:
  Normal(const Slopes& slopes, std::size_t first, std::size_t apart) : n_(slopes.size()), values_(n_ * n_) {
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        for (std::size_t i = first; i < slopes[a].size(); i += apart) at(a, b) += slopes[a][i] * slopes[b][i];
  }

  /// Replaces it by its lower factor (Cholesky). False where it has none in double.
  bool factorise(double damping) {
    constexpr double least = 1e-13;  // of a diagonal element: what is below is rounding
    for (std::size_t a = 0; a < n_; ++a) {
      const double diagonal = at(a, a) * (1 + damping);
      for (std::size_t b = 0; b <= a; ++b) {
        double sum = a == b ? diagonal : at(a, b);
        for (std::size_t k = 0; k < b; ++k) sum -= at(a, k) * at(b, k);
        if (a == b && !(sum > least * diagonal)) return false;
        at(a, b) = a == b ? std::sqrt(sum) : sum / at(b, b);
      }
    }
    return true;
  }
  /// Both below need the factor.
  void solve_lower(std::vector<double>& x) const {
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t k = 0; k < a; ++k) x[a] -= at(a, k) * x[k];
      x[a] /= at(a, a);
    }
  }
  void solve(std::vector<double>& x) const {
    solve_lower(x);
    for (std::size_t a = n_; a-- > 0;) {
      for (std::size_t k = a + 1; k < n_; ++k) x[a] -= at(k, a) * x[k];
      x[a] /= at(a, a);
    }
  }

 private:
  double& at(std::size_t row, std::size_t column) { return values_[row * n_ + column]; }
  double at(std::size_t row, std::size_t column) const { return values_[row * n_ + column]; }

  std::size_t n_;
  std::vector<double> values_;
};

double largest_error(const Slopes& slopes, const std::vector<double>& unknowns) {
  double worst = 0;
  for (const std::size_t half : {0U, 1U}) {
    Normal normal(slopes, half, 2);
    if (!normal.factorise(0)) return infinite;
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
      std::vector<double> unit(unknowns.size());
      unit[k] = 1;
      normal.solve_lower(unit);
      const double error = float_rounding * std::sqrt(square_sum(unit)) / std::max(1.0, std::abs(unknowns[k]));
      worst = std::max(worst, error);
    }
  }
  return worst;
}

}  // namespace

LeastSquares least_squares(const Residuals& residuals, std::vector<double> start) {
  std::vector<double> unknowns = std::move(start), here = residuals(unknowns);
  double sum = square_sum(here), damping = 1e-6, gain = infinite;
  Slopes slopes = slopes_at(residuals, unknowns, here);
  for (int round = 0; round < most_rounds && damping < most_damping && gain > 1e-9 * sum; ++round) {
    std::vector<double> next(unknowns.size());
    for (std::size_t k = 0; k < next.size(); ++k)
      for (std::size_t i = 0; i < here.size(); ++i) next[k] -= slopes[k][i] * here[i];
    Normal normal(slopes, 0, 1);
    std::vector<double> there;
    double sum_there = infinite;
    if (normal.factorise(damping)) {
      normal.solve(next);
      for (std::size_t k = 0; k < next.size(); ++k) next[k] += unknowns[k];
      there = residuals(next);
      sum_there = square_sum(there);
    }
    if (!(sum_there <= sum)) {
      damping *= 10;
      continue;
    }
    damping /= 10;
    gain = sum - sum_there;
    sum = sum_there;
    unknowns = std::move(next);
    here = std::move(there);
    slopes = slopes_at(residuals, unknowns, here);
  }
  const double fit = here.empty() ? infinite : std::sqrt(sum / static_cast<double>(here.size()));
  const double error = largest_error(slopes, unknowns);
  return {std::move(unknowns), fit, error};
}

}  // namespace cellproof::oracle
