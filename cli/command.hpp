#pragma once

#include <functional>

#include "campaign/exit_code.hpp"

namespace CLI {
class App;
}

namespace cellproof::cli {

using campaign::ExitCode;
using enum campaign::ExitCode;

/// Work that a subcommand hands to main, to be done once the whole command line was understood. Returns an exit
/// code.
using Work = std::function<int()>;

/// One function a subcommand, one file each: declares options and help, and sets `work` when the subcommand was chosen.
void add_run(CLI::App& app, Work& work);
void add_check(CLI::App& app, Work& work);
void add_replay(CLI::App& app, Work& work);
void add_reduce(CLI::App& app, Work& work);
void add_fuzz(CLI::App& app, Work& work);
void add_install(CLI::App& app, Work& work);
void add_judge(CLI::App& app, Work& work);
void add_export(CLI::App& app, Work& work);
void add_vectors(CLI::App& app, Work& work);
void add_report(CLI::App& app, Work& work);
void add_merge(CLI::App& app, Work& work);
void add_list(CLI::App& app, Work& work);
void add_doctor(CLI::App& app, Work& work);
/// The last: it writes of all others.
void add_completion(CLI::App& app, Work& work);

}  // namespace cellproof::cli
