#pragma once

#include <string>
#include <vector>

#include "corpus/surroundings/operand.hpp"
#include "spec/problem.hpp"

namespace cellproof::corpus {

/// Collects what graph outputs show of the outputs of recurrent nodes, element by element.
class SeenOutputs {
 public:
  /// `shapes`: of each node's outputs.
  explicit SeenOutputs(const std::vector<std::vector<Shape>>& shapes);

  /// A graph output of these elements of nodes, and what was seen of it. Throws CorpusError where its shape is
  /// another, its type unlike what was seen before, or an element unlike itself in another place.
  void add(const std::string& name, const Operand& operand, const std::optional<Tensor>& seen,
           const std::string& where);

  /// Takes the last step of a node's Y for Y_h, if this is all of Y that the graph shows. `batchwise`: layout 1.
  void take_last_step_for_state(std::size_t node, Direction direction, bool batchwise);

  /// Does the graph show all of the output?
  bool shows(std::size_t node, std::size_t output) const;
  /// Size of the part, where the graph shows a part of a node's Y, Y_h or Y_c: "5 of 20 elements of Y"; "" if there is
  /// no such.
  std::string part_text() const;
  /// All of an output that the graph shows, where each part was seen.
  std::optional<Tensor> value(std::size_t node, std::size_t output) const;

 private:
  struct Collected {
    Shape shape;
    std::vector<bool> shown, seen;
    std::optional<Tensor> values;
  };
  std::vector<std::vector<Collected>> nodes_;  ///< by node and output
};

}  // namespace cellproof::corpus
