#include "oracle/forward/rnn_forward.hpp"

namespace cellproof::oracle {

template <class Real>
RnnForward<Real>::RnnForward(const Cell& cell, const Arithmetic& arithmetic, Tier tier)
    : Base(cell, arithmetic, tier),
      R_(cell.R, cell.rows, 0, cell.rows, cell.hidden),
      arguments_(at(cell.rows)),
      linear_(at(cell.rows)),
      h_sums_(at(cell.hidden)) {}

template <class Real>
void RnnForward<Real>::move(std::span<Panel> panels) {
  multiply(R_, panels, products_);
  for (std::size_t k = 0; k < panels.size(); ++k) move(panels[k], products_[k]);
}

template <class Real>
void RnnForward<Real>::move(Panel& panel, PanelProducts& products) {
  for (int j = 0; j < cell_.hidden; ++j) {
    const std::size_t row = at(j) * panel_width;
    for (std::size_t k = row; k < row + panel_width; ++k) panel.h[k] = arguments_[at(j)].slope * products[k];
  }
  add_magnitudes(products.data(), cell_.hidden, linear_.data());
  add_magnitudes(panel.h, cell_.hidden, h_sums_.data());
}

template <class Real>
void RnnForward<Real>::finish(int j, ForwardState<Real>& state) {
  const double linear = this->up(linear_[at(j)]);
  const Line<Real> value = this->line(0, arguments_[at(j)], linear, true);
  if (failed_) return;
  const double own = value.own + this->of_rounding * std::abs(value.slope) * linear;
  this->end_at(value.value, h_sums_[at(j)], own, j, state);
}

template <class Real>
bool RnnForward<Real>::take(StepInput<Real> in, ForwardState<Real>& state) {
  failed_ = false;
  this->state_reach_ = 0;
  this->note_reach(state.h_radius);
  in.h = state.h.data();
  in.h_radius = state.h_radius.data();
  this->take_x(in.x, in.x_radius);
  this->take_state(in.h, in.h_radius, h_);
  sums_.multiply(h_, 0, cell_.rows, true);
  for (int j = 0; j < cell_.hidden; ++j) {
    const Set sum = sums_.sum(j, Share::Both, h_, in);
    arguments_[at(j)] = this->argument_of(sum, h_.sums.spread[at(j)], this->slope(0, sum.centre, true));
  }
  if (failed_) return false;
  for (auto* sums : {&linear_, &h_sums_}) std::ranges::fill(*sums, 0);
  state.symbols.advance([this](std::span<Panel> panels) { move(panels); });
  for (int j = 0; j < cell_.hidden && !failed_; ++j) finish(j, state);
  return !failed_;
}

template class RnnForward<double>;
template class RnnForward<Ball>;

}  // namespace cellproof::oracle
