#pragma once

#include <cstdint>
#include <functional>

#include "spec/case.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle::testing {

/// T=5 N=3 I=4 H=6 with all optional inputs but sequence_lens, after `change`.
Case some_case(Operator op, ElementType type = ElementType::Float, const std::function<void(Case&)>& change = {});
Problem some_problem(Operator op, ElementType type = ElementType::Float, const std::function<void(Case&)>& change = {});

/// A case drawn from a seed: activations, parameters, clip, lengths, directions, layout, sizes, optional inputs.
Case drawn_case(Operator op, ElementType type, std::uint64_t seed);

/// One row with weights as frameworks draw them at first, for as many steps as an utterance has; only last states are
/// asked for.
Problem trained_like(Operator op, std::int64_t T, int H, double gain, std::uint64_t seed = 20261125);

/// Gives sequence_lens the values.
void give_lengths(Case& c, const std::vector<double>& lengths);

}  // namespace cellproof::oracle::testing
