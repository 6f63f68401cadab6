#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fuzz/guided/resolved_node.hpp"
#include "spec/problem.hpp"

namespace cellproof::lab::zoo {

/// Outputs of a node, still without layout; values need not be rounded to the type yet.
struct PlainOutputs {
  std::vector<double> Y;         ///< [time][direction][batch][unit]
  std::vector<double> Y_h, Y_c;  ///< [direction][batch][unit]

  explicit PlainOutputs(const fuzz::ResolvedNode& node);
  double* y(const fuzz::ResolvedNode& node, std::size_t t, std::size_t d, std::size_t n);
  double* h(const fuzz::ResolvedNode& node, std::size_t d, std::size_t n);
  double* c(const fuzz::ResolvedNode& node, std::size_t d, std::size_t n);
};

/// The tensors that the problem asks for, in the node's layout, each value rounded to its type.
Outputs put_together(const Problem& problem, const fuzz::ResolvedNode& node, const PlainOutputs& outputs);

}  // namespace cellproof::lab::zoo
