#include "fuzz/law.hpp"
#include "fuzz/laws/laws.hpp"

namespace cellproof::fuzz {

std::span<const Law> laws() {
  static const std::vector<Law> list = {
      {"absent-is-empty", "an optional input that is not written is as good as one with the empty name",
       law::absent_is_empty},
      {"backward-half", "the second half of a bidirectional node is the reverse node of the second half of its weights",
       law::backward_half},
      {"batch-permutation", "rows in another order give the same results in that order", law::batch_permutation},
      {"batch-split", "a row computed alone gives what it gives among others", law::batch_split},
      {"bias-halves-exchanged", "the two halves of B are added, in either order", law::bias_halves_exchanged},
      {"bias-halves-merged", "one half of B with twice the number is as good as two with the same",
       law::bias_halves_merged},
      {"clip-beyond-everything", "a clip that is never reached is as good as none", law::clip_beyond_everything},
      {"coupled-gates-opposed", "input_forget does not matter where the forget gate's weights are the opposite of i's",
       law::coupled_gates_opposed},
      {"defaults-written", "attributes at their default are as good as none", law::defaults_written},
      {"feature-permutation",
       "input features in another order with the columns of W in that order give the same results",
       law::feature_permutation},
      {"forward-half", "the first half of a bidirectional node is the forward node of the first half of its weights",
       law::forward_half},
      {"full-lengths", "lengths that are all T are as good as none", law::full_lengths},
      {"functions-written", "the default functions by name are as good as none", law::functions_written},
      {"layout", "layout 1 computes what layout 0 computes, with the first two dimensions exchanged", law::layout},
      {"linear-before-reset-without-recurrence",
       "linear_before_reset does not matter where the candidate has no recurrence",
       law::linear_before_reset_without_recurrence},
      {"odd-function", "an RNN of an odd function answers the negated input with the negated output",
       law::odd_function},
      {"opset-upgrade", "a newer version of the operator computes the same of what the older one has",
       law::opset_upgrade},
      {"output-subset", "an output does not depend on which others are asked for", law::output_subset},
      {"padding-contents", "what X holds behind the end of a row has no effect", law::padding_contents},
      {"power-of-two", "an RNN of a homogeneous function answers twice the input with twice the output",
       law::power_of_two},
      {"ragged-is-dense", "a short row gives what it gives alone, as a whole sequence without lengths",
       law::ragged_is_dense},
      {"repeated-run", "the same problem gives the same bits again", law::repeated_run, true},
      {"reverse-is-flipped-forward", "reverse computes what forward computes on each row turned round",
       law::reverse_is_flipped_forward},
      {"row-repeated", "a row that stands twice in a batch gives the same results twice, as before", law::row_repeated},
      {"sequence-of-calls", "a problem gives the same bits after another one in between", law::sequence_of_calls, true},
      {"silent-feature", "a feature that is always zero has no effect, whatever its weights", law::silent_feature},
      {"time-prefix", "the first steps do not depend on the later ones", law::time_prefix},
      {"time-split", "a sequence is its first half, and its second half begun where the first one ended",
       law::time_split},
      {"unit-permutation", "hidden units in another order give the same results in that order", law::unit_permutation},
      {"weights-by-either-way", "weights as graph inputs give what they give as initializers",
       law::weights_by_either_way},
      {"zero-bias", "biases of zero are as good as none", law::zero_bias},
      {"zero-initial-c", "an initial cell state of zero is as good as none", law::zero_initial_c},
      {"zero-initial-h", "an initial hidden state of zero is as good as none", law::zero_initial_h},
      {"zero-peepholes", "peepholes of zero are as good as none", law::zero_peepholes},
  };
  return list;
}

}  // namespace cellproof::fuzz
