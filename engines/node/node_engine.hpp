#pragma once

#include <memory>
#include <span>
#include <string>

#include "engines/engine.hpp"
#include "optimized/node/cellproof_node.h"

namespace cellproof::engines {

/// A node that one of the libraries of optimized/ has prepared. Its end releases the plan.
class NodePlan {
 public:
  virtual ~NodePlan() = default;
  virtual cellproof_status run(const void* const* inputs, void* const* outputs, std::span<char> message) = 0;
};

/// A plan by the library's own functions.
template <class Plan, auto run_plan, auto release_plan>
class NodePlanOf : public NodePlan {
 public:
  explicit NodePlanOf(Plan* plan) : plan_(plan) {}
  NodePlanOf(const NodePlanOf&) = delete;
  NodePlanOf& operator=(const NodePlanOf&) = delete;
  ~NodePlanOf() override { release_plan(plan_); }
  cellproof_status run(const void* const* inputs, void* const* outputs, std::span<char> message) override {
    return run_plan(plan_, inputs, outputs, message.data(), message.size());
  }

 private:
  Plan* plan_;
};

/// Drives a library of optimized/: a problem to a C node, a status to an outcome. Weights that are initializers are
/// constants of the plan, all others come with the run.
class NodeEngine : public Engine {
 public:
  Support supports(const Problem& problem) override;
  /// Throws std::runtime_error where the machine fails: this process can do nothing more with it.
  Outcome run(const Problem& problem) override;

 protected:
  /// `runs`: how often each plan computes its problem; other bits than the first time are misconduct.
  explicit NodeEngine(int runs) : runs_(runs) {}

 private:
  /// Leaves `plan` alone where the status is not OK; `message` says why.
  virtual cellproof_status prepare(const cellproof_node& node, std::unique_ptr<NodePlan>& plan,
                                   std::span<char> message) = 0;
  /// Is a node that the library calls NOT_SUPPORTED for that reason known to be beyond it?
  virtual bool is_a_known_limit(const std::string& reason) const = 0;
  OutcomeKind kind_of(cellproof_status status, const std::string& message) const;

  int runs_;
};

}  // namespace cellproof::engines
