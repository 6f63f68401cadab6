#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/surroundings/moves.hpp"

namespace cellproof::corpus {

/// Axes, shapes and indices by which a node moves: attributes, or inputs of which the numbers are known.
class Parameters {
 public:
  Parameters(const onnx::NodeProto& node, const Operands& inputs, const std::string& where)
      : node_(node), inputs_(inputs), where_(where) {}

  std::int64_t integer(const char* attribute, std::int64_t otherwise) const;
  /// A list of integers: the attribute, or the input at the position; nullopt where there is neither.
  std::optional<std::vector<std::int64_t>> integers(const char* attribute, std::size_t position) const;
  /// The operand at the position. Throws CorpusError where it is missing.
  const Operand& operand(std::size_t position) const;
  std::size_t operand_count() const { return inputs_.size(); }
  std::size_t output_count() const;
  /// An axis of a tensor, counted from its end where negative, below `rank`.
  std::size_t axis(std::int64_t written, std::size_t rank) const;
  [[noreturn]] void fail(const std::string& what, const std::string& expected) const;

 private:
  const onnx::NodeProto& node_;
  const Operands& inputs_;
  const std::string& where_;
};

/// Elements of a tensor of a foreign model; refuses what no honest model has (2^28 elements and more).
std::size_t count_of(const Shape& shape, const Parameters& parameters);

}  // namespace cellproof::corpus
