#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "spec/operator.hpp"
#include "spec/problem.hpp"
#include "spec/values/regime.hpp"

namespace cellproof {

/// Values made by a regime from a seed; what is not said here is the case's own.
struct Generated {
  std::optional<Regime> regime;
  std::optional<std::uint64_t> seed;
  friend bool operator==(const Generated&, const Generated&) = default;
};

/// Recipe of one input of a case. Type and shape follow from the case unless overridden (only invalid cases do, and
/// quantisation parameters, whose shape is [D] or [D,4H]). A literal tensor brings its own type and shape.
struct CaseInput {
  Presence presence = Presence::Absent;
  Source source = Source::GraphInput;
  std::variant<Generated, Tensor> values;
  std::optional<ElementType> type;
  std::optional<Shape> shape;
  friend bool operator==(const CaseInput&, const CaseInput&) = default;
};

/// Recipe of a problem. A case is a value: its canonical one-line text (spec/case_text.hpp) is the whole of it, and
/// the same text makes the same bits on every machine.
struct Case {
  OperatorVersion version;
  ElementType type = ElementType::Float;         ///< T
  ElementType weight_type = ElementType::UInt8;  ///< T2 of DynamicQuantizeLSTM; ignored elsewhere
  std::int64_t T = 1, N = 1, I = 1, H = 1;
  Attributes attributes;  ///< as written in the node, hidden_size included
  std::uint64_t seed = 0;
  Regime regime = Regime::Discriminating;
  std::vector<CaseInput> inputs;  ///< by position; more than the operator has only in invalid cases
  std::vector<Presence> outputs;  ///< by position; Given = asked for
  Presentation presentation = {};
  /// Trailing inputs and outputs that are absent and say nothing else do not count.
  friend bool operator==(const Case& a, const Case& b);
};

/// A valid case with the required inputs given (weights and quantisation parameters as initializers, X as graph input),
/// hidden_size written, and all outputs asked for: the start from which suites and axes build.
Case plain_case(OperatorVersion version, ElementType type, std::int64_t T, std::int64_t N, std::int64_t I,
                std::int64_t H);

/// Input that plain_case has at one position: given where the operator requires it, an initializer where it is a weight
/// or a quantisation parameter; an absent graph input beyond the operator's last.
CaseInput plain_input(Operator op, std::size_t position);

/// The shape that the specification gives an input at this position, overrides not
/// applied. Throws std::out_of_range for a position that the operator does not have.
Shape default_shape(const Case& c, std::size_t input_position);

/// The type that the specification gives an input at this position: T, int32 (sequence_lens) or T2.
ElementType default_type(const Case& c, std::size_t input_position);

/// The same with the input's own overrides applied, literal tensors aside: what is generated there. Beyond the
/// operator's inputs a scalar of type T, where nothing else is said.
Shape generated_shape(const Case& c, std::size_t input_position);
ElementType generated_type(const Case& c, std::size_t input_position);

/// Makes the concrete problem. sequence_lens without literal values is a ragged pattern drawn from the seed, every
/// length in [1, T], the longest T, one shorter where N and T allow it. An absent input or output before a written one
/// becomes Empty, trailing absent ones are left out: what can stand in a node. Throws std::length_error when a tensor
/// would exceed 1 GiB.
Problem make_problem(const Case& c);

/// The same, with zeros for all weights and floating-point values that would be generated: for who looks at no such
/// value.
Problem make_problem_of_zeros(const Case& c);

/// A case with literal tensors that makes the given problem, so that a foreign model has a line to replay, too:
/// make_problem(case_of(p)) == p where p can stand in a node (nothing absent before or behind what is written).
Case case_of(const Problem& problem);

}  // namespace cellproof
