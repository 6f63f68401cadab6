#pragma once

namespace cellproof::oracle {

/// Sets what happens where the libraries below the balls (GMP, FLINT, Arb) are refused memory: they are C, and no
/// exception may pass them. `end` must not return. Call it before any ball is made.
void on_refused_memory(void (*end)());

}  // namespace cellproof::oracle
