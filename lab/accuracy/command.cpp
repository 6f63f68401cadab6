#include "lab/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include "lab/accuracy/use_of_bounds.hpp"

namespace cellproof::lab {
namespace {

struct AccuracyArguments {
  std::int64_t steps = 1'000'000;
  int jobs = 0;
  std::uint64_t seed = 0;
};

int print_use(const AccuracyArguments& arguments) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto rows = measure_steps(arguments.steps, arguments.jobs > 0 ? arguments.jobs : cores, arguments.seed);
  fmt::print("{:<30} {:>7} {:>9} {:>11} {:>24} {:>24} {:>24}\n", "error / bound: median, worst", "n up to", "steps",
             "elements", "page's formula", "certified", "running");
  std::int64_t steps = 0, elements = 0, exceeded = 0;
  double widest = 0;
  for (const StepRow& row : rows) {
    fmt::print("{:<30} {:>7} {:>9} {:>11}", row.output, row.most_terms, row.steps, row.use.front().elements());
    for (const BoundUse& use : row.use) {
      fmt::print(" {:>24}", fmt::format("{:.2f} % {:>6.1f} %", 100 * use.median(), 100 * use.worst()));
      exceeded += use.exceeded();
    }
    fmt::print("\n");
    elements += row.use.front().elements();
    if (!row.output.ends_with("Y_c")) steps += row.steps;
    widest = std::max(widest, row.widest_certified);
  }
  fmt::print("{} honest steps, {} elements, {} beyond a bound; certified bounds are up to {:.3f} of the page's\n",
             steps, elements, exceeded, widest);
  return exceeded == 0 && steps > 0 ? ok : unexpected;
}

}  // namespace

void add_accuracy(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<AccuracyArguments>();
  CLI::App* command = app.add_subcommand(
      "accuracy", "Take honest steps, and measure their errors against the bounds of docs/accuracy/");
  command->add_option("--steps", arguments->steps, "Steps of a row of a cell")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--jobs", arguments->jobs, "Threads (default: all cores)")->check(CLI::PositiveNumber);
  command->add_option("--seed", arguments->seed, "Another sequence of steps");
  command->footer("Example:\n  cellproof lab accuracy --steps 10000000");
  command->callback([arguments, &work] { work = [arguments] { return print_use(*arguments); }; });
}

}  // namespace cellproof::lab
