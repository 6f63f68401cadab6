#include "lab/accuracy/introduced_error.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/at.hpp"

namespace cellproof::lab {
namespace {

using oracle::at;

/// An exact number, and how far an honest one may be from it.
struct Near {
  double value = 0, error = 0;
  double magnitude() const { return std::abs(value) + error; }
};

/// The same of a sum of products, with the sum of the products' magnitudes.
struct NearSum {
  double value = 0, magnitude = 0, spread = 0;
};

/// The letters of the chapters: u, eta, gamma_n, kappa.
class Formulas {
 public:
  Formulas(const oracle::Cell& cell, const oracle::Arithmetic& m, const double* x, const double* h, const double* c)
      : cell_(cell), m_(m), x_(x), c_(c), h_(at(cell.hidden)) {
    const double nu = cell.terms * m.u_accumulate;
    gamma_ = nu / (1 - nu);
    for (int k = 0; k < cell.hidden; ++k) h_[at(k)].value = h[k];
  }

  IntroducedError lstm() const {
    IntroducedError all;
    for (int j = 0; j < cell_.units; ++j) {
      const Near c{c_[j], 0};
      const Near i = sigmoid(gate(0, j, c)), f = sigmoid(gate(2, j, c)), g = tanh(sum(row_sum(3, j)));
      const Near updated =
          elementwise(plus(times(f, c), times(i, g)), f.magnitude() * c.magnitude() + i.magnitude() * g.magnitude());
      const Near o = sigmoid(gate(1, j, updated));
      all.H.push_back(stored(elementwise(times(o, tanh(updated)), 0)).error);
      all.C.push_back(stored(updated).error);
    }
    return all;
  }

  IntroducedError gru() const {
    IntroducedError all;
    std::vector<Near> z, r, reset;
    for (int j = 0; j < cell_.units; ++j) {
      z.push_back(sigmoid(sum(row_sum(0, j))));
      r.push_back(sigmoid(sum(row_sum(1, j))));
      reset.push_back(elementwise(times(r.back(), h_[at(j)]), 0));
    }
    for (int j = 0; j < cell_.units; ++j) {
      const std::size_t unit = at(j);
      const Near candidate = tanh(cell_.linear_before_reset ? scaled(r[unit], j) : sum(row_sum(2, j, reset)));
      const Near &h = h_[unit], rest{1 - z[unit].value, z[unit].error};
      const Near blend{rest.value * candidate.value + z[unit].value * h.value,
                       rest.magnitude() * candidate.error + z[unit].error * std::abs(h.value - candidate.value)};
      const double weight = std::max(rest.magnitude(), z[unit].magnitude());
      all.H.push_back(stored(elementwise(blend, 3 * weight * (candidate.magnitude() + h.magnitude()))).error);
    }
    return all;
  }

  IntroducedError rnn() const {
    IntroducedError all;
    for (int j = 0; j < cell_.units; ++j) all.H.push_back(stored(tanh(sum(row_sum(0, j)))).error);
    return all;
  }

 private:
  void add(NearSum& to, double factor, const Near& by) const {
    to.value += factor * by.value;
    to.magnitude += std::abs(factor) * by.magnitude();
    to.spread += std::abs(factor) * by.error;
  }
  NearSum of_x(int gate, int unit) const {
    const std::size_t row = at(gate * cell_.units + unit);
    NearSum s;
    for (int k = 0; k < cell_.inputs; ++k) add(s, cell_.W[at(k) * at(cell_.rows) + row], {x_[k], 0});
    add(s, cell_.Wb[row], {1, 0});
    return s;
  }
  void add_of_h(NearSum& s, int gate, int unit, const std::vector<Near>& h) const {
    const std::size_t row = at(gate * cell_.units + unit);
    for (int k = 0; k < cell_.hidden; ++k) add(s, cell_.R[at(k) * at(cell_.rows) + row], h[at(k)]);
    add(s, cell_.Rb[row], {1, 0});
  }
  NearSum row_sum(int gate, int unit, const std::vector<Near>& h) const {
    NearSum s = of_x(gate, unit);
    add_of_h(s, gate, unit, h);
    return s;
  }
  NearSum row_sum(int gate, int unit) const { return row_sum(gate, unit, h_); }

  /// gamma_n S + spread + n eta
  Near sum(const NearSum& s) const {
    return {s.value, gamma_ * s.magnitude + s.spread + cell_.terms * m_.eta_accumulate};
  }
  /// The pre-activation of a gate that sees the cell through a peephole.
  Near gate(int gate, int unit, const Near& cell) const {
    NearSum s = row_sum(gate, unit);
    if (!cell_.P.empty()) add(s, cell_.P[at(gate * cell_.units + unit)], cell);
    return sum(s);
  }
  /// a_x + r (R h + Rb), each part summed by itself.
  Near scaled(const Near& r, int unit) const {
    NearSum inner;
    add_of_h(inner, 2, unit, h_);
    const Near from_x = sum(of_x(2, unit)), part = times(r, sum(inner));
    return elementwise(plus(from_x, part), from_x.magnitude() + 3 * part.magnitude());
  }

  /// The argument's error times the steepest slope within its reach, and the function's own error.
  Near function(double y, double from_argument) const {
    const double magnitude = std::min(1.0, std::abs(y) + from_argument);
    return {y, from_argument + m_.activation_relative * magnitude + m_.activation_floor + m_.eta_elementwise};
  }
  /// The argument that is nearest to 0 within reach: both functions are steepest there.
  static double steepest_at(const Near& a) { return std::max(0.0, std::abs(a.value) - a.error); }
  Near tanh(const Near& a) const {
    const double y = std::tanh(steepest_at(a));
    return function(std::tanh(a.value), a.error * (1 - y * y));
  }
  Near sigmoid(const Near& a) const {
    const double y = 1 / (1 + std::exp(steepest_at(a)));  // 1 minus the value: no digits are lost
    return function(1 / (1 + std::exp(-a.value)), a.error * y * (1 - y));
  }

  static Near plus(const Near& a, const Near& b) { return {a.value + b.value, a.error + b.error}; }
  static Near times(const Near& a, const Near& b) {
    return {a.value * b.value, std::abs(b.value) * a.error + a.magnitude() * b.error};
  }
  /// u (intermediates + result) (1 + 4 u) + 2 eta
  Near elementwise(const Near& a, double intermediates) const {
    const double u = m_.u_elementwise;
    return {a.value, a.error + u * (intermediates + a.magnitude()) * (1 + 4 * u) + 2 * m_.eta_elementwise};
  }
  /// One more unit roundoff, for the way into the tensor.
  Near stored(const Near& a) const {
    return {a.value, a.error + m_.u_storage * a.magnitude() * (1 + m_.u_storage) + m_.eta_storage};
  }

  const oracle::Cell& cell_;
  const oracle::Arithmetic& m_;
  const double *x_, *c_;
  std::vector<Near> h_;
  double gamma_ = 0;
};

}  // namespace

IntroducedError introduced_error(const oracle::Cell& cell, const oracle::Arithmetic& arithmetic, const double* x,
                                 const double* h, const double* c) {
  const Formulas formulas(cell, arithmetic, x, h, c);
  return cell.op == Operator::RNN ? formulas.rnn() : cell.op == Operator::GRU ? formulas.gru() : formulas.lstm();
}

}  // namespace cellproof::lab
