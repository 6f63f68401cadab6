#include "oracle/forward/lstm_forward.hpp"

#include <limits>

namespace cellproof::oracle {
namespace {

// Order of the gates in W, R and B (i o f c) and of the peepholes in P (i o f).
constexpr int gate_i = 0, gate_o = 1, gate_f = 2, gate_c = 3;

}  // namespace

template <class Real>
LstmForward<Real>::LstmForward(const Cell& cell, const std::vector<double>& R, const Arithmetic& arithmetic, Tier tier)
    : Base(cell, arithmetic, tier),
      R_(R, cell.rows, 0, cell.rows, cell.hidden),
      arguments_(at(cell.rows)),
      units_(at(cell.hidden)),
      linear_(at(cell.rows)),
      h_sums_(at(cell.hidden)),
      c_sums_(at(cell.hidden)) {
  this->C.resize(at(cell.hidden));
}

template <class Real>
bool LstmForward<Real>::is_computed(int gate) const {
  return !(gate == gate_i && cell_.coupling == Coupling::ForgetLeads) &&
         !(gate == gate_f && cell_.coupling == Coupling::InputLeads);
}

template <class Real>
auto LstmForward<Real>::cell_of(double i, double f, double g, double c, int j) const -> Unit {
  const auto slope_at = [&](int gate) { return arguments_[at(gate * cell_.hidden + j)].slope; };
  Unit u;
  u.of_c = f;
  u.of_g = i * slope_at(gate_c);
  switch (cell_.coupling) {
    case Coupling::Uncoupled:
      u.of_i = g * slope_at(gate_i);
      u.of_f = c * slope_at(gate_f);
      break;
    case Coupling::InputLeads:
      u.of_i = (g - c) * slope_at(gate_i);
      break;
    case Coupling::ForgetLeads:
      u.of_f = (c - g) * slope_at(gate_f);
      break;
  }
  return u;
}

template <class Real>
void LstmForward<Real>::find_arguments(const StepInput<Real>& in, const ForwardState<Real>& state) {
  const double clip = cell_.clip.value_or(std::numeric_limits<double>::infinity());
  const auto clipped = [clip](double x) { return std::clamp(x, -clip, clip); };
  for (int j = 0; j < cell_.hidden; ++j) {
    const auto find = [&](int gate, const Set& C, double cell_radius) {
      const int row = gate * cell_.hidden + j, slot = gate == gate_c ? 1 : 0;
      const Set sum = gate == gate_c ? sums_.sum(row, Share::Both, h_, in) : this->gate_sum(in, gate, j, C);
      const double seen = gate == gate_c ? 0 : std::abs(peephole(gate, j)) * cell_radius;
      arguments_[at(row)] = this->argument_of(sum, h_.sums.spread[at(row)] + seen, this->slope(slot, sum.centre, true));
      return value_of(cell_.activation[at(slot)], clipped(static_cast<double>(sum.centre)));
    };
    const double radius = state.c_radius[at(j)], c = static_cast<double>(state.c[at(j)]);
    const Set before = this->set_around(state.c[at(j)], radius);
    double i = is_computed(gate_i) ? find(gate_i, before, radius) : 0;
    double f = is_computed(gate_f) ? find(gate_f, before, radius) : 0;
    if (!is_computed(gate_i)) i = 1 - f;
    if (!is_computed(gate_f)) f = 1 - i;
    const double g = find(gate_c, before, radius);
    Unit u = cell_of(i, f, g, c, j);
    double cell = f * c + i * g;
    if (cell_.clip_scope == ClipScope::StoredCell) {
      u.stands = std::abs(cell) >= clip;
      cell = clipped(cell);
    }
    const bool clips = this->clips_argument_of_h();
    const double o = find(gate_o, Set::point(static_cast<Real>(cell)), 0);
    u.slope_of_h = this->slope(2, static_cast<Real>(cell), clips);
    u.of_cell = o * u.slope_of_h;
    u.of_o =
        value_of(cell_.activation[2], clips ? clipped(cell) : cell) * arguments_[at(gate_o * cell_.hidden + j)].slope;
    units_[at(j)] = u;
  }
}

template <class Real>
void LstmForward<Real>::move(std::span<Panel> panels) {
  multiply(R_, panels, products_);
  for (std::size_t k = 0; k < panels.size(); ++k) move(panels[k], products_[k]);
}

template <class Real>
void LstmForward<Real>::move(Panel& panel, PanelProducts& products) {
  for (int j = 0; j < cell_.hidden; ++j) {
    const Unit& u = units_[at(j)];
    double* h = panel.h + at(j) * panel_width;
    double* c = panel.c + at(j) * panel_width;
    const auto row = [&](int gate) { return products.data() + at(gate * cell_.hidden + j) * panel_width; };
    double *const i = row(gate_i), *const o = row(gate_o), *const f = row(gate_f), *const g = row(gate_c);
    const double p_i = peephole(gate_i, j), p_f = peephole(gate_f, j), p_o = peephole(gate_o, j);
    for (int k = 0; k < panel_width; ++k) {
      i[k] += p_i * c[k];
      f[k] += p_f * c[k];
      c[k] = u.stands ? 0 : u.of_c * c[k] + u.of_g * g[k] + u.of_i * i[k] + u.of_f * f[k];
      o[k] += p_o * c[k];
      h[k] = u.of_cell * c[k] + u.of_o * o[k];
    }
  }
  add_magnitudes(products.data(), cell_.rows, linear_.data());
  add_magnitudes(panel.h, cell_.hidden, h_sums_.data());
  add_magnitudes(panel.c, cell_.hidden, c_sums_.data());
}

template <class Real>
double LstmForward<Real>::cell_error(const Line<Real>& i, const Line<Real>& f, const Line<Real>& g, const Set& before,
                                     Real& centre) {
  const bool is_free = cell_.coupling == Coupling::Uncoupled, by_i = cell_.coupling == Coupling::InputLeads;
  const Set lead = by_i ? i.set() : f.set(), at_zero = by_i ? before : g.set(), at_one = by_i ? g.set() : before;
  const Set honest =
      is_free ? this->uncoupled_cell(i.set(), f.set(), g.set(), before) : this->coupled_cell(lead, at_zero, at_one);
  const Set ideal = is_free ? sum(product(f.set(), before), product(i.set(), g.set())) : blend(lead, at_zero, at_one);
  if (!this->is_usable(honest)) failed_ = true;
  centre = honest.centre;
  return this->beyond(honest, ideal);
}

template <class Real>
double LstmForward<Real>::clip_cell(const Unit& u, double linear, double gates, double own, Real& cell) {
  const Set over = this->set_around(cell, this->up((u.stands ? gates : linear) + own));
  const Set kept = this->clipped(over);
  if (!this->is_usable(kept)) failed_ = true;
  if (!u.stands && kept.lo == over.lo && kept.hi == over.hi) return own;
  cell = kept.centre;
  return std::max({0.0, upper(Real(kept.hi - cell)), upper(Real(cell - kept.lo))}) + linear;
}

template <class Real>
double LstmForward<Real>::take_cell(int j, const ForwardState<Real>& state, Real& cell) {
  const double r = state.c_radius[at(j)], c = static_cast<double>(state.c[at(j)]);
  const Unit& u = units_[at(j)];
  const auto line_of = [&](int gate, int slot) {
    const std::size_t row = at(gate * cell_.hidden + j);
    return this->line(slot, arguments_[row], this->up(linear_[row]), true);
  };
  const auto linear = [&](int gate) { return linear_[at(gate * cell_.hidden + j)]; };
  Line<Real> i, f;
  const Line<Real> g = line_of(gate_c, 1);
  if (is_computed(gate_i)) i = line_of(gate_i, 0);
  if (is_computed(gate_f)) f = line_of(gate_f, 0);
  if (failed_) return 0;
  if (!is_computed(gate_i)) i.value = 1 - f.value;
  if (!is_computed(gate_f)) f.value = 1 - i.value;

  double own = cell_error(i, f, g, this->set_around(state.c[at(j)], r), cell) + std::abs(i.near()) * g.own;
  if (cell_.coupling == Coupling::Uncoupled) {
    own += std::abs(g.near()) * i.own + std::abs(c) * f.own + f.reach * r + i.reach * g.reach;
  } else {
    const Line<Real>& lead = cell_.coupling == Coupling::InputLeads ? i : f;
    own += std::abs(g.near() - c) * lead.own + lead.reach * (r + g.reach);
  }
  const Unit again = cell_of(i.near(), f.near(), g.near(), c, j);
  own += std::abs(u.of_c - again.of_c) * r + std::abs(u.of_g - again.of_g) * linear(gate_c) +
         std::abs(u.of_i - again.of_i) * linear(gate_i) + std::abs(u.of_f - again.of_f) * linear(gate_f);
  const double gates = std::abs(f.near()) * r + std::abs(i.near()) * g.reach +
                       std::abs(g.near()) * (i.reach + f.reach) + std::abs(c) * (f.reach + i.reach);
  own += this->of_rounding * gates;
  if (cell_.clip_scope == ClipScope::StoredCell && cell_.clip)
    return clip_cell(u, this->up(c_sums_[at(j)]), gates, own, cell);
  return own;
}

template <class Real>
void LstmForward<Real>::finish(const StepInput<Real>& in, int j, ForwardState<Real>& state) {
  const Unit& u = units_[at(j)];
  Real cell{};
  double own = take_cell(j, state, cell);
  if (failed_) return;
  own = this->up(own + this->take_reference(cell, state.c[at(j)]));
  const double r = this->up(c_sums_[at(j)] + own);
  const Set after = this->C[at(j)] = this->set_around(state.c[at(j)], r);

  // The output gate may look at the new cell.
  const std::size_t row = at(gate_o * cell_.hidden + j);
  const double p = peephole(gate_o, j), linear_o = this->up(linear_[row] + std::abs(p) * own);
  Argument<Real>& of_o = arguments_[row];
  if (!cell_.P.empty())
    of_o = this->argument_of(this->gate_sum(in, gate_o, j, after), h_.sums.spread[row] + std::abs(p) * r, of_o.slope);
  const Line<Real> o = this->line(0, of_o, linear_o, true);
  const Line<Real> squashed = this->line(2, {after.centre, 0, u.slope_of_h, 0}, r, this->clips_argument_of_h());
  if (failed_) return;
  const Set honest = this->output_from(o.set(), squashed.set());
  if (!this->is_usable(honest)) failed_ = true;
  const double own_h = this->beyond(honest, product(o.set(), squashed.set())) + std::abs(o.near()) * squashed.own +
                       std::abs(squashed.near()) * o.own + o.reach * squashed.reach +
                       std::abs(u.of_cell - o.near() * u.slope_of_h) * r +
                       std::abs(u.of_o - squashed.near() * of_o.slope) * linear_o +
                       this->of_rounding * (std::abs(o.near()) * squashed.reach + std::abs(squashed.near()) * o.reach);
  const double through_cell = (u.of_cell + u.of_o * p) * own;
  this->end_at(honest.centre, h_sums_[at(j)] + std::abs(through_cell), own_h, j, state);
  state.symbols.cell_c[at(j)] = own;
  state.symbols.cell_h[at(j)] = through_cell;
  state.c_radius[at(j)] = r;
}

template <class Real>
void LstmForward<Real>::begin(const StepInput<Real>& in, const ForwardState<Real>& state) {
  failed_ = false;
  this->state_reach_ = 0;
  this->note_reach(state.h_radius);
  this->take_x(in.x, in.x_radius);
  this->take_state(in.h, in.h_radius, h_);
  sums_.multiply(h_, 0, cell_.rows, true);
}

template <class Real>
bool LstmForward<Real>::go_through(const StepInput<Real>& in, ForwardState<Real>& state) {
  find_arguments(in, state);
  if (failed_) return false;
  for (auto* sums : {&linear_, &h_sums_, &c_sums_}) std::ranges::fill(*sums, 0);
  state.symbols.advance([this](std::span<Panel> panels) { move(panels); });
  for (int j = 0; j < cell_.hidden && !failed_; ++j) finish(in, j, state);
  return !failed_;
}

template <class Real>
bool LstmForward<Real>::take(StepInput<Real> in, ForwardState<Real>& state) {
  in.h = state.h.data();
  in.h_radius = state.h_radius.data();
  begin(in, state);
  return go_through(in, state);
}

template class LstmForward<double>;
template class LstmForward<Ball>;

}  // namespace cellproof::oracle
