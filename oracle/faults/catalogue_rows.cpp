#include "oracle/faults/catalogue_rows.hpp"

#include <algorithm>

#include "spec/rules/activations.hpp"

namespace cellproof::oracle::catalogue {
namespace {

using Members = std::vector<Member>;

Members each(std::string_view letters) {
  Members list;
  for (const char letter : letters) list.push_back({std::string(1, letter), std::string(1, letter)});
  return list;
}

/// "ifoc", in words "i f o c".
Member order(std::string_view letters) {
  std::string text;
  for (const char letter : letters) text += std::string(text.empty() ? "" : " ") + letter;
  return {std::string(letters), text};
}

Members orders_but(std::string_view right) {
  std::string letters(right);
  std::ranges::sort(letters);
  Members list;
  do {
    if (letters != right) list.push_back(order(letters));
  } while (std::ranges::next_permutation(letters).found);
  return list;
}

/// "LeakyRelu" as "leaky-relu".
Member hyphenated(std::string_view function) {
  std::string id;
  for (const char c : function) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !id.empty()) id += '-';
    id += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return {id, std::string(function)};
}

Members functions_with(bool ActivationInfo::*parameter) {
  Members list;
  for (const ActivationInfo& info : activations()) {
    if (info.*parameter) list.push_back(hyphenated(info.name));
  }
  return list;
}

}  // namespace

std::vector<Rows> rows() {
  using enum FaultClass;
  const char* const of_alpha = "alpha activation direction? beta?";
  const char* const of_beta = "beta activation direction? alpha?";
  const char* const of_function = "activation alpha? beta?";
  const Members with_alpha = functions_with(&ActivationInfo::uses_alpha),
                with_beta = functions_with(&ActivationInfo::uses_beta);
  const Members matrices{{"w", "W"}, {"r", "R"}}, bits{{"f16", "11"}, {"bf16", "8"}};
  const Members short_bits{{"bf16", "8"}, {"10-bit", "10"}, {"f16", "11"}, {"16-bit", "16"}};
  const Members weights{{"weights", "W and R"}, {"w", "W"}, {"r", "R"}}, functions{{"functions", "functions"}},
      widths{{"8", "8"}, {"16", "16"}};
  const char* const of_forward = "uses the forward direction's {} in both";
  const char* const of_backward = "uses the backward direction's {} in both";
  const char* const of_each_other = "uses each direction's {} in the other";
  return {
      {GateOrder,
       {{"gate-order-{}", "-", lstm, "reads the gates as {}", orders_but("iofc")},
        {"gate-order-{}", "-", gru, "reads the gates as {}", orders_but("zrh")},
        {"w-order-{}", "-", lstm, "reads W alone as {}", {order("ifco"), order("ifoc")}},
        {"w-order-{}", "-", gru, "reads W alone as {}", {order("rzh")}},
        {"r-order-{}", "-", lstm, "reads R alone as {}", {order("ifco"), order("ifoc")}},
        {"r-order-{}", "-", gru, "reads R alone as {}", {order("rzh")}},
        {"r-not-transposed", "-", every, "multiplies by R where R^T is meant"},
        {"r-not-transposed-in-{}", "-", lstm, "multiplies by R{0} where R{0}^T is meant", each("iofc")},
        {"r-not-transposed-in-{}", "-", gru, "multiplies by R{0} where R{0}^T is meant", each("zrh")},
        {"input-gate-ignored", "-", lstm_q, "leaves out the input gate"},
        {"output-gate-ignored", "-", lstm_q, "leaves out the output gate"},
        {"forget-gate-ignored", "-", lstm_q, "never forgets"},
        {"cell-not-carried", "-", lstm_q, "starts every step from an empty cell"},
        {"reset-gate-ignored", "-", gru, "leaves out the reset gate"},
        {"update-gate-ignored", "-", gru, "takes the candidate for the new state"},
        {"update-gate-complemented", "-", gru, "keeps z of the candidate and 1 - z of the old state"},
        {"reset-gate-complemented", "-", gru, "resets by 1 - r"},
        {"forget-gate-complemented", "-", lstm_q, "forgets f and keeps 1 - f"},
        {"output-gate-complemented", "-", lstm_q, "shows 1 - o"},
        {"input-forget-ignored", "input_forget", lstm_q,
         "computes the forget gate by itself although the gates are coupled"},
        {"always-coupled", "-", lstm_q, "couples the gates although nobody asked for it"},
        {"linear-before-reset-ignored", "linear_before_reset", gru,
         "resets the state before the product although linear_before_reset is set"},
        {"linear-before-reset-always", "-", gru, "resets the product although linear_before_reset is not set"},
        {"recurrent-weights-ignored", "-", every, "leaves out the product with R"}}},
      {Bias,
       {{"b-order-{}", "input.B", lstm_q, "reads B alone as {}", {order("ifco"), order("ifoc")}},
        {"b-order-{}", "input.B", gru, "reads B alone as {}", {order("rzh")}},
        {"wb-{}-ignored", "input.B", lstm_q, "leaves out Wb{}", each("iofc")},
        {"wb-{}-ignored", "input.B", gru, "leaves out Wb{}", each("zrh")},
        {"rb-{}-ignored", "input.B", lstm_q, "leaves out Rb{}", each("iofc")},
        {"rb-{}-ignored", "input.B", gru, "leaves out Rb{}", each("zrh")},
        {"wb-ignored", "input.B", every_q, "leaves out the first half of B"},
        {"rb-ignored", "input.B", every_q, "leaves out the second half of B"},
        {"bias-ignored", "input.B", every_q, "leaves out B"},
        {"bias-doubled", "input.B", every_q, "adds B twice"},
        {"bias-negated", "input.B", every_q, "subtracts B"},
        {"wb-doubled", "input.B", every_q, "adds the first half of B twice"},
        {"rb-doubled", "input.B", every_q, "adds the second half of B twice"},
        {"wb-negated", "input.B", every_q, "subtracts the first half of B"},
        {"rb-negated", "input.B", every_q, "subtracts the second half of B"},
        {"wb-for-rb", "input.B", every_q, "takes the first half of B for both"},
        {"rb-for-wb", "input.B", every_q, "takes the second half of B for both"},
        {"bias-of-first-gate-only", "input.B", gated_q,
         "takes B for the bias of the first gate, as its description has it"},
        {"bias-interleaved", "input.B", gated_q, "reads the two halves of B gate by gate"},
        {"bias-of-first-unit-for-all", "input.B", every_q, "adds the first unit's bias of a gate to all its units"},
        {"rbh-outside-reset", "linear_before_reset input.B", gru, "adds Rbh outside the reset gate's product"},
        {"bias-halves-exchanged", "linear_before_reset input.B", gru, "takes Wb for Rb and the other way round"}}},
      {Peephole,
       {{"peephole-order-{}", "input.P", lstm_q, "reads the peepholes as {}", orders_but("iof")},
        {"peephole-{}-missing", "input.P", lstm_q, "has no peephole of gate {}", each("iof")},
        {"peepholes-ignored", "input.P", lstm_q, "leaves out P"},
        {"peepholes-negated", "input.P", lstm_q, "subtracts the peepholes"},
        {"peepholes-doubled", "input.P", lstm_q, "adds the peepholes twice"},
        {"peephole-of-first-unit-for-all", "input.P", lstm_q, "gives all units the first one's peepholes"},
        {"output-peephole-sees-old-cell", "input.P", lstm_q, "looks at C(t-1) where the output gate looks at C(t)"}}},
      {Clip,
       {{"clip-ignored", "clip", every_q, "does not clip"},
        {"clip-after-function", "clip", every_q, "clips what the functions return, not what they are given"},
        {"clip-upper-side-only", "clip", every_q, "clips at +clip, not at -clip"},
        {"clip-lower-side-only", "clip", every_q, "clips at -clip, not at +clip"},
        {"clip-halved", "clip", every_q, "clips at half the threshold"},
        {"clip-doubled", "clip", every_q, "clips at twice the threshold"},
        {"clip-squared", "clip", every_q, "clips at the square of the threshold"},
        {"clip-on-argument-of-h-only", "clip", lstm_q, "clips the argument of h, not those of the gates"},
        {"clips-above-by-default", "-", every_q, "clips at 1, but not at -1, although no clip is given"},
        {"clip-forgets-gate-{}", "clip", lstm_q, "does not clip the argument of gate {}", each("iofc")},
        {"clip-forgets-gate-{}", "clip", gru, "does not clip the argument of gate {}", each("zrh")}}},
      {Activation,
       {{"activation-f-ignored", "activation", every_q, "uses the default function f whatever the node says"},
        {"activation-g-ignored", "activation", gated_q, "uses the default function g whatever the node says"},
        {"activation-h-ignored", "activation", lstm_q, "uses the default function h whatever the node says"},
        {"activations-ignored", "activation", every_q, "uses the default functions whatever the node says"},
        {"f-and-g-exchanged", "-", gated_q, "applies g where f belongs and f where g belongs"},
        {"g-and-h-exchanged", "activation", lstm_q, "applies h where g belongs and g where h belongs"},
        {"g-for-h", "activation", lstm_q, "applies g to the cell where h belongs"},
        {"h-skipped", "-", lstm_q, "multiplies the output gate with C, not with h(C)"},
        {"gate-{}-takes-g", "-", lstm_q, "applies g to gate {}", each("iof")},
        {"gate-{}-takes-g", "-", gru, "applies g to gate {}", each("zr")},
        {"gate-{}-takes-f", "-", lstm_q, "applies f to gate {}", each("c")},
        {"gate-{}-takes-f", "-", gru, "applies f to gate {}", each("h")},
        {"alpha-in-wrong-slot", of_alpha, every_q, "hands activation_alpha out from the second value on"},
        {"beta-in-wrong-slot", of_beta, every_q, "hands activation_beta out from the second value on"},
        {"alpha-of-first-for-all", of_alpha, every_q, "gives all functions the first alpha"},
        {"beta-of-first-for-all", of_beta, every_q, "gives all functions the first beta"},
        {"alpha-ignored", of_alpha, every_q, "uses default alphas whatever the node says"},
        {"beta-ignored", of_beta, every_q, "uses default betas whatever the node says"},
        {"alpha-negated", of_alpha, every_q, "uses the negative of each alpha"},
        {"{}-alpha-ignored", "alpha activation beta?", every_q, "gives {} its default alpha whatever the node says",
         with_alpha},
        {"{}-beta-ignored", "beta activation alpha?", every_q, "gives {} its default beta whatever the node says",
         with_beta},
        {"{}-parameters-exchanged", of_function, every_q, "takes {}'s alpha for its beta and the other way round",
         with_beta},
        {"hard-sigmoid-one-sixth", "activation", every_q, "takes 1/6 for HardSigmoid's default alpha"},
        {"hard-sigmoid-default-zero", "activation", every_q, "takes 0 for HardSigmoid's default alpha and beta"},
        {"thresholded-relu-default-zero", "activation", every_q, "takes 0 for ThresholdedRelu's default alpha"},
        {"leaky-relu-default-zero", "activation", every_q, "takes 0 for LeakyRelu's default alpha"},
        {"leaky-relu-default-0.3", "activation", every_q, "takes 0.3 for LeakyRelu's default alpha"},
        {"elu-default-zero", "activation", every_q, "takes 0 for Elu's default alpha"},
        {"relu-as-identity", of_function, every_q, "takes Relu for the identity"},
        {"tanh-as-softsign", "-", every_q, "takes Tanh for Softsign"},
        {"sigmoid-as-hard-sigmoid", "-", gated_q, "takes Sigmoid for HardSigmoid"},
        {"leaky-relu-as-relu", of_function, every_q, "takes LeakyRelu for Relu"},
        {"thresholded-relu-as-relu", of_function, every_q, "takes ThresholdedRelu for Relu"},
        {"scaled-tanh-as-tanh", of_function, every_q, "takes ScaledTanh for Tanh"},
        {"hard-sigmoid-as-sigmoid", of_function, every_q, "takes HardSigmoid for Sigmoid"},
        {"elu-as-relu", of_function, every_q, "takes Elu for Relu"},
        {"softsign-as-tanh", of_function, every_q, "takes Softsign for Tanh"},
        {"softplus-as-relu", of_function, every_q, "takes Softplus for Relu"},
        {"affine-as-identity", of_function, every_q, "takes Affine for the identity"},
        {"softplus-overflows", "activation regime? alpha? beta?", every_q,
         "evaluates log(1 + e^x), infinite where e^x is"},
        {"tanh-overflows", "regime activation? alpha? beta?", every_q,
         "evaluates (1 - e^-2x) / (1 + e^-2x), NaN where e^-2x is infinite"}}},
      {Direction,
       {{"forward-taken-for-reverse", "-", every_q, "runs in reverse where a direction is written, and it is forward"},
        {"direction-ignored", "direction", every_q, "runs forward where reverse is asked for"},
        {"reverse-by-default", "-", every_q, "runs in reverse where forward is asked for"},
        {"backward-not-reversed", "direction", every_q, "runs both directions forward"},
        {"both-reversed", "direction", every_q, "runs both directions in reverse"},
        {"directions-exchanged-in-time", "direction", every_q,
         "runs the first direction in reverse, the second forward"},
        {"backward-takes-forward-{}", "direction", every, of_forward, weights},
        {"backward-takes-forward-{}", "direction input.B", every_q, of_forward, {{"bias", "B"}}},
        {"backward-takes-forward-{}", "direction input.P", lstm_q, of_forward, {{"peepholes", "P"}}},
        {"backward-takes-forward-{}", "direction activation", every_q, of_forward, functions},
        {"forward-takes-backward-{}", "direction", every, of_backward, weights},
        {"forward-takes-backward-{}", "direction input.B", every_q, of_backward, {{"bias", "B"}}},
        {"forward-takes-backward-{}", "direction input.P", lstm_q, of_backward, {{"peepholes", "P"}}},
        {"forward-takes-backward-{}", "direction activation", every_q, of_backward, functions},
        {"directions-exchanged-in-{}", "direction", every, of_each_other, weights},
        {"directions-exchanged-in-{}", "direction input.B", every_q, of_each_other, {{"bias", "B"}}},
        {"directions-exchanged-in-{}", "direction input.P", lstm_q, of_each_other, {{"peepholes", "P"}}},
        {"directions-exchanged-in-{}", "direction activation", every_q, of_each_other, functions}}},
      {Layout,
       {{"layout-ignored-in-x", "layout", every, "reads X of [N,T,I] as [T,N,I]"},
        {"layout-ignored-in-initial-h", "layout direction input.initial_h", every,
         "reads initial_h of [N,D,H] as [D,N,H]"},
        {"layout-ignored-in-initial-c", "layout direction input.initial_c", lstm,
         "reads initial_c of [N,D,H] as [D,N,H]"},
        {"layout-ignored-in-y", "layout", every, "writes Y as [T,D,N,H] whatever the layout"},
        {"layout-ignored-in-y-h", "layout direction", every, "writes Y_h as [D,N,H] whatever the layout"},
        {"layout-ignored-in-y-c", "layout direction", lstm, "writes Y_c as [D,N,H] whatever the layout"}}},
      {Lengths,
       {{"lengths-ignored", "lengths", every_q, "takes every sequence to have T steps"},
        {"length-off-by-one", "-", every_q, "stops every sequence one step early"},
        {"length-one-too-long", "lengths", every_q, "goes on for one step too many"},
        {"length-of-first-for-all", "lengths", every_q, "uses the first sequence's length for all"},
        {"shortest-length-for-all", "lengths", every_q, "stops all sequences with the shortest"},
        {"lengths-of-next-row", "lengths", every_q, "uses each sequence's length for the one before"},
        {"lengths-sorted", "lengths", every_q,
         "sorts the lengths, longest first, and leaves the sequences where they are"},
        {"length-zero-taken-for-t", "lengths", every_q, "runs sequences of no steps to the end"},
        {"length-zero-taken-for-one", "lengths", every_q, "takes one step of sequences that have none"},
        {"previous-input", "-", every, "feeds the input of the step before"},
        {"batch-halves-overlap", "-", every, "reads the second half of the batch from one row too early in X"},
        {"reverse-starts-in-padding", "direction lengths", every,
         "starts the reverse direction at T - 1 whatever the length"}}},
      {States,
       {{"layout-ignored-in-states", "layout direction input", every, "reads initial states of [N,D,H] as [D,N,H]"},
        {"initial-h-ignored", "input.initial_h", every_q, "starts from 0"},
        {"initial-h-negated", "input.initial_h", every_q, "starts from the negative of initial_h"},
        {"initial-c-ignored", "input.initial_c", lstm_q, "starts from an empty cell"},
        {"initial-c-negated", "input.initial_c", lstm_q, "starts from the negative of initial_c"},
        {"initial-states-exchanged", "input", lstm_q, "takes initial_c for H and initial_h for C"},
        {"initial-c-for-h", "input", lstm_q, "starts H and C from initial_c"},
        {"initial-h-for-c", "input", lstm_q, "starts H and C from initial_h"},
        {"states-of-first-sequence", "input", every_q, "starts all sequences from the first one's initial state"},
        {"states-of-next-sequence", "input", every_q, "starts each sequence from the next one's initial state"},
        {"directions-exchanged-in-initial-states", "direction input", every_q,
         "starts each direction from the other one's states"},
        {"backward-takes-forward-states", "direction input", every_q,
         "starts both directions from the forward one's states"},
        {"state-leaks-to-next-sequence", "-", every, "starts a sequence from the last state of the one before"}}},
      {Outputs,
       {{"y-in-processing-order", "direction", every_q, "leaves Y of the reverse direction in the order of processing"},
        {"directions-swapped-in-states", "direction", every_q, "returns the backward direction's last states first"},
        {"directions-swapped-in-y", "direction", every_q, "returns the backward direction's half of Y first"},
        {"directions-swapped-in-y-h", "direction", every_q, "returns the backward direction's Y_h first"},
        {"directions-swapped-in-y-c", "direction", lstm_q, "returns the backward direction's Y_c first"},
        {"rows-reversed-in-y", "-", every_q, "returns Y with the batch in reverse order"},
        {"rows-reversed-in-y-h", "-", every_q, "returns Y_h with the batch in reverse order"},
        {"rows-reversed-in-y-c", "-", lstm_q, "returns Y_c with the batch in reverse order"},
        {"y-batch-before-direction", "direction", every_q, "writes Y as [T,N,D,H]"},
        {"y-h-batch-before-direction", "direction", every_q, "writes Y_h as [N,D,H]"},
        {"y-h-is-last-row", "direction|lengths", every_q, "returns Y[T-1] as Y_h"},
        {"y-h-is-first-row", "-", every_q, "returns Y[0] as Y_h"},
        {"y-h-is-zero", "-", every_q, "never writes Y_h"},
        {"y-c-is-zero", "-", lstm_q, "never writes Y_c"},
        {"y-c-is-y-h", "-", lstm_q, "returns Y_h as Y_c"},
        {"y-h-and-y-c-exchanged", "-", lstm_q, "returns Y_c as Y_h and the other way round"},
        {"padding-computed", "lengths", every, "goes on computing Y beyond a sequence's length"},
        {"one-element-off", "-", every, "stores one element of Y with a relative error of 1e-4"}}},
      {Precision,
       {{"tf32-operands", "-", every, "rounds the factors of products to 11 bits"},
        {"bf16-operands", "-", every, "rounds the factors of products to 8 bits"},
        {"tf32-operands-late", "-", every,
         "rounds the factors of products to 11 bits in the second half of the sequence"},
        {"sigmoid-saturates-early", "regime", gated_q, "takes sigmoid for 0 and 1 beyond +-8"},
        {"{}-cell", "-", lstm_q, "keeps C with {} bits", short_bits},
        {"{}-gates", "-", every_q, "keeps gates with {} bits", short_bits},
        {"{}-preactivations", "-", every_q, "keeps pre-activations with {} bits", short_bits},
        {"{}-sigmoid", "-", gated_q, "divides in Sigmoid with {} bits", short_bits},
        {"{}-weights", "-", every, "keeps W and R with {} bits", short_bits},
        {"{}-w", "-", every, "keeps W with {} bits", short_bits},
        {"{}-r", "-", every, "keeps R with {} bits", short_bits},
        {"{}-input", "-", every_q, "keeps X with {} bits", short_bits},
        {"{}-bias", "input.B", every_q, "keeps B with {} bits", short_bits},
        {"{}-peepholes", "input.P", lstm_q, "keeps P with {} bits", short_bits},
        {"{}-state", "-", every_q, "keeps H with {} bits", short_bits},
        {"{}-scales-of-codes", "-", quantised, "keeps the scales of X and H with {} bits", bits},
        {"{}-products", "-", quantised, "keeps the scaled products with {} bits", bits},
        {"{}-scales-of-weights", "-", quantised, "keeps the scales of W and R with {} bits", bits}}},
      {Quantisation,
       {{"{}-zero-point-ignored", "-", quantised, "takes the zero points of {} for 0", matrices},
        {"{}-first-scale-for-all", "columns", quantised, "scales all columns of {} like the first one", matrices},
        {"{}-scale-ignored", "-", quantised, "does not scale {}", matrices},
        {"{}-bytes-of-other-sign", "-", quantised, "takes the bytes of {} for the other 8-bit type", matrices},
        {"{}-read-as-in-lstm", "-", quantised, "reads {} as [4H,K] where [K,4H] is meant", matrices},
        {"codes-cut-off", "-", quantised, "cuts codes of X and H off where they are to be rounded"},
        {"range-in-256-steps", "-", quantised, "divides the range of X and of H by 256"},
        {"codes-symmetric", "-", quantised, "gives X and H codes from -127 to 127 around a zero point of 0"},
        {"zero-points-of-codes-ignored", "-", quantised,
         "multiplies the codes of X and H without subtracting their zero points"},
        {"range-without-zero", "H|activation|regime", quantised,
         "takes ranges from the smallest to the largest value even where they do not hold 0"},
        {"range-without-padding", "lengths", quantised, "leaves padding out of the range of X"},
        {"range-of-first-h", "-", quantised, "quantises H with the range that it has before the first step"},
        {"pairs-saturate-in-16-bits", "weight_type|regime", quantised,
         "adds the products of two codes in 16 bits, where two of 255 * 127 have no room"},
        {"zero-points-ignored", "-", quantised, "takes all zero points of weights for 0"},
        {"scales-exchanged", "-", quantised, "scales W like R and R like W"},
        {"zero-points-exchanged", "-", quantised, "takes the zero points of W for R's and the other way round"},
        {"scales-of-forward-for-both", "direction", quantised, "scales both directions like the forward one"},
        {"zero-points-of-forward-for-both", "direction", quantised,
         "takes the forward direction's zero points in both"}}},
      {Corner,
       {{"last-product-dropped", "-", every, "stops a dot product one element early"},
        {"first-input-dropped", "-", every, "starts the product with X one element late"},
        {"tail-of-{}-dropped-in-w", "I", every, "multiplies W in blocks of {} columns and forgets the rest", widths},
        {"tail-of-{}-dropped-in-r", "H", every, "multiplies R in blocks of {} columns and forgets the rest", widths},
        {"state-kept-from-the-call-before", "-", every,
         "starts from the last state of the call before, here of one with the same inputs"}}},
  };
}

}  // namespace cellproof::oracle::catalogue
