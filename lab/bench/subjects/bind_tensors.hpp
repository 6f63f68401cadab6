#pragma once

#include <functional>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::lab::bench {

/// Takes a tensor by its name in the model, which is the operator's formal name, as corpus/model.hpp says.
using BindTensor = std::function<void(const char* name, Tensor& tensor)>;

/// Copies the graph inputs of a problem and hands them out, then the outputs. Both stay where they are.
std::vector<Tensor> bind_tensors(const Problem& problem, Outputs& outputs, const BindTensor& bind_input,
                                 const BindTensor& bind_output);

}  // namespace cellproof::lab::bench
