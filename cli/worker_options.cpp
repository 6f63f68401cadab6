#include "cli/worker_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "campaign/seconds.hpp"

namespace cellproof::cli {

void add_worker_options(CLI::App& command, WorkerArguments& arguments) {
  command.add_option("--case-timeout", arguments.case_timeout, "Limit a case (default: 20 or more) and a start (30)")
      ->option_text("SECONDS");
  command.add_flag("--clean-env", arguments.clean_env, "Give workers a minimal environment");
  command.add_option("--engine-env", arguments.engine_env, "Keep this variable with --clean-env; repeatable")
      ->option_text("VARIABLE")
      ->allow_extra_args(false);
}

engines::WorkerOptions worker_options_of(const WorkerArguments& arguments) {
  engines::WorkerOptions options;
  if (arguments.case_timeout) {
    campaign::check_seconds("--case-timeout", *arguments.case_timeout);
    options.case_timeout = std::chrono::milliseconds(static_cast<std::int64_t>(*arguments.case_timeout * 1000));
    options.is_case_timeout_fixed = true;
    options.start_timeout = std::min(options.start_timeout, options.case_timeout);
  }
  for (const std::string& name : arguments.engine_env) {
    if (name.empty() || name.find('=') != std::string::npos)
      throw std::invalid_argument(fmt::format("--engine-env {}: expected the NAME of an environment variable", name));
    if (!arguments.clean_env)
      throw std::invalid_argument(
          fmt::format("--engine-env {}: expected --clean-env beside it; without it workers inherit everything", name));
  }
  options.environment.clean = arguments.clean_env;
  options.environment.passed = arguments.engine_env;
  return options;
}

engines::WorkerOptions worker_options_for_model(const WorkerArguments& arguments, std::size_t bytes) {
  constexpr std::size_t bytes_a_second = std::size_t{16} << 20;
  engines::WorkerOptions options = worker_options_of(arguments);
  if (!arguments.case_timeout) options.case_timeout += std::chrono::seconds(bytes / bytes_a_second);
  return options;
}

}  // namespace cellproof::cli
