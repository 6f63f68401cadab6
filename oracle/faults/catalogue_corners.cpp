#include "oracle/faults/catalogue_rows.hpp"

namespace cellproof::oracle::catalogue {

std::vector<Condition> conditions() {
  return {
      {"h-16", "H", "when H is 16", {"r-not-transposed", "gate-order-ifoc", "rb-ignored"}},
      {"h-above-16", "H", "when H is above 16", {"last-product-dropped", "reset-gate-ignored"}},
      {"h-1", "H", "when H is 1", {"wb-ignored", "recurrent-weights-ignored"}},
      {"i-1", "I", "when I is 1", {"first-input-dropped"}},
      {"i-above-8", "I", "when I is above 8", {"wb-ignored"}},
      {"t-1", "T", "when T is 1", {"initial-h-ignored", "initial-c-ignored", "state-leaks-to-next-sequence"}},
      {"t-above-8", "T", "when T is above 8", {"previous-input", "length-off-by-one"}},
      {"n-1", "N", "when N is 1", {"initial-h-ignored"}},
      {"n-above-8", "N", "when N is above 8", {"states-of-first-sequence", "lengths-sorted"}},
      {"b-from-graph", "input.B", "when B is a graph input", {"bias-ignored", "wb-ignored"}},
      {"p-from-graph", "input.P", "when P is a graph input", {"peepholes-ignored"}},
      {"w-from-graph", "input.W", "when W is a graph input", {"gate-order-ifco", "gate-order-rzh"}},
      {"r-from-graph", "input.R", "when R is a graph input", {"r-not-transposed"}},
      {"initial-h-from-initializer", "input.initial_h", "when initial_h is an initializer", {"initial-h-ignored"}},
      {"y-not-asked", "outputs", "when Y is not asked for", {"y-h-is-zero", "lengths-ignored"}},
      {"only-y", "outputs", "when nothing but Y is asked for", {"y-in-processing-order"}},
      {"layout-1", "layout", "in layout 1", {"initial-h-ignored", "lengths-ignored"}},
      {"reverse", "direction", "in the reverse direction", {"initial-h-ignored"}},
      {"bidirectional", "direction", "in two directions", {"rb-ignored", "initial-c-ignored"}},
      {"double", "type", "in double", {"bias-ignored", "clip-ignored"}},
      {"float16", "type", "in float16", {"initial-h-ignored", "peepholes-ignored"}},
      {"ragged", "lengths", "when lengths differ from T", {"initial-c-ignored"}},
      {"coupled", "input_forget", "when input_forget is set", {"peephole-i-missing"}},
      {"resets-linearly", "linear_before_reset", "when linear_before_reset is set", {"rb-ignored"}, gru},
      {"clip", "clip", "when clip is given", {"initial-h-ignored", "peepholes-ignored"}},
      {"empty-name", "input", "when an input has the empty name", {"bias-ignored"}},
      {"lengths-given",
       "lengths|input.sequence_lens",
       "when lengths are given",
       {"initial-h-ignored", "previous-input"}},
      {"symbolic-sizes", "dims", "when sizes of X are symbols", {"lengths-ignored"}, every_q},
      {"functions-named", "activation|activations", "when functions are named", {"rb-ignored"}},
      {"newest-version", "-", "in the newest version", {"wb-ignored"}},
      {"no-bias", "-", "when there is no B", {"initial-h-ignored", "r-not-transposed"}},
      {"no-initial-h", "-", "when there is no initial_h", {"rb-ignored"}},
      {"no-initial-c", "-", "when there is no initial_c", {"initial-h-ignored", "cell-not-carried"}, lstm},
      {"no-peepholes", "-", "when there is no P", {"initial-c-ignored", "r-not-transposed"}, lstm},
      {"backward",
       "direction",
       "in the backward direction only",
       {"wb-ignored", "rb-ignored", "peepholes-ignored", "r-not-transposed", "gate-order-ifoc", "gate-order-rzh",
        "first-input-dropped"}},
  };
}

}  // namespace cellproof::oracle::catalogue
