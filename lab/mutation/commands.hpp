#pragma once

#include "lab/command.hpp"

namespace cellproof::lab {

/// The subcommands of `cellproof lab mutants`, one file each.
void add_score(CLI::App& mutants, Work& work);
void add_attribution(CLI::App& mutants, Work& work);
void add_composite(CLI::App& mutants, Work& work);
void add_reduce(CLI::App& mutants, Work& work);
void add_laws(CLI::App& mutants, Work& work);
void add_edges(CLI::App& mutants, Work& work);
void add_engine(CLI::App& mutants, Work& work);

}  // namespace cellproof::lab
