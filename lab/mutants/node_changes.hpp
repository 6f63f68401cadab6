#pragma once

#include <cstddef>
#include <vector>

#include "fuzz/guided/resolved_node.hpp"

namespace cellproof::lab::mutants {

using fuzz::ResolvedDirection;
using fuzz::ResolvedFunction;
using fuzz::ResolvedNode;

// Changes to a node that a faulty implementation would not notice: each is what it makes of its inputs.

/// One of the three peepholes is taken for 0.
void drop_peephole(ResolvedNode& node, std::size_t which);
/// Within each gate, row j of R becomes its column j.
void transpose_R(ResolvedNode& node);
/// All values multiplied; 0 drops them.
void scale(std::vector<double>& values, double factor);
/// The values of a parameter move on by one among the functions that take one.
void rotate_parameters(ResolvedNode& node, float ResolvedFunction::*parameter);
/// All functions that take the parameter get the value of the first of them.
void share_first_parameter(ResolvedNode& node, float ResolvedFunction::*parameter);
/// Every function gets its default alpha (beta).
void forget_alphas(ResolvedNode& node);
void forget_betas(ResolvedNode& node);
/// Every sequence starts from the initial state of the first.
void share_first_state(ResolvedNode& node);

}  // namespace cellproof::lab::mutants
