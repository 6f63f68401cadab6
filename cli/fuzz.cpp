#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/campaign_command.hpp"
#include "cli/command_line.hpp"
#include "fuzz/endless.hpp"

namespace cellproof::cli {
namespace {

constexpr double usual_seconds = 60;

struct FuzzArguments {
  std::vector<std::string> only;
  std::vector<std::string> laws;
  CampaignArguments campaign;
};

int fuzz(const FuzzArguments& arguments, const std::string& command_line) {
  // Refuses what it does not know before anything is started.
  std::vector<corpus::Suite> suites = fuzz::endless_suites(arguments.campaign.seed, arguments.only, arguments.laws);
  return run_campaign(arguments.campaign, command_line, [&] { return suites; });
}

}  // namespace

void add_fuzz(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<FuzzArguments>();
  CampaignArguments& shared = arguments->campaign;
  shared.output = "cellproof-fuzz";
  shared.seconds = usual_seconds;
  shared.seconds_option = "--time";
  CLI::App* command = app.add_subcommand("fuzz", "Judge engines on endless cases and write the report");
  command->add_option("--time", shared.seconds, "Stop after this time, shared among the engines")
      ->option_text("SECONDS")
      ->capture_default_str();
  command->add_option("--seed", shared.seed, "Set the random seed")->option_text("N")->capture_default_str();
  command
      ->add_option("--only", arguments->only,
                   fmt::format("Try only {} (default: all)", fmt::join(fuzz::endless_kinds, ", ")))
      ->option_text("KIND,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--law", arguments->laws, "Try this law and no other; repeatable")
      ->option_text("LAW")
      ->allow_extra_args(false);
  add_campaign_options(*command, shared);
  command->footer(
      "Examples:\n  cellproof fuzz --engine onnxruntime --time 120 --jobs 2\n"
      "  cellproof fuzz --engine onnxruntime --seed 7 --baseline before.sqlite");
  command->callback([arguments, &work] { work = [arguments] { return fuzz(*arguments, command_line()); }; });
}

}  // namespace cellproof::cli
