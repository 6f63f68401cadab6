#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <string>

#include "engines/serve.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "lab/mutation/commands.hpp"

namespace cellproof::lab {
namespace {

/// A mutant behind the worker protocol: right where its fault cannot act.
class MutantWorker : public engines::Engine {
 public:
  explicit MutantWorker(const mutants::Mutant& mutant) : mutant_(mutant) {}

  engines::EngineDescription describe() override { return {"mutant", mutant_.id, std::nullopt}; }
  engines::Support supports(const Problem&) override { return {}; }
  Outcome run(const Problem& problem) override {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ran;
    if (!mutants::is_for_mutants(problem)) {
      outcome.kind = OutcomeKind::Rejected;
      outcome.message = "an invalid node";
    } else if (mutants::applies(problem, mutant_)) {
      outcome.outputs = mutants::run(problem, mutant_);
    } else {
      outcome.outputs = mutants::run_without_fault(problem);
    }
    return outcome;
  }

 private:
  const mutants::Mutant& mutant_;
};

int serve_mutant(const std::string& fault) {
  const mutants::Mutant* mutant = mutants::mutant_named(fault);
  if (mutant == nullptr)
    throw std::invalid_argument(fault + ": no fault, expected one that `cellproof list faults` names");
  MutantWorker worker(*mutant);
  return engines::serve(worker);
}

}  // namespace

void add_engine(CLI::App& mutants, Work& work) {
  auto fault = std::make_shared<std::string>();
  CLI::App* command = mutants.add_subcommand("engine", "Serve a wrong implementation as a worker, for --engine");
  command->add_option("FAULT", *fault, "Have this fault; required")->option_text(" ")->required();
  command->callback([fault, &work] { work = [fault] { return serve_mutant(*fault); }; });
}

}  // namespace cellproof::lab
