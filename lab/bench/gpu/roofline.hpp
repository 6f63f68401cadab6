#pragma once

#include "lab/bench/gpu/grid.hpp"

namespace cellproof::lab::bench::gpu {

// Roofline of an H100 for a row: where R is read from, products, and what steps cost that wait for each other. Its
// rates are assumed, none was measured: a bar that it sets is one that our design can meet, and no promise.

/// Seconds that our kernels take by their design.
double design_seconds(const Row& row);

/// Seconds that cuDNN takes at the least, as two launches a step; of GRU without linear_before_reset, the other GRU.
double least_seconds_of_cudnn(const Row& row);

/// Has a row a bar? It has where our kernels are made for it, or cuDNN cannot compute it and the batch is large.
bool has_bar(const Row& row);

/// The bar of a row: the greatest ratio of our time to cuDNN's at which our design still does what it can.
double bar_of_design(const Row& row);

}  // namespace cellproof::lab::bench::gpu
