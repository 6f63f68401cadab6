#pragma once

#include <optional>
#include <string>
#include <vector>

#include "optimized/cudnn/context.hpp"

namespace cellproof::cudnn::probe {

/// Numbers in place of the ones that are the same for every type. Weights in the packed places: all matrices of X, then
/// of H, by cuDNN's gates, then the biases alike. What is empty is as it is without.
struct Values {
  std::vector<double> x, weights, hx, cx;
};

/// Data that a recorded call is replayed with: other numbers in X, behind lengths that were described anew.
struct Replay {
  std::vector<double> x;
  std::vector<int> lengths;
};

/// A layer of cuDNN's as it is asked for, nothing checked by us: what cuDNN does with it is what is to be found out.
struct Layer {
  int algorithm = algorithm::standard, cell = cell::lstm, type = data::float32, precision = data::float32,
      math = math::fma;
  int directions = 1, T = 7, N = 4, I = 24, H = 32;
  std::vector<int> lengths = {};  ///< empty: all of them T
  bool fills_padding = true;      ///< with zeros; otherwise no fill is given
  int layout = layout::time_first;
  bool has_hx = true, has_cx = true;  ///< initial states; otherwise NULL
  bool states_are_zero = false;       ///< given, but zeros
  bool in_place = false;              ///< the last states are written where the initial ones are
  std::size_t x_offset = 0;           ///< bytes by which X is out of its alignment
  Values values = {};
  std::vector<int> lengths_behind = {};  ///< of a second call that is issued without a wait: its answer is `behind`
  bool only_last_step = false;           ///< y is not filled with NaN, and only its last step comes back
  bool wrong_device_lengths = false;     ///< devSeqLengths points to ones
  std::optional<double> clip = {};       ///< cuDNN's own: of the cell state
  double initial_c_within = 1;           ///< the initial cells are brought between minus that and that
  bool is_recorded = false;              ///< the last forward call is recorded in a CUDA graph, which is then launched
  Replay then = {};                      ///< it is launched again with these, if there are any
  int repeats = 1;                       ///< forward calls, of which the last one's outputs are kept
};

struct Answer {
  Status status = status::success;
  std::string where;  ///< the call that failed and cuDNN's words
  std::vector<double> y, h, c;
  std::vector<double> behind;  ///< y of the second call
  std::size_t workspace = 0;   ///< bytes
  double seconds = 0;          ///< median of a forward call with a wait behind it, by the host's clock
};

/// Weights, X and states are the same multiples of 1/128 for every type, so that answers can be compared. Outputs are
/// full of NaN before the call.
Answer run_layer(const cellproof_cudnn_context& context, const Layer& layer);

}  // namespace cellproof::cudnn::probe
