#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engines/serve.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "lab/mutation/commands.hpp"

namespace cellproof::lab {
namespace {

/// A mutant behind the worker protocol: right where its fault cannot act, and in all nodes but `only` where that is
/// given. Nodes are told apart by W, and counted as they come.
class MutantWorker : public engines::Engine {
 public:
  MutantWorker(const mutants::Mutant& mutant, std::optional<std::size_t> only) : mutant_(mutant), only_(only) {}

  engines::EngineDescription describe() override { return {"mutant", mutant_.id, std::nullopt}; }
  engines::Support supports(const Problem&) override { return {}; }
  Outcome run(const Problem& problem) override {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ran;
    if (!mutants::is_for_mutants(problem)) {
      outcome.kind = OutcomeKind::Rejected;
      outcome.message = "an invalid node";
    } else if (is_wrong(problem) && mutants::applies(problem, mutant_)) {
      outcome.outputs = mutants::run(problem, mutant_);
    } else {
      outcome.outputs = mutants::run_without_fault(problem);
    }
    return outcome;
  }

 private:
  bool is_wrong(const Problem& problem) {
    if (!only_) return true;
    const auto& W = problem.inputs.at(input::W).tensor;
    auto found = std::ranges::find(weights_, W);
    if (found == weights_.end()) found = weights_.insert(found, W);
    return static_cast<std::size_t>(found - weights_.begin()) == *only_;
  }

  const mutants::Mutant& mutant_;
  std::optional<std::size_t> only_;
  std::vector<std::optional<Tensor>> weights_;  ///< of the nodes so far
};

int serve_mutant(const std::string& fault, std::optional<std::size_t> only) {
  const mutants::Mutant* mutant = mutants::mutant_named(fault);
  if (mutant == nullptr)
    throw std::invalid_argument(fault + ": no fault, expected one that `cellproof list faults` names");
  MutantWorker worker(*mutant, only);
  return engines::serve(worker);
}

}  // namespace

void add_engine(CLI::App& mutants, Work& work) {
  auto fault = std::make_shared<std::string>();
  CLI::App* command = mutants.add_subcommand("engine", "Serve a wrong implementation as a worker, for --engine");
  command->add_option("FAULT", *fault, "Have this fault; required")->option_text(" ")->required();
  auto only = std::make_shared<std::optional<std::size_t>>();
  command->add_option("--node", *only, "Have it in the node that comes after so many others, and in no other");
  command->callback([fault, only, &work] { work = [fault, only] { return serve_mutant(*fault, *only); }; });
}

}  // namespace cellproof::lab
