#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::fuzz {

/// Gate work (small_case.hpp) of a case made of bytes: 17 units on 17 inputs have room for one step in both directions.
constexpr std::int64_t most_gate_work = 1200;

/// Reads a fuzzer's bytes: every string of bytes makes a small valid case, and bytes near each other make cases near
/// each other. Read from the front, with zeros behind the end: one byte for the operator's version, one for the number
/// of steps (its highest bit: literal values), two for each step (which axis, which of its values), two for the seed;
/// with literal values, the rest are the bytes of X, again and again until it is full. Where sizes are large together,
/// T and N are taken smaller (most_gate_work).
Case case_of_bytes(std::span<const std::uint8_t> bytes);

/// Bytes that make a case with the axis values of `c`, as far as small cases have them: seeds for the fuzzer.
std::vector<std::uint8_t> bytes_of(const Case& c);

}  // namespace cellproof::fuzz
