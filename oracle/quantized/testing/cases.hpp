#pragma once

#include <cstdint>
#include <functional>

#include "spec/case.hpp"

namespace cellproof::oracle::testing {

/// DynamicQuantizeLSTM with T=5 N=4 I=4 H=6, both directions, lengths 5 2 3 4, every optional input, a scale for each
/// column, after `change`.
Problem rich_problem(const std::function<void(Case&)>& change = {});

/// One drawn from a seed: sizes, directions, lengths, optional inputs, scales per direction or per column, signed or
/// unsigned weights, zero points that differ by column, clip, input_forget, all outputs. Default functions.
Case drawn_case(std::uint64_t seed);

/// Gives both scales, or both zero points, one value for each output column.
void give_column_scales(Case& c);
void give_column_zero_points(Case& c);
void give_lengths_of(Case& c, const std::vector<double>& lengths);

}  // namespace cellproof::oracle::testing
