#include "oracle/forward/gru_forward.hpp"

#include <limits>

namespace cellproof::oracle {
namespace {

// Order of the gates in W, R and B.
constexpr int gate_z = 0, gate_r = 1, gate_h = 2;

}  // namespace

template <class Real>
GruForward<Real>::GruForward(const Cell& cell, const Arithmetic& arithmetic, Tier tier)
    : Base(cell, arithmetic, tier),
      gates_(cell.R, cell.rows, 0, gate_h * cell.hidden, cell.hidden),
      R_h_(cell.R, cell.rows, gate_h * cell.hidden, cell.rows, cell.hidden),
      arguments_(at(cell.rows)),
      units_(at(cell.hidden)),
      linear_(at(cell.rows)),
      inner_sums_(at(cell.hidden)),
      h_sums_(at(cell.hidden)),
      reset_centre_(at(cell.hidden)),
      reset_radius_(at(cell.hidden)),
      reset_own_(at(cell.hidden)) {}

template <class Real>
void GruForward<Real>::find_arguments(const StepInput<Real>& in, const ForwardState<Real>& state) {
  const double clip = cell_.clip.value_or(std::numeric_limits<double>::infinity());
  const auto value = [&](int slot, const Real& x) {
    return value_of(cell_.activation[at(slot)], std::clamp(static_cast<double>(x), -clip, clip));
  };
  for (int j = 0; j < cell_.hidden; ++j) {
    Unit& u = units_[at(j)];
    std::array<double, 2> gates{};
    for (const int gate : {gate_z, gate_r}) {
      const Set sum = sums_.sum(static_cast<int>(row(gate, j)), Share::Both, h_, in);
      arguments_[row(gate, j)] = this->argument_of(sum, h_.sums.spread[row(gate, j)], this->slope(0, sum.centre, true));
      gates[at(gate)] = value(0, sum.centre);
    }
    u.of_h = gates[gate_z];
    u.of_inner = gates[gate_r];
    u.of_r = arguments_[row(gate_r, j)].slope;
    u.of_z = arguments_[row(gate_z, j)].slope;
    reset_centre_[at(j)] = static_cast<Real>(u.of_inner) * state.h[at(j)];
    if constexpr (carries_its_error<Real>) reset_centre_[at(j)] = midpoint(reset_centre_[at(j)]);
  }
  StateProduct<Real>& factor = cell_.linear_before_reset ? h_ : reset_;
  if (!cell_.linear_before_reset) {
    std::ranges::fill(reset_radius_, 0);
    this->take_state(reset_centre_.data(), reset_radius_.data(), reset_);
    sums_.multiply(reset_, gate_h * cell_.hidden, cell_.rows, true);
  }
  for (int j = 0; j < cell_.hidden; ++j) {
    Unit& u = units_[at(j)];
    const int r = static_cast<int>(row(gate_h, j));
    const Real h = state.h[at(j)];
    Real a;
    if (cell_.linear_before_reset) {
      const Real inner = sums_.sum(r, Share::HOnly, factor, in).centre;
      a = sums_.sum(r, Share::XOnly, factor, in).centre + static_cast<Real>(u.of_inner) * inner;
      u.of_r *= static_cast<double>(inner);
    } else {
      a = sums_.sum(r, Share::Both, factor, in).centre;
      u.of_r *= static_cast<double>(h);
    }
    const double slope = this->slope(1, a, true);
    arguments_[row(gate_h, j)].slope = slope;
    u.of_candidate = (1 - u.of_h) * slope;
    u.of_z *= static_cast<double>(h) - value(1, a);
  }
}

template <class Real>
void GruForward<Real>::move(std::span<Panel> panels) {
  multiply(gates_, panels, products_);
  if (cell_.linear_before_reset)
    multiply(R_h_, panels, candidates_);
  else
    multiply_reset(panels);
  for (std::size_t k = 0; k < panels.size(); ++k) move(panels[k], products_[k], candidates_[k]);
}

template <class Real>
void GruForward<Real>::multiply_reset(std::span<const Panel> panels) {
  reset_panels_.resize(panels.size());
  std::vector<Panel> reset;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    reset_panels_[p].resize(at(cell_.hidden) * panel_width);
    for (int j = 0; j < cell_.hidden; ++j) {
      const Unit& u = units_[at(j)];
      const double* const h = panels[p].h + at(j) * panel_width;
      const double* const r = products_[p].data() + row(gate_r, j) * panel_width;
      double* const to = reset_panels_[p].data() + at(j) * panel_width;
      for (int k = 0; k < panel_width; ++k) to[k] = u.of_inner * h[k] + u.of_r * r[k];
    }
    reset.push_back({reset_panels_[p].data(), nullptr});
    add_magnitudes(reset.back().h, cell_.hidden, inner_sums_.data());
  }
  multiply(R_h_, reset, candidates_);
}

template <class Real>
void GruForward<Real>::move(Panel& panel, PanelProducts& products, PanelProducts& candidates) {
  const int hidden = cell_.hidden;
  const auto row_of = [](auto& list, int r) { return list.data() + at(r) * panel_width; };
  if (cell_.linear_before_reset) add_magnitudes(candidates.data(), hidden, inner_sums_.data());
  for (int j = 0; j < hidden; ++j) {
    const Unit& u = units_[at(j)];
    double *const h = panel.h + at(j) * panel_width, *const a = row_of(candidates, j);
    const double *z = row_of(products, gate_z * hidden + j), *r = row_of(products, gate_r * hidden + j);
    for (int k = 0; k < panel_width; ++k) {
      if (cell_.linear_before_reset) a[k] = u.of_inner * a[k] + u.of_r * r[k];
      h[k] = u.of_h * h[k] + u.of_candidate * a[k] + u.of_z * z[k];
    }
  }
  add_magnitudes(products.data(), gate_h * hidden, linear_.data());
  add_magnitudes(candidates.data(), hidden, linear_.data() + gate_h * hidden);
  add_magnitudes(panel.h, hidden, h_sums_.data());
}

template <class Real>
void GruForward<Real>::reset(const StepInput<Real>& in, const ForwardState<Real>& state) {
  for (int j = 0; j < cell_.hidden && !failed_; ++j) {
    const Unit& u = units_[at(j)];
    const double radius = in.h_radius[j], h = static_cast<double>(state.h[at(j)]);
    const Line<Real> r = line_of(gate_r, j);
    if (failed_) return;
    const Set before = this->set_around(state.h[at(j)], radius);
    const Set honest = this->reset_of(r.set(), before);
    if (!this->is_usable(honest)) failed_ = true;
    double own = this->beyond(honest, product(r.set(), before)) + std::abs(h) * r.own + r.reach * radius +
                 std::abs(u.of_inner - r.near()) * radius + std::abs(u.of_r - h * r.slope) * linear_[row(gate_r, j)] +
                 this->of_rounding * (std::abs(h) * r.reach + std::abs(r.near()) * radius);
    own += this->take_reference(honest.centre, reset_centre_[at(j)]);
    reset_own_[at(j)] = this->up(own);
    reset_radius_[at(j)] = this->up(inner_sums_[at(j)] + reset_own_[at(j)]);
  }
  this->note_reach(reset_radius_);
  this->take_state(reset_centre_.data(), reset_radius_.data(), reset_);
  sums_.multiply(reset_, gate_h * cell_.hidden, cell_.rows, true);
}

template <class Real>
auto GruForward<Real>::candidate_after_reset(const StepInput<Real>& in, int j) -> Argument<Real> {
  const std::size_t r = row(gate_h, j);
  const Set sum = sums_.sum(static_cast<int>(r), Share::Both, reset_, in);
  Argument<Real> a = this->argument_of(sum, reset_.sums.spread[r], arguments_[r].slope);
  for (int k = 0; k < cell_.hidden; ++k) a.own += std::abs(cell_.R[at(k) * at(cell_.rows) + r]) * reset_own_[at(k)];
  a.own = this->up(a.own);
  return a;
}

template <class Real>
auto GruForward<Real>::candidate_before_reset(const StepInput<Real>& in, int j) -> Argument<Real> {
  const std::size_t row_h = row(gate_h, j);
  const Unit& u = units_[at(j)];
  const Set from_x = sums_.sum(static_cast<int>(row_h), Share::XOnly, h_, in);
  const Set product_h = sums_.sum(static_cast<int>(row_h), Share::HOnly, h_, in);
  if (!this->is_usable(from_x)) failed_ = true;
  Line<Real> inner{product_h.centre, 1, this->own_of(product_h, h_.sums.spread[row_h]), 0};
  inner.reach = this->up(inner_sums_[at(j)] + inner.own);
  const Line<Real> r = line_of(gate_r, j);
  if (failed_) return {};
  const Set honest = this->scaled_sum(from_x, r.set(), inner.set());
  if (!this->is_usable(honest)) failed_ = true;
  const Set ideal = sum(from_x, product(r.set(), inner.set()));
  const double own = this->beyond(honest, ideal) + from_x.radius() + std::abs(r.near()) * inner.own +
                     std::abs(inner.near()) * r.own + r.reach * inner.reach +
                     std::abs(u.of_inner - r.near()) * inner_sums_[at(j)] +
                     std::abs(u.of_r - inner.near() * r.slope) * linear_[row(gate_r, j)] +
                     this->of_rounding * (std::abs(r.near()) * inner.reach + std::abs(inner.near()) * r.reach);
  return {honest.centre, this->up(own), arguments_[row_h].slope, 0};
}

template <class Real>
void GruForward<Real>::finish(const StepInput<Real>& in, int j, ForwardState<Real>& state) {
  const Unit& u = units_[at(j)];
  const Argument<Real> a = cell_.linear_before_reset ? candidate_before_reset(in, j) : candidate_after_reset(in, j);
  if (failed_) return;
  const double linear = this->up(linear_[row(gate_h, j)]), radius = state.h_radius[at(j)];
  const Line<Real> candidate = this->line(1, a, linear, true), z = line_of(gate_z, j);
  if (failed_) return;
  const Set before = this->set_around(state.h[at(j)], radius);
  const Set honest = this->blended(z.set(), candidate.set(), before);
  if (!this->is_usable(honest)) failed_ = true;
  const double h = static_cast<double>(state.h[at(j)]), rest = 1 - z.near(), apart = h - candidate.near();
  double own = this->beyond(honest, blend(z.set(), candidate.set(), before)) + std::abs(rest) * candidate.own +
               std::abs(apart) * z.own + z.reach * (candidate.reach + radius) + std::abs(u.of_h - z.near()) * radius +
               std::abs(u.of_candidate - rest * candidate.slope) * linear +
               std::abs(u.of_z - apart * z.slope) * linear_[row(gate_z, j)] +
               this->of_rounding * ((1 + std::abs(z.near())) * (radius + candidate.reach) +
                                    (std::abs(h) + std::abs(candidate.near())) * z.reach);
  this->end_at(honest.centre, h_sums_[at(j)], own, j, state);
}

template <class Real>
bool GruForward<Real>::take(StepInput<Real> in, ForwardState<Real>& state) {
  failed_ = false;
  this->state_reach_ = 0;
  this->note_reach(state.h_radius);
  const std::vector<double> radius = state.h_radius;  // those of the units that are taken first are replaced
  const std::vector<Real> before = state.h;
  in.h = before.data();
  in.h_radius = radius.data();
  this->take_x(in.x, in.x_radius);
  this->take_state(in.h, in.h_radius, h_);
  sums_.multiply(h_, 0, gate_h * cell_.hidden, true);
  if (cell_.linear_before_reset) sums_.multiply(h_, gate_h * cell_.hidden, cell_.rows, false);
  find_arguments(in, state);
  if (failed_) return false;
  for (auto* sums : {&linear_, &inner_sums_, &h_sums_}) std::ranges::fill(*sums, 0);
  state.symbols.advance([this](std::span<Panel> panels) { move(panels); });
  if (!cell_.linear_before_reset) reset(in, state);
  for (int j = 0; j < cell_.hidden && !failed_; ++j) finish(in, j, state);
  return !failed_;
}

template class GruForward<double>;
template class GruForward<Ball>;

}  // namespace cellproof::oracle
