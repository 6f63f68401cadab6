#pragma once

#include <cstddef>
#include <vector>

#include "engines/zoo/plain_node.hpp"

namespace cellproof::engines::mutants {

using zoo::PlainDirection;
using zoo::PlainNode;

// Changes to a node that a faulty implementation would not notice: each is what it makes of its inputs.

/// One of the three peepholes is taken for 0.
void drop_peephole(PlainNode& node, std::size_t which);
/// Within each gate, row j of R becomes its column j.
void transpose_R(PlainNode& node);
/// All values multiplied; 0 drops them.
void scale(std::vector<double>& values, double factor);
/// W and R rounded to this many significant bits.
void round_weights(PlainNode& node, int bits);
/// The values of a parameter move on by one among the functions that take one.
void rotate_parameters(PlainNode& node, float zoo::PlainFunction::*parameter);
/// All functions that take the parameter get the value of the first of them.
void share_first_parameter(PlainNode& node, float zoo::PlainFunction::*parameter);
/// Every function gets its default alpha (beta).
void forget_alphas(PlainNode& node);
void forget_betas(PlainNode& node);
/// Every sequence starts from the initial state of the first.
void share_first_state(PlainNode& node);

}  // namespace cellproof::engines::mutants
