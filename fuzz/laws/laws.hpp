#pragma once

#include <span>

#include "fuzz/law.hpp"

/// The laws by family: each is a function that returns nothing where its precondition does not hold, and a row of its
/// family's table, both in the family's file. Unless its comment says "bit by bit", the two runs may differ by what
/// certified bounds of honest rounding leave open.
namespace cellproof::fuzz {

/// A law that an engine keeps bit by bit where it promises so.
inline Law with_promised_bits(Law law) {
  law.keeps_promised_bits = true;
  return law;
}

/// Laws on defaults: what is not written is as good as its default, and nothing depends on how it is written.
std::span<const Law> absent_laws();
/// Calls of one engine leave nothing behind, and versions compute the same.
std::span<const Law> calls_laws();
/// Directions share nothing but X and the lengths, and differ in nothing but the order of steps.
std::span<const Law> directions_laws();
/// Gates, biases and what couples them.
std::span<const Law> gates_laws();
/// Rows, features and units have no order.
std::span<const Law> permutations_laws();
/// One node, put before the engine in different ways.
std::span<const Law> presentation_laws();
/// DynamicQuantizeLSTM and the numbers that its integers stand for.
std::span<const Law> quantised_laws();
/// Numbers multiplied by a power of two or by -1.
std::span<const Law> scales_laws();
/// Steps that come later, and steps that are not there.
std::span<const Law> time_laws();

}  // namespace cellproof::fuzz
