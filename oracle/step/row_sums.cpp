#include "oracle/step/row_sums.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/at.hpp"
#include "oracle/step/grid.hpp"
#include "oracle/step/special_sums.hpp"

namespace cellproof::oracle {
namespace {

template <class Real>
bool all_finite(const Addends<Real>& a) {
  return std::isfinite(a.magnitude + a.spread + std::abs(a.Wb) + std::abs(a.Rb));
}

/// Sums up what the weights of each row lose as factors, and finds the largest of each row.
void summarise_losses(const std::vector<double>& by_column, std::size_t rows, const Arithmetic& m,
                      std::vector<double>& lost, std::vector<double>& largest) {
  lost.assign(rows, 0);
  largest.assign(rows, 0);
  for (std::size_t k = 0; k < by_column.size(); ++k) {
    const double magnitude = std::abs(by_column[k]);
    lost[k % rows] += m.lost_as_operand(magnitude);
    largest[k % rows] = std::max(largest[k % rows], magnitude);
  }
}

}  // namespace

template <class Real>
RowSums<Real>::RowSums(const Cell& cell, const Arithmetic& arithmetic, Tier tier)
    : cell_(cell),
      m_(arithmetic),
      tier_(tier),
      errors_(cell.terms, arithmetic.u_accumulate),
      zeros_(at(cell.rows)),
      x_values_(at(cell.inputs)) {
  if (factors_change()) {
    summarise_losses(cell.W, at(cell.rows), m_, W_lost_, W_largest_);
    summarise_losses(cell.R, at(cell.rows), m_, R_lost_, R_largest_);
  }
  if constexpr (carries_its_error<Real>) {
    if (!cell.W.empty()) W_.emplace(cell.W, cell.rows, cell.inputs);
    if (!cell.R.empty()) R_.emplace(cell.R, cell.rows, cell.hidden);
  }
}

template <class Real>
void RowSums<Real>::take_x(const double* x, const double* radius) {
  x_radius_ = radius;
  x_grid_ = any_grid;
  x_largest_ = x_lost_ = 0;
  for (int k = 0; k < cell_.inputs; ++k) {
    x_values_[at(k)] = static_cast<Real>(x[k]);
    x_grid_ = std::min(x_grid_, lowest_bit(x[k]));
    const double middle = std::abs(x[k]), reach = radius ? radius[k] : 0;
    x_largest_ = std::max(x_largest_, middle + reach);
    if (reach == 0)
      x_lost_ += m_.lost_as_operand(middle);
    else if (middle - reach < m_.normal_operand)
      x_lost_ += m_.eta_operand;
  }
  x_.reset(cell_.rows);
  if (cell_.W.empty()) return;
  const Columns columns{cell_.W.data(), cell_.rows, 0, cell_.rows, cell_.inputs};
  if constexpr (carries_its_error<Real>) W_->add_products(0, cell_.rows, x_values_.data(), x_.value);
  add_products(columns, x_values_.data(), radius, zeros_.data(), x_);
}

template <class Real>
void RowSums<Real>::take_state(const Real* centre, const double* radius, StateProduct<Real>& h) {
  h.centre = centre;
  h.radius = radius;
  h.grid = any_grid;
  h.largest = h.lost = 0;
  for (int k = 0; k < cell_.hidden; ++k) {
    h.grid = std::min(h.grid, lowest_bit(centre[k]));
    const double middle = upper(abs(centre[k])), reach = radius ? radius[k] : 0;
    h.largest = std::max(h.largest, middle + reach);
    if (middle - reach < m_.normal_operand && middle + reach > 0) h.lost += m_.eta_operand;
  }
  h.sums.reset(cell_.rows);
}

template <class Real>
void RowSums<Real>::multiply(StateProduct<Real>& h, int first, int last, bool after_x) {
  if (cell_.R.empty()) return;
  const Columns columns{cell_.R.data(), cell_.rows, first, last, cell_.hidden};
  const std::vector<double>& before = after_x ? x_.in_double() : zeros_;
  if constexpr (carries_its_error<Real>) R_->add_products(first, last, h.centre, h.sums.value);
  add_products(columns, h.centre, h.radius, before.data(), h.sums);
}

template <class Real>
auto RowSums<Real>::addends_of(int row, Share share, const StateProduct<Real>& h, const StepInput<Real>& in) const
    -> Addends<Real> {
  if (in.x_products) return addends_given(row, in);
  const std::size_t r = at(row);
  Addends<Real> a;
  a.terms = cell_.terms;
  a.grid = any_grid;
  if (share != Share::HOnly) {
    a.x = x_.value[r];
    a.magnitude += x_.magnitude[r];
    a.walk += x_.walk[r];
    a.squares += x_.squares[r];
    a.spread += x_.spread[r];
    a.Wb = cell_.Wb[r];
    a.grid = std::min({a.grid, product_grid(cell_.W_grid[r], x_grid_), lowest_bit(a.Wb)});
    if (factors_change()) {
      a.lost += lost(W_lost_[r], cell_.W_sum[r], x_lost_, x_largest_);
      a.overflows = a.overflows || std::max(W_largest_[r], x_largest_) > m_.largest_operand;
    }
    a.lost += m_.lost_as_input(std::abs(a.Wb));
    a.overflows = a.overflows || std::abs(a.Wb) > m_.largest_input;
  }
  if (share != Share::XOnly) {
    a.h = h.sums.value[r];
    a.magnitude += h.sums.magnitude[r];
    a.walk += h.sums.walk[r];
    a.squares += h.sums.squares[r];
    a.spread += h.sums.spread[r];
    a.Rb = cell_.Rb[r];
    a.grid = std::min({a.grid, product_grid(cell_.R_grid[r], h.grid), lowest_bit(a.Rb)});
    if (factors_change()) {
      a.lost += lost(R_lost_[r], cell_.R_sum[r], h.lost, h.largest);
      a.overflows = a.overflows || std::max(R_largest_[r], h.largest) > m_.largest_operand;
    }
    a.lost += m_.lost_as_input(std::abs(a.Rb));
    a.overflows = a.overflows || std::abs(a.Rb) > m_.largest_input;
  }
  return a;
}

/// The error of a product of two vectors whose elements each lose something: what one of them loses is multiplied with
/// the other, as it is rounded and with what it loses itself.
template <class Real>
double RowSums<Real>::lost(double row_lost, double row_sum, double vector_lost, double vector_largest) const {
  return (1 + m_.u_operand) * ((row_sum + row_lost) * vector_lost + row_lost * vector_largest);
}

template <class Real>
auto RowSums<Real>::addends_given(int row, const StepInput<Real>& in) const -> Addends<Real> {
  const Set &x = in.x_products[row], &h = in.h_products[row];
  const bool nothing = x.is_point() && h.is_point() && x.centre == 0 && h.centre == 0;
  Addends<Real> a;
  a.x = x.centre;
  a.h = h.centre;
  a.magnitude = x.magnitude() + h.magnitude();
  a.walk = cell_.terms * a.magnitude;
  a.Wb = cell_.Wb[at(row)];
  a.Rb = cell_.Rb[at(row)];
  a.lost = m_.lost_as_input(std::abs(a.Wb)) + m_.lost_as_input(std::abs(a.Rb));
  a.overflows = std::max(std::abs(a.Wb), std::abs(a.Rb)) > m_.largest_input;
  a.terms = cell_.terms;
  a.grid = nothing ? std::min(lowest_bit(a.Wb), lowest_bit(a.Rb)) : no_grid;
  return a;
}

template <class Real>
auto RowSums<Real>::finite_sum(const Addends<Real>& addends, int row, const StepInput<Real>& in) const -> Set {
  Set result = preactivation(addends, errors_, tier_, m_);
  if (!in.x_products) return result;
  const Set products = oracle::sum(in.x_products[row], in.h_products[row]);
  return {result.centre, result.lo + (products.lo - products.centre), result.hi + (products.hi - products.centre),
          static_cast<std::uint8_t>(result.flags | products.flags)};
}

template <class Real>
auto RowSums<Real>::special_sum_of(int row, Share share, const StateProduct<Real>& h, const StepInput<Real>& in) const
    -> Set {
  if (in.x_products) {
    const Set products = oracle::sum(in.x_products[row], in.h_products[row]);
    const double bias = cell_.Wb[at(row)] + cell_.Rb[at(row)];
    if (products.is_finite() && is_ordinary(products.flags) && std::isinf(bias)) return Set::point(bias);
    return Set::anything(products.centre, products.flags);
  }
  const std::size_t r = at(row);
  SpecialAddends<Real> addends;
  addends.rows = cell_.rows;
  addends.absent_state = in.absent_state;
  if (share != Share::HOnly)
    addends.over_x = {cell_.W.data() + r, x_values_.data(), x_radius_, cell_.inputs, cell_.Wb[r]};
  if (share != Share::XOnly) addends.over_h = {cell_.R.data() + r, h.centre, h.radius, cell_.hidden, cell_.Rb[r]};
  const SpecialSum<Real> special = special_sum(addends, m_);
  if (!special.without_state) return special.set;
  Addends<Real> rest = share == Share::HOnly ? Addends<Real>{} : addends_of(row, Share::XOnly, h, in);
  rest.Rb = cell_.Rb[r];
  rest.lost += m_.lost_as_input(std::abs(rest.Rb));
  rest.terms = cell_.terms;
  rest.grid = no_grid;
  return preactivation(rest, errors_, tier_, m_).with(special.set.flags);
}

template <class Real>
auto RowSums<Real>::sum(int row, Share share, const StateProduct<Real>& h, const StepInput<Real>& in) const -> Set {
  Addends<Real> a = addends_of(row, share, h, in);
  a.whole = share == Share::Both && !in.x_products;
  return all_finite(a) ? finite_sum(a, row, in) : special_sum_of(row, share, h, in);
}

template <class Real>
auto RowSums<Real>::sum_with_peephole(int row, const StateProduct<Real>& h, const StepInput<Real>& in, const Set& C,
                                      double p) const -> Set {
  Addends<Real> a = addends_of(row, Share::Both, h, in);
  if (!all_finite(a) || !C.is_finite() || !std::isfinite(p)) {
    const bool absent = in.absent_state && cell_.absent_initial_c;
    return special_peephole(sum(row, Share::Both, h, in).to_infinity(), C, p, absent, m_);
  }
  a.whole = !in.x_products;
  a.peephole = static_cast<Real>(p) * C.centre;
  a.peephole_radius = std::abs(p) * C.radius();
  a.grid = std::min(a.grid, C.is_point() ? product_grid(lowest_bit(p), lowest_bit(C.centre)) : no_grid);
  a.lost += m_.lost_as_input(std::abs(p)) * C.magnitude();
  a.overflows = a.overflows || std::abs(p) > m_.largest_input;
  return finite_sum(a, row, in).with(C.flags);
}

template class RowSums<double>;
template class RowSums<Ball>;

}  // namespace cellproof::oracle
