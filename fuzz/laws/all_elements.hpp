#pragma once

#include <cstddef>

#include "fuzz/law.hpp"

namespace cellproof::fuzz {

/// Each element of each output that the problem asks for, padding included, is the same in both runs.
void add_all_elements(const Problem& problem, std::size_t left_run, std::size_t right_run, Experiment& experiment);

}  // namespace cellproof::fuzz
