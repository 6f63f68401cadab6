#include "lab/calibration/precisions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "lab/mutants/precision_kinds.hpp"
#include "lab/zoo/zoo.hpp"
#include "oracle/decide.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/case.hpp"
#include "spec/contract.hpp"

namespace cellproof::lab {
namespace {

TEST(PrecisionKinds, AreLabelledWithWhatTheOracleCanSay) {
  std::set<std::string> ids;
  for (const mutants::PrecisionKind& kind : mutants::precision_kinds()) {
    EXPECT_TRUE(ids.insert(kind.id).second) << kind.id;
    for (const std::string& named : kind.right)
      EXPECT_TRUE(contract_named(named) || oracle::fault_named(named)) << kind.id << ": " << named;
  }
  EXPECT_GE(ids.size(), 40U);
}

TEST(LabelledSet, IsNamedRightlyNineteenTimesInTwenty) {
  const LabelledSet set = judge_labelled(4);
  EXPECT_GE(20 * set.right(), 19 * (set.right() + set.wrong()));
  EXPECT_GE(set.right(), 250) << "an oracle that names nothing names nothing wrongly";
  std::int64_t of_damage = 0;
  for (const LabelledRow& row : set.rows) {
    if (!row.kind.starts_with("one-")) continue;
    EXPECT_TRUE(row.wrong.empty()) << row.kind << ": " << row.wrong_lines.front();
    of_damage += row.unnamed;
  }
  EXPECT_GE(of_damage, 60);
}

/// Engines whose graphs keep tensors in 16 bits, also where they take a DynamicQuantizeLSTM for an LSTM.
TEST(LabelledSet, NamesSixteenBitsWherever) {
  LabelledSet set = judge_labelled(2);
  int kinds = 0;
  for (LabelledRow& row : set.rows) {
    const bool narrow = row.kind.starts_with("bfloat16-products") || row.kind.starts_with("bfloat16-inside");
    if (!narrow) continue;
    ++kinds;
    EXPECT_TRUE(row.wrong.empty()) << row.kind << ": " << row.wrong_lines.front();
    EXPECT_GE(row.right[row.kind.ends_with("-double") ? "f64-in-bf16" : "f32-in-bf16"], 2) << row.kind;
  }
  EXPECT_EQ(kinds, 9);
}

/// Judges a graph that keeps matrix products in bfloat16, one element off by a share of itself.
Judgement of_rounded_products(Operator op, const char* style, double damage) {
  Case c = plain_case({op, 22}, ElementType::Float, 5, 3, 4, 6);
  c.inputs[input::B].presence = Presence::Given;
  const Problem problem = make_problem(c);
  const auto declared =
      std::ranges::find(zoo::declared_styles(), style, [](const zoo::DeclaredStyle& d) { return d.style.name; });
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = zoo::run(problem, declared->style, 1);
  Tensor& Y = *outcome.outputs[output::Y];
  Y.set_value(40, Y.value(40) * (1 + damage));
  return oracle::decide(problem, {}, {outcome});
}

TEST(RoundedProducts, AreNamedAndExcuseNoDamage) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const char* style : {"bfloat16-products", "bfloat16-products-with-bias"}) {
      const Judgement whole = of_rounded_products(op, style, 0);
      EXPECT_EQ(whole.verdict, Verdict::Precision) << name(op) << style;
      EXPECT_EQ(whole.contract, ContractId::F32InBf16) << name(op) << style;
      EXPECT_EQ(of_rounded_products(op, style, 0x1p-10).verdict, Verdict::Diverges) << name(op) << style;
    }
  }
}

}  // namespace
}  // namespace cellproof::lab
