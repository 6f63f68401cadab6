// Many units at once give what one by one gives, to the last bit; and usual units are computed that way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "oracle/at.hpp"
#include "oracle/contract.hpp"
#include "oracle/step/gates_at_once.hpp"
#include "oracle/step/grid.hpp"
#include "oracle/step/plain_lstm.hpp"
#include "oracle/step/step_of.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/numbers.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/case_text.hpp"

namespace cellproof::oracle {
namespace {

using testing::f32;
using Set = Enclosure<double>;

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}
bool same(const Set& a, const Set& b) {
  return same(a.centre, b.centre) && same(a.lo, b.lo) && same(a.hi, b.hi) && a.flags == b.flags;
}
bool same(const Match& a, const Match& b) {
  return a.inside == b.inside && a.open == b.open && same(a.error, b.error) && same(a.bound, b.bound) &&
         same(a.ratio, b.ratio) && same(a.below, b.below) && same(a.above, b.above);
}

/// A step and what it works on.
struct Walk {
  Walk(const Cell& cell, const Arithmetic& arithmetic, Tier tier, Units units, const std::vector<Set>& start)
      : step(step_of<double>(cell, arithmetic, tier, units)), sets{start, {}, {}} {}

  std::unique_ptr<Step<double>> step;
  StepSets<double> sets;
};

/// Takes the first row of a problem through its steps, beginning with the engine's own state each time, in two ways.
void expect_the_same(const Problem& problem, const Arithmetic& arithmetic, Tier tier, bool damaged) {
  const auto outputs = testing::compute(problem);
  const testing::OwnTask own(problem, outputs, {}, arithmetic);
  const Task& task = own.task;
  if (!task.Y || task.layout.N == 0) return;
  const Layout& f = task.layout;
  const Cell cell = task.cell(0);

  std::vector<double> h, radius(at(f.H));
  std::vector<Set> start;
  for (std::int64_t j = 0; j < f.H; ++j) {
    h.push_back(task.initial_state_of_h(0, 0, j));
    start.push_back(Set::point(task.initial_state_of_c(0, 0, j)));
  }
  Walk together(cell, arithmetic, tier, Units::AtOnce, start);
  Walk single(cell, arithmetic, tier, Units::OneByOne, start);
  for (std::int64_t rank = 0; rank < f.lengths[0]; ++rank) {
    const std::int64_t t = f.time(0, 0, rank);
    std::vector<double> observed(task.Y->begin() + static_cast<std::ptrdiff_t>(f.y_offset(t, 0, 0)),
                                 task.Y->begin() + static_cast<std::ptrdiff_t>(f.y_offset(t, 0, 0) + at(f.H)));
    if (damaged) observed[at(rank % f.H)] *= 1 + 0x1p-10;
    const StepInput<double> in{task.X.data() + f.x_offset(t, 0), h.data(), radius.data(),
                               rank == 0 && task.initial_h.empty()};
    const double* const seen = rank % 5 == 4 ? nullptr : observed.data();
    together.step->take(in, seen, together.sets);
    single.step->take(in, seen, single.sets);
    for (std::size_t j = 0; j < at(f.H); ++j) {
      ASSERT_TRUE(same(together.sets.H[j], single.sets.H[j])) << "H of unit " << j << ", step " << rank;
      ASSERT_TRUE(same(together.sets.C[j], single.sets.C[j])) << "C of unit " << j << ", step " << rank;
      if (seen) {
        ASSERT_TRUE(same(together.sets.matches[j], single.sets.matches[j])) << "element " << j << ", step " << rank;
      }
      h[j] = observed[j];
      radius[j] = radius_behind(observed[j], arithmetic);
      if (!std::isfinite(h[j])) return;
    }
  }
}

/// Without what plain units do not have.
void make_usual(Case& c) {
  c.attributes.activations.reset();
  c.attributes.activation_alpha.reset();
  c.attributes.activation_beta.reset();
  c.attributes.input_forget.reset();
  if (c.version.op == Operator::LSTM) c.inputs[input::P].presence = Presence::Empty;
}

/// Everything that elements of this type are judged by, the default contract first.
std::vector<Arithmetic> arithmetics_of(ElementType type) {
  std::vector<Arithmetic> all{arithmetic_of(default_contract(type), type)};
  all.push_back(doubled(all.front()));
  all.push_back(all.front());
  all.back().activation_floor = 0;
  all.push_back(exact_arithmetic(type));
  for (const ContractId id : all_contracts())
    if (applies_to(id, type)) all.push_back(arithmetic_of(id, type));
  return all;
}

class PlainUnits : public ::testing::TestWithParam<std::tuple<Operator, ElementType>> {};

TEST_P(PlainUnits, GiveWhatOneByOneGives) {
  const auto [op, type] = GetParam();
  const std::vector<Arithmetic> all = arithmetics_of(type);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Case c = testing::drawn_case(op, type, seed);
    if (seed % 2 == 0) make_usual(c);
    const Problem problem = make_problem(c);
    const Tier tier = seed % 3 == 0 ? Tier::Certified : Tier::Running;
    for (const bool damaged : {false, true}) {
      SCOPED_TRACE(to_text(c));
      expect_the_same(problem, all.front(), tier, damaged);
      expect_the_same(problem, all[seed / 2 % all.size()], tier, damaged);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryType, PlainUnits,
                         ::testing::Combine(::testing::Values(Operator::LSTM, Operator::GRU, Operator::RNN),
                                            ::testing::Values(ElementType::Float, ElementType::Float16,
                                                              ElementType::BFloat16, ElementType::Double)),
                         [](const auto& parameter) {
                           return std::string(name(std::get<0>(parameter.param))) + "_" +
                                  std::string(onnx_name(std::get<1>(parameter.param)));
                         });

/// A GRU whose reset gate stands at a jump, while its candidate is as usual: what the candidate is made of is not.
TEST(PlainUnits, TellWhatStoodAtAJumpBefore) {
  Case c = plain_case(newest(Operator::GRU), ElementType::Float, 1, 1, 1, 1);
  c.attributes.activations = {{"ThresholdedRelu", "Tanh"}};
  const float at_the_jump = 1e-9F + 2e-9F;  // so low that the candidate hardly notices
  c.attributes.activation_alpha = {{at_the_jump}};
  c.inputs[input::B].presence = Presence::Given;
  c.inputs[input::initial_h].presence = Presence::Given;
  Problem problem = make_problem(c);
  const auto fill = [&](std::size_t position, const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k)
      problem.inputs[position].tensor->set_value(k, static_cast<float>(values[k]));
  };
  fill(input::X, {1});
  fill(input::initial_h, {0.7});
  fill(input::W, {0.9, 1e-9, 0.3});  // z, r, h
  fill(input::R, {0, 0, 0.6});
  fill(input::B, {0, 2e-9, 0.05, 0, 0, 0});
  expect_the_same(problem, f32, Tier::Running, false);

  const auto outputs = testing::compute(problem);
  const testing::OwnTask own(problem, outputs, {}, f32);
  const Cell cell = own.task.cell(0);
  const double x = 1, h = static_cast<double>(0.7F), exact = 0;
  Walk walk(cell, f32, Tier::Running, Units::AtOnce, {});
  walk.step->take({&x, &h, &exact, false}, nullptr, walk.sets);
  EXPECT_TRUE(walk.sets.H[0].has(is_branched));
}

/// Some LSTM units with weights that are no short numbers, and what a step of them needs.
struct SomeUnits {
  static constexpr int hidden = 5, rows = 4 * hidden;
  Cell cell;
  std::vector<Set> before;
  double x = 0.7;

  SomeUnits() {
    cell.op = Operator::LSTM;
    cell.inputs = 1;
    cell.hidden = cell.units = hidden;
    cell.gates = 4;
    cell.rows = rows;
    cell.terms = 1 + hidden + 5;
    for (int r = 0; r < rows; ++r) {
      cell.W.push_back(static_cast<double>(static_cast<float>(0.3 + 0.01 * r)));
      cell.Wb.push_back(static_cast<double>(static_cast<float>(0.2 - 0.03 * r)));
      cell.Rb.push_back(0);
    }
    cell.R.assign(rows * hidden, 0.125);
    cell.activation = {Activation{ActivationKind::Sigmoid, 0, 0, true}, Activation{ActivationKind::Tanh, 0, 0, true},
                       Activation{ActivationKind::Tanh, 0, 0, true}};
    cell.summarise_weights();
    before.assign(hidden, Set::point(0.25));
  }

  /// Number of units that are plain.
  int plain() const {
    if (!PlainLstm::suits(cell, f32)) return 0;
    const SumErrors errors(cell.terms, f32.u_accumulate);
    PlainLstm units(cell, f32, errors, Tier::Running);
    Sums<double> of_x, of_h;
    const std::vector<double> zeros(rows, 0), state(hidden, 0);
    of_x.reset(rows);
    of_h.reset(rows);
    add_products({cell.W.data(), rows, 0, rows, 1}, &x, nullptr, zeros.data(), of_x);
    add_products({cell.R.data(), rows, 0, rows, hidden}, state.data(), nullptr, of_x.value.data(), of_h);
    units.step(of_x, of_h, lowest_bit(x), any_grid, before);
    return static_cast<int>(std::ranges::count_if(units.plain, [](PlainMask m) { return m != 0; }));
  }
};

TEST(PlainUnit, IsAUsualOne) {
  EXPECT_EQ(SomeUnits().plain(), SomeUnits::hidden);
}

TEST(PlainUnit, OfGatesAloneIsComputedAtOnceUnlessOneByOneIsAskedFor) {
  SomeUnits units;
  const SumErrors errors(units.cell.terms, f32.u_accumulate);
  const std::vector<double> zeros(SomeUnits::rows, 0);
  Sums<double> of_x, of_h;
  of_x.reset(SomeUnits::rows);
  of_h.reset(SomeUnits::rows);
  add_products({units.cell.W.data(), SomeUnits::rows, 0, SomeUnits::rows, 1}, &units.x, nullptr, zeros.data(), of_x);
  for (const Units how : {Units::AtOnce, Units::OneByOne}) {
    GatesAtOnce<double> gates(units.cell, f32, errors, Tier::Running, how);
    gates.compute(1, 0, of_x, of_h, lowest_bit(units.x), any_grid);
    for (int row = 0; row < SomeUnits::rows; ++row) {
      const bool is_of_gate = row / SomeUnits::hidden == 1;
      EXPECT_EQ(gates[row].has_value(), is_of_gate && how == Units::AtOnce) << "row " << row;
    }
  }
}

TEST(PlainUnit, IsNoneThatClipMayTouch) {
  SomeUnits units;
  units.cell.clip = 0.35;
  EXPECT_LT(units.plain(), SomeUnits::hidden);
  units.cell.clip = 1e-3;
  EXPECT_EQ(units.plain(), 0);
  units.cell.clip = 100;
  EXPECT_EQ(units.plain(), SomeUnits::hidden);
}

TEST(PlainUnit, IsNoneOfWhichASumMayBeExact) {
  SomeUnits units;
  units.cell.W.assign(SomeUnits::rows, 0.5);
  units.cell.Wb.assign(SomeUnits::rows, 0.25);
  units.cell.summarise_weights();
  units.x = 1;
  EXPECT_EQ(units.plain(), 0);
}

TEST(PlainUnit, IsNoneThatIsOutOfTheOrdinary) {
  const double infinity = std::numeric_limits<double>::infinity();
  SomeUnits special;
  special.before[1] = Set::nan();
  special.before[2] = {0, -1, 1, 0};
  special.before[3] = Set::point(infinity);
  special.before[4].flags = is_grazing;
  EXPECT_EQ(special.plain(), 1);
  for (const double x : {infinity, std::numeric_limits<double>::quiet_NaN(), 3e38}) {
    SomeUnits units;
    units.x = x;
    units.cell.W.assign(SomeUnits::rows, 2);
    EXPECT_EQ(units.plain(), 0) << x;
  }
}

TEST(PlainUnit, HasNeitherPeepholesNorCoupledGatesNorOtherFunctions) {
  SomeUnits peephole, coupled, other;
  peephole.cell.P.assign(3 * SomeUnits::hidden, 0.1);
  coupled.cell.coupling = Coupling::InputLeads;
  other.cell.activation[2].kind = ActivationKind::Softsign;
  for (const SomeUnits* units : {&peephole, &coupled, &other}) EXPECT_EQ(units->plain(), 0);
}

}  // namespace
}  // namespace cellproof::oracle
