#include "oracle/step/plain_lstm.hpp"

#include "oracle/at.hpp"
#include "oracle/step/each_width.hpp"
#include "oracle/step/plain_interval.hpp"

namespace cellproof::oracle {
namespace {

// Order of the gates in W and R.
constexpr int plain_i = 0, plain_o = 1, plain_f = 2, plain_c = 3;

/// One kind of set of all units.
struct SetRows {
  const double *centre, *lo, *hi;

  SetRows(const PlainSets& sets, int first)
      : centre(sets.centre.data() + first), lo(sets.lo.data() + first), hi(sets.hi.data() + first) {}
  PlainInterval at(int j) const { return {lo[j], hi[j]}; }
};

struct CellRows {
  SetRows i, f, g, before;
  const PlainMask *i_plain, *f_plain, *g_plain, *o_plain;
  double limit;  ///< of clip
};

/// As LstmStep::uncoupled_cell does it. `plains` holds already whether the cells before are plain.
CELLPROOF_FOR_EACH_WIDTH
void take_cells(const CellRows& in, const Arithmetic& m, int units, double* __restrict centres, double* __restrict los,
                double* __restrict his, PlainMask* __restrict plains) {
  for (int j = 0; j < units; ++j) {
    const PlainInterval i = in.i.at(j), f = in.f.at(j), g = in.g.at(j), before = in.before.at(j);
    const double centre = in.f.centre[j] * in.before.centre[j] + in.i.centre[j] * in.g.centre[j];
    const double intermediates = f.magnitude() * before.magnitude() + i.magnitude() * g.magnitude();
    const PlainInterval exact = f * before + i * g;
    const double magnitude = exact.magnitude();
    const PlainInterval c = exact.widened(elementwise_error<double>(intermediates, magnitude, m));
    const bool fits = (plain_greater(magnitude, intermediates) <= m.largest_elementwise) & (c.magnitude() < in.limit);
    const bool near = (plain_reach(centre, c) <= longest_sloped_reach) & (c.lo < centre) & (centre < c.hi);
    centres[j] = centre;
    los[j] = c.lo;
    his[j] = c.hi;
    plains[j] &= in.i_plain[j] & in.f_plain[j] & in.g_plain[j] & in.o_plain[j] & -static_cast<PlainMask>(fits & near);
  }
}

/// As LstmStep::output_of and LstmStep::least_rise do it.
CELLPROOF_FOR_EACH_WIDTH
void take_outputs(const SetRows& o, const SetRows& cells, const double* squashed, const Arithmetic& m, int units,
                  double* __restrict centres, double* __restrict los, double* __restrict his, double* __restrict rises,
                  PlainMask* __restrict plains) {
  for (int j = 0; j < units; ++j) {
    const PlainInterval gate = o.at(j), c = cells.at(j);
    const PlainInterval exact = gate * plain_image<ActivationKind::Tanh>(squashed[j], cells.centre[j], c, m);
    const double magnitude = exact.magnitude();
    const PlainInterval h = exact.widened(elementwise_error<double>(0, magnitude, m));
    const double least = least_slope<ActivationKind::Tanh>(squashed[j], plain_reach(cells.centre[j], c));
    const double rise = gate.lo * least * (1 - slack<double>);
    centres[j] = o.centre[j] * squashed[j];
    los[j] = h.lo;
    his[j] = h.hi;
    rises[j] = gate.lo > 0 ? plain_greater(0, rise) : 0;
    plains[j] &= -static_cast<PlainMask>((magnitude <= m.largest_elementwise) & (h.lo < h.hi));
  }
}

}  // namespace

bool PlainLstm::suits(const Cell& cell, const Arithmetic& m) {
  const bool is_usual = cell.op == Operator::LSTM && cell.coupling == Coupling::Uncoupled && cell.P.empty();
  if (!is_usual || cell.activation[2].kind != ActivationKind::Tanh) return false;
  return PlainGates::suits(cell, m, 0) && PlainGates::suits(cell, m, 1);
}

PlainLstm::PlainLstm(const Cell& cell, const Arithmetic& arithmetic, const SumErrors& errors, Tier tier)
    : plain(at(cell.units)),
      cells(at(cell.units)),
      outputs(at(cell.units)),
      rise(at(cell.units)),
      cell_(cell),
      m_(arithmetic),
      gates_(cell, arithmetic, errors, tier),
      before_(at(cell.units)),
      squashed_(at(cell.units)) {}

void PlainLstm::step(const Sums<double>& x, const Sums<double>& h, int x_grid, int h_grid,
                     const std::vector<Enclosure<double>>& before) {
  const int units = cell_.units;
  gates_.compute(0, plain_c * units, 0, x, h, x_grid, h_grid);
  gates_.compute(plain_c * units, cell_.rows, 1, x, h, x_grid, h_grid);
  for (std::size_t j = 0; j < at(units); ++j) {
    const Enclosure<double>& c = before[j];
    before_.centre[j] = c.centre;
    before_.lo[j] = c.lo;
    before_.hi[j] = c.hi;
    plain[j] = -static_cast<PlainMask>(c.flags == 0 && c.is_finite() && c.lo <= c.hi);
  }
  const auto gate = [&](int g) { return SetRows(gates_.sets, g * units); };
  const auto gate_plain = [&](int g) { return gates_.plain.data() + g * units; };
  const CellRows in{gate(plain_i),       gate(plain_f),       gate(plain_c),
                    SetRows(before_, 0), gate_plain(plain_i), gate_plain(plain_f),
                    gate_plain(plain_c), gate_plain(plain_o), plain_limit(cell_, m_)};
  take_cells(in, m_, units, cells.centre.data(), cells.lo.data(), cells.hi.data(), plain.data());
  plain_values(cell_.activation[2], cells.centre.data(), squashed_.data(), units);
  take_outputs(gate(plain_o), SetRows(cells, 0), squashed_.data(), m_, units, outputs.centre.data(), outputs.lo.data(),
               outputs.hi.data(), rise.data(), plain.data());
}

}  // namespace cellproof::oracle
