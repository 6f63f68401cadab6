#pragma once

#include <initializer_list>
#include <string_view>

#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz {

/// Is it an RNN all of whose functions are among these?
bool is_rnn_of(const Problem& problem, std::initializer_list<std::string_view> functions);

/// The node with X, B and the initial hidden state multiplied by a power of two, signed.
Node scaled(const Node& node, double factor);

}  // namespace cellproof::fuzz
