#include <algorithm>
#include <vector>

#include "oracle/faults/catalogue_rows.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle::catalogue {
namespace {

/// A clause of the operators' text, and the rows whose faults break it.
struct BrokenClause {
  FaultClass cls;
  std::string_view text;
  std::vector<std::string_view> rows = {};  ///< none: all others of the class
};

constexpr std::string_view products =
    "The argument of each gate is X(t) W^T + H(t-1) R^T plus both halves of its bias, over all of input_size and "
    "hidden_size.";
constexpr std::string_view layouts =
    "In layout 0, the default, X is [seq_length, batch_size, input_size], Y [seq_length, num_directions, batch_size, "
    "hidden_size], and states are [num_directions, batch_size, hidden_size]. In layout 1 batch_size comes first.";
constexpr std::string_view start =
    "Each sequence starts, in each direction, from its own row of initial_h, and of initial_c in LSTM; from 0 where "
    "they are not given.";

/// In our words. Where a listed clause (spec/clause_table.cpp) says it, its text.
std::vector<BrokenClause> broken_clauses() {
  using enum FaultClass;
  const auto listed = [](Clause clause) { return info(clause).text; };
  return {
      {GateOrder, listed(Clause::RTransposed), {"r-not-transposed", "r-not-transposed-in-{}"}},
      {GateOrder,
       "With linear_before_reset the reset gate multiplies the product of H(t-1) with R, its bias included; without "
       "it, which is the default, H(t-1) before the product.",
       {"linear-before-reset-ignored", "linear-before-reset-always"}},
      {GateOrder,
       "input_forget couples the input gate and the forget gate, to f = 1 - i; without it, which is the default, each "
       "is computed by itself.",
       {"input-forget-ignored", "always-coupled", "coupled-forget-is-input", "coupled-to-output-gate"}},
      {GateOrder,
       "C(t) = f * C(t-1) + i * c, and H(t) = o * h(C(t)).",
       {"input-gate-ignored", "output-gate-ignored", "forget-gate-ignored", "cell-not-carried",
        "forget-gate-complemented", "output-gate-complemented"}},
      {GateOrder,
       "H(t) = (1 - z) * h + z * H(t-1), and the reset gate r scales what of H(t-1) enters h.",
       {"reset-gate-ignored", "update-gate-ignored", "update-gate-complemented", "reset-gate-complemented"}},
      {GateOrder,
       products,
       {"recurrent-weights-ignored", "input-weights-ignored", "w-of-gate-{}-ignored", "r-of-gate-{}-ignored"}},
      {GateOrder, "The blocks of W, R and B belong to the gates in a fixed order: i, o, f, c in LSTM; z, r, h in GRU."},
      {Bias,
       "With linear_before_reset the reset gate multiplies Rbh with the product; Wbh stays outside.",
       {"rbh-outside-reset", "wbh-inside-reset", "bias-halves-exchanged"}},
      {Bias,
       "B is Wb and behind it Rb, each in the order of the gates: every unit of a gate adds its own entry of "
       "both, once."},
      {Peephole,
       "P has one weight for each unit of the gates i, o, f, in this order; i and f multiply it with C(t-1), "
       "o with C(t)."},
      {FaultClass::Clip, listed(Clause::NoClipIsIeee), {"nan-clipped-with-bias", "infinity-clipped-without-bias"}},
      {FaultClass::Clip,
       "clip bounds the argument of each activation function to [-clip, clip], and not what the function returns; "
       "without clip nothing is bounded."},
      {Activation, listed(Clause::MathematicalValue), {"softplus-overflows", "tanh-overflows"}},
      {Activation,
       "activations names the function of each place, f, g and h, for each direction; without it they are the "
       "operator's defaults.",
       {"activation-f-ignored", "activation-g-ignored", "activation-h-ignored", "activations-ignored",
        "f-and-g-exchanged", "g-and-h-exchanged", "g-for-h", "h-skipped", "gate-{}-takes-g", "gate-{}-takes-f"}},
      {Activation,
       "The values of activation_alpha and activation_beta go to the functions that take one, in the order of the "
       "functions; a function without one has its default.",
       {"alpha-in-wrong-slot", "beta-in-wrong-slot", "alpha-of-first-for-all", "beta-of-first-for-all", "alpha-ignored",
        "beta-ignored", "alpha-negated", "{}-alpha-ignored", "{}-beta-ignored", "{}-parameters-exchanged"}},
      {Activation,
       "A function without alpha or beta has the defaults of the operator of its name: 0.2 and 0.5 for HardSigmoid, "
       "0.01 for LeakyRelu, 1 for Elu and ThresholdedRelu.",
       {"hard-sigmoid-one-sixth", "hard-sigmoid-default-zero", "thresholded-relu-default-zero",
        "leaky-relu-default-zero", "leaky-relu-default-0.3", "elu-default-zero", "elu-default-1.67",
        "leaky-relu-default-0.1", "leaky-relu-default-0.2", "thresholded-relu-default-0.5", "hard-sigmoid-default-one",
        "hard-sigmoid-default-half"}},
      {Activation, "An activation function is the formula that the page has beside its name."},
      {FaultClass::Direction,
       "direction is forward, the default, reverse, which goes from the last step to the first, or bidirectional: "
       "both, the forward one first.",
       {"forward-taken-for-reverse", "direction-ignored", "reverse-by-default", "backward-not-reversed",
        "both-reversed", "directions-exchanged-in-time"}},
      {FaultClass::Direction,
       "Weights, biases, peepholes and functions hold the forward direction's part first, then "
       "the backward one's; each direction takes its own."},
      {Layout, layouts},
      {Lengths, listed(Clause::ReverseStartsAtLength), {"reverse-starts-in-padding", "reverse-takes-last-steps"}},
      {Lengths,
       "Step t of a sequence takes X at t of that sequence.",
       {"previous-input", "input-two-steps-late", "next-input", "batch-halves-overlap"}},
      {Lengths,
       "sequence_lens has the number of steps of each sequence, and each takes so many; without it all take "
       "seq_length."},
      {States, layouts, {"layout-ignored-in-states", "layout-ignored-in-states-throughout"}},
      {States, "H(t-1), and C(t-1) in LSTM, are what the step before left.", {"state-reset-every-{}"}},
      {States, start},
      {Outputs, listed(Clause::ReverseOutputOrder), {"y-in-processing-order"}},
      {Outputs, listed(Clause::PaddingOfY), {"padding-computed"}},
      {Outputs,
       "Y has the state of each step, [seq_length, num_directions, batch_size, hidden_size]; Y_h and Y_c have "
       "each sequence's state after its last step."},
      {Precision, listed(Clause::MathematicalValue), {"sigmoid-saturates-early"}},
      {Precision,
       "The equations are over real numbers, and the text fixes no arithmetic: how far honest rounding may "
       "go is said by the precision contract."},
      {Quantisation,
       "W and R are 8-bit codes: each stands for (code - zero point) * scale, with the scale and the zero point of "
       "its matrix, direction and column.",
       {"{}-zero-point-ignored", "{}-first-scale-for-all", "{}-scale-ignored", "{}-bytes-of-other-sign",
        "zero-points-ignored", "scales-exchanged", "zero-points-exchanged", "scales-of-forward-for-both",
        "zero-points-of-forward-for-both", "zero-point-behind-the-last"}},
      {Quantisation,
       "W is [num_directions, input_size, 4 hidden_size] and R [num_directions, hidden_size, 4 hidden_size], with "
       "columns where LSTM has rows.",
       {"{}-read-as-in-lstm"}},
      {Quantisation, listed(Clause::DqGranularity), {"range-without-padding", "range-of-first-h"}},
      {Quantisation, "Products of codes are added exactly, as integers.", {"pairs-saturate-in-16-bits"}},
      {Quantisation,
       "X and H are quantised dynamically: a range that holds 0 is divided in 255 steps, and values are "
       "rounded to the nearest code."},
      {Corner, start, {"state-kept-from-the-call-before"}},
      {Corner, products},
  };
}

}  // namespace

std::vector<std::pair<FaultClass, std::string>> rows_with_a_clause() {
  std::vector<std::pair<FaultClass, std::string>> all;
  for (const BrokenClause& clause : broken_clauses())
    for (const std::string_view row : clause.rows) all.emplace_back(clause.cls, row);
  return all;
}

std::string_view clause_of(FaultClass cls, std::string_view row) {
  static const std::vector<BrokenClause> all = broken_clauses();
  const auto found = std::ranges::find_if(all, [&](const BrokenClause& clause) {
    return clause.cls == cls && (clause.rows.empty() || std::ranges::find(clause.rows, row) != clause.rows.end());
  });
  return found == all.end() ? "" : found->text;
}

}  // namespace cellproof::oracle::catalogue
