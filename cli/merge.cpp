#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "campaign/merge_stores.hpp"
#include "campaign/run.hpp"
#include "cli/command.hpp"
#include "cli/damage.hpp"
#include "reports/store.hpp"
#include "spec/utf8.hpp"

namespace cellproof::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> stores;
  std::string output;
  bool require_complete = false;
  bool no_causes = false;
};

int merge(const MergeArguments& arguments) {
  const std::vector<std::string> damage = campaign::merge_stores({arguments.stores.begin(), arguments.stores.end()},
                                                                 arguments.output, !arguments.no_causes);
  print_damage(damage);
  const reports::Store merged = reports::Store::open_read_only(arguments.output);
  fmt::print("{}: {} findings of {} stores\n", arguments.output, merged.findings().size(), arguments.stores.size());
  const std::vector<std::string> left = merged.metadata().not_run;
  for (const std::string& cases : left) fmt::print("not run: {}\n", visible_text(cases));
  if (!damage.empty()) return bad_input;
  return left.empty() || !arguments.require_complete ? ok : incomplete;
}

}  // namespace

void add_merge(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command = app.add_subcommand("merge", "Make one store of shards or of several engines");
  command->add_option("STORE", arguments->stores, "Read these stores of `cellproof run`; required")
      ->option_text("...")
      ->required();
  command->add_option("-o,--output", arguments->output, "Make this store, which must not exist; required")
      ->option_text("FILE")
      ->required();
  command->add_flag("--no-causes", arguments->no_causes, "Leave the causes to `run --resume` on the new store");
  command->add_flag("--require-complete", arguments->require_complete, "Exit with 4 where something is missing");
  command->footer(
      "Examples:\n  cellproof merge a.sqlite b.sqlite -o all.sqlite\n"
      "  cellproof merge --require-complete shards/*.sqlite -o all.sqlite");
  command->callback([arguments, &work] { work = [arguments] { return merge(*arguments); }; });
}

}  // namespace cellproof::cli
