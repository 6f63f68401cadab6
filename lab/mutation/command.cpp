#include <CLI/CLI.hpp>

#include "lab/mutation/commands.hpp"

namespace cellproof::lab {

void add_mutants(CLI::App& app, Work& work) {
  CLI::App* mutants = app.add_subcommand("mutants", "Measure suites, laws and searches by deliberately wrong engines");
  mutants->require_subcommand(1);
  add_score(*mutants, work);
  add_attribution(*mutants, work);
  add_composite(*mutants, work);
  add_reduce(*mutants, work);
  add_laws(*mutants, work);
  add_edges(*mutants, work);
  add_engine(*mutants, work);
}

}  // namespace cellproof::lab
