#pragma once

#include <initializer_list>
#include <string_view>

#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz {

/// Is it an RNN all of whose functions are among these?
bool is_rnn_of(const Problem& problem, std::initializer_list<std::string_view> functions);

/// Is every number zero, or at least `smallest` and at most its inverse in magnitude?
bool is_within(double value, double smallest);
bool is_within(const Tensor& tensor, double smallest);

/// The node with X, B and the initial hidden state multiplied by a power of two, signed.
Node scaled(const Node& node, double factor);

}  // namespace cellproof::fuzz
