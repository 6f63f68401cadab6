#pragma once

#include "cli/command.hpp"

namespace cellproof::lab {

using campaign::ExitCode;
using cli::Work;
using enum campaign::ExitCode;

/// One function a subcommand: declares options and help, and sets `work` when the subcommand was chosen.
void add_mutants(CLI::App& app, Work& work);
void add_calibrate(CLI::App& app, Work& work);
void add_precisions(CLI::App& app, Work& work);
void add_bench(CLI::App& app, Work& work);
void add_gpu_check(CLI::App& app, Work& work);
void add_same_findings(CLI::App& app, Work& work);
void add_vectors(CLI::App& app, Work& work);
void add_accuracy(CLI::App& app, Work& work);

}  // namespace cellproof::lab
