#pragma once

#include <cstdint>

namespace cellproof::oracle {

/// Ways of an implementation where neither the pages nor a reading fix one, beside infinities and NaN. `Any`: all of
/// it is admitted, and what depends on it is called unspecified.
struct EvaluationMode {
  /// Results of the comparisons of clip, Relu, ThresholdedRelu and HardSigmoid for NaN: NaN, or what they give at -inf
  /// or at +inf.
  enum class OfNan : std::uint8_t { Any, Kept, AsLowest, AsHighest };
  /// Functions that have a limit at infinity, where their formula is inf / inf.
  enum class AtInfinity : std::uint8_t { Any, Limit, Formula };
  /// (1 - z) a + z b, or a + z (b - a).
  enum class Blend : std::uint8_t { Any, AsWritten, Shorter };
  /// A tensor that is absent, "assumed to be 0", beside an infinite factor: multiplied, or left out.
  enum class Absent : std::uint8_t { Any, Multiplied, LeftOut };

  OfNan nan = OfNan::Any;
  AtInfinity at_infinity = AtInfinity::Any;
  Blend blend = Blend::Any;
  Absent state = Absent::Any, peephole = Absent::Any;
};

}  // namespace cellproof::oracle
