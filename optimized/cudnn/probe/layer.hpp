#pragma once

#include <optional>
#include <string>
#include <vector>

#include "optimized/cudnn/context.hpp"

namespace cellproof::cudnn::probe {

/// A layer of cuDNN's as it is asked for, nothing checked by us: what cuDNN does with it is what is to be found out.
struct Layer {
  int algorithm = algorithm::standard, cell = cell::lstm, type = data::float32, precision = data::float32,
      math = math::fma;
  int directions = 1, T = 7, N = 4, I = 24, H = 32;
  std::vector<int> lengths = {};      ///< empty: all of them T
  bool fills_padding = true;          ///< with zeros; otherwise no fill is given
  bool has_states = true;             ///< initial ones; otherwise NULL
  bool wrong_device_lengths = false;  ///< devSeqLengths points to ones
  std::optional<double> clip = {};    ///< cuDNN's own: of the cell state
  double initial_c_within = 1;        ///< the initial cells are brought between minus that and that
  bool is_recorded = false;           ///< the last forward call is recorded in a CUDA graph, which is then launched
  int repeats = 1;                    ///< forward calls, of which the last one's outputs are kept
};

struct Answer {
  Status status = status::success;
  std::string where;  ///< the call that failed and cuDNN's words
  std::vector<double> y, h, c;
  std::size_t workspace = 0;  ///< bytes
  double seconds = 0;         ///< median of a forward call with a wait behind it, by the host's clock
};

/// Weights, X and states are the same multiples of 1/128 for every type, so that answers can be compared. Outputs are
/// full of NaN before the call.
Answer run_layer(const cellproof_cudnn_context& context, const Layer& layer);

}  // namespace cellproof::cudnn::probe
