#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::oracle::testing {

/// Evaluation mode of an honest engine: every choice here is one that the specification leaves open.
struct Style {
  enum class Order { Forward, Backward, Pairwise, Lanes, Wide };
  enum class Bias { First, Last, Split };
  enum class Kernel { Library, Literal, Clamped };
  ElementType sums = ElementType::Float;      ///< every addition and product of a sum is rounded to it
  ElementType elements = ElementType::Float;  ///< every other operation is
  Order order = Order::Forward;
  Bias bias = Bias::First;
  Kernel kernel = Kernel::Library;
  bool fused = false;            ///< products are not rounded before they are added
  bool unrounded_state = false;  ///< the next step starts from the wide value
  bool stored = false;           ///< pre-activations, gates and C pass through the tensor's type
  bool flushed = false;          ///< subnormals become 0
  int operand_bits = 53;         ///< significant bits that a factor of a matrix product keeps (TF32: 11)
};

/// Fault of a dishonest one.
enum class Fault {
  None,
  GatesSwapped,
  PeepholeUsesOldCell,
  RecurrentBiasDropped,
  TanhOff,
  InitialCellIgnored,
  CouplingIgnored,
  ResetFlipped,
  LastColumnDropped,
  LengthOneShort,
  CellStoredIn16Bits,
  ClipIgnored,
  UpdateGateInverted,
  BiasTwice,
};

/// Computes a valid LSTM, GRU or RNN in the given style; returns all three (or two) outputs that were asked for.
Outputs compute(const Problem& problem, const Style& style = {}, Fault fault = Fault::None);

/// Takes one step of an LSTM in a direction, on products that come from elsewhere: `sum` gives those of a row (gate * H
/// + unit) with the biases. Replaces C and returns H.
std::vector<double> lstm_step(const Problem& problem, std::int64_t direction,
                              const std::function<double(std::int64_t)>& sum, std::vector<double>& C, Fault fault);

}  // namespace cellproof::oracle::testing
