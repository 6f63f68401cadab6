#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "oracle/evaluate.hpp"
#include "oracle/joined/made_outputs.hpp"
#include "spec/joined_node.hpp"

namespace cellproof::oracle {

/// Fate of a hypothesis about all nodes.
struct JoinedEvaluation {
  Verdict verdict = Verdict::Conforms;  ///< of all that was seen
  std::size_t node = 0;                 ///< the first with that verdict, or the last that was seen where all conform
  Judgement judgement;                  ///< of that node

  /// Takes in the fate of a further node.
  void add(std::size_t node, Judgement found);
};

/// Evaluates one hypothesis after another of the same nodes.
class JoinedEvaluator {
 public:
  /// `nodes` must outlive it.
  explicit JoinedEvaluator(const std::vector<JoinedNode>& nodes);

  /// Supposes the hypothesis of all nodes, its faults of node `faulty` alone. nullopt: the faults cannot be there, or
  /// nothing can be said of what they lead to.
  std::optional<JoinedEvaluation> evaluate(const Hypothesis& hypothesis, std::size_t faulty, Depth depth) const;
  /// Supposes that nothing is wrong, and remembers how far off that takes each node's outputs.
  std::optional<JoinedEvaluation> evaluate_default(const Hypothesis& hypothesis, Depth depth);

  /// Is a fault's hypothesis so wrong that its bound need not be computed? Known once all conform or not by default.
  bool is_out_of_reach(const Hypothesis& hypothesis, std::size_t faulty) const;

  /// The node, and those before it that it rests on unseen.
  std::vector<std::size_t> behind(std::size_t node) const;
  /// Work of one hypothesis, in weights and steps.
  double work() const;

 private:
  using Made = std::vector<std::vector<MadeTensor>>;  ///< by node and output

  std::vector<double> take_X(std::size_t node, const Made& made, Problem& problem) const;
  bool make(std::size_t node, const Observed& seen, const Hypothesis& hypothesis, bool is_quick, Made& made) const;
  std::optional<JoinedEvaluation> evaluated(const Hypothesis& hypothesis, std::size_t faulty, Depth depth,
                                            bool is_quick, Made& made) const;

  const std::vector<JoinedNode>& nodes_;
  std::vector<bool> is_taken_unseen_;  ///< some later node takes what it gives, and nobody saw that
  Made by_default_;
};

}  // namespace cellproof::oracle
