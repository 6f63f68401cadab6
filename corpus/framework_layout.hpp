#pragma once

#include "spec/problem.hpp"

namespace cellproof::corpus {

/// Outputs as frameworks give them, put where ONNX has them: Y of shape [N,T,D*H], and of one direction final states of
/// shape [N,H]. An output of any other shape stays as it is. The problem is valid.
Outputs from_framework_layout(const Problem& problem, Outputs outputs);

}  // namespace cellproof::corpus
