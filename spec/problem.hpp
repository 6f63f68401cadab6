#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "spec/attributes.hpp"
#include "spec/operator.hpp"
#include "spec/presentation.hpp"
#include "spec/tensor.hpp"

namespace cellproof {

/// Form of an input or output in the node. Absent: not written (only trailing ones can be). Empty: written as "".
enum class Presence { Absent, Empty, Given };

/// Source of the tensor of a given input in the model.
enum class Source { Initializer, GraphInput, ConstantNode };
/// "initializer", "graph", "constant"
std::string_view name(Source source);
std::optional<Source> source_named(std::string_view text);

struct Input {
  Presence presence = Presence::Absent;
  Source source = Source::GraphInput;
  std::optional<Tensor> tensor;  ///< set exactly when presence == Given
  friend bool operator==(const Input&, const Input&) = default;
};

/// A node with concrete tensors: the only thing that the reference, the judge and the engines see. It may be invalid:
/// spec/rules says whether it is, and by which rule.
struct Problem {
  OperatorVersion version;
  Attributes attributes;
  std::vector<Input> inputs;      ///< by position; shorter than the operator's list when trailing ones are absent
  std::vector<Presence> outputs;  ///< by position; Given = asked for
  Presentation presentation = {};

  /// The tensor at a position, or nullptr where none is given.
  const Tensor* input(std::size_t position) const;
  bool asks_for(std::size_t output_position) const;
  friend bool operator==(const Problem&, const Problem&) = default;
};

/// Is initial_c the tensor of initial_h, as the presentation says? Both must be given from one place, with one value.
bool shares_states(const Problem& problem);

/// Must whoever runs the model feed a tensor for the input at this position?
bool is_fed(const Problem& problem, std::size_t position);

enum class Direction { Forward, Reverse, Bidirectional };
std::string_view name(Direction direction);
std::optional<Direction> direction_named(std::string_view text);

/// The sizes of a valid problem.
struct Dimensions {
  std::int64_t T;  ///< steps
  std::int64_t N;  ///< batch
  std::int64_t I;  ///< input size
  std::int64_t H;  ///< hidden size
  std::int64_t D;  ///< directions
};

/// Sizes read from the shapes of X and R, from `direction` and `layout`.
/// Throws std::invalid_argument when X or R is missing or their ranks are wrong; checks nothing else.
Dimensions dimensions_of(const Problem& problem);

}  // namespace cellproof
