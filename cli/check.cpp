#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "campaign/check_directory.hpp"
#include "campaign/progress.hpp"
#include "campaign/run.hpp"
#include "cli/command.hpp"
#include "cli/explain_finding.hpp"
#include "cli/json_lines_file.hpp"
#include "corpus/backend_test.hpp"
#include "reports/check_json.hpp"
#include "spec/contract.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

struct CheckArguments {
  std::vector<std::string> paths;
  std::string json;
  std::string outputs;
  std::string contract;
  bool strict = false;
};

std::optional<ContractId> contract_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto id = contract_named(text);
  if (!id)
    throw std::invalid_argument(fmt::format("--contract {}: expected an id of `cellproof list contracts`", text));
  return id;
}

/// The same relative path below --outputs; empty when the option is not given.
fs::path outputs_for(const fs::path& directory, const fs::path& root, const std::string& outputs) {
  if (outputs.empty()) return {};
  const fs::path relative = fs::relative(directory, root);
  return relative == "." ? fs::path(outputs) : fs::path(outputs) / relative;
}

class Tally {
 public:
  void add(const Finding& finding) {
    ++total_;
    unreadable_ += finding.judgement.verdict == Verdict::Unreadable;
    undecided_ += finding.judgement.verdict == Verdict::Undecided;
    failing_ += !finding.pass && finding.judgement.verdict != Verdict::Unreadable;
  }
  std::string text() const {
    return fmt::format("{} judged, {} failing, {} undecided, {} unreadable", total_ - unreadable_, failing_, undecided_,
                       unreadable_);
  }
  int exit_code(bool strict) const {
    if (unreadable_ > 0) return bad_input;
    if (failing_ > 0 || (strict && undecided_ > 0)) return unexpected;
    return total_ == 0 ? nothing_ran : ok;
  }

 private:
  std::int64_t total_ = 0, failing_ = 0, undecided_ = 0, unreadable_ = 0;
};

int check(const CheckArguments& arguments) {
  std::vector<std::pair<fs::path, fs::path>> directories;  // directory, root that it was found below
  for (const std::string& path : arguments.paths) {
    if (!fs::exists(path)) throw std::invalid_argument(fmt::format("{}: no such file or folder", path));
    const auto found = corpus::find_backend_tests(path);
    if (found.empty()) {
      throw std::invalid_argument(
          fmt::format("{}: holds no backend-test directory (a folder with a model.onnx)", path));
    }
    for (const fs::path& directory : found) directories.emplace_back(directory, path);
  }
  const std::optional<ContractId> contract = contract_of(arguments.contract);
  JsonLinesFile json(arguments.json);
  Tally tally;
  {
    campaign::Progress progress("check", static_cast<std::int64_t>(directories.size()));
    for (const auto& [directory, root] : directories) {
      for (const campaign::CheckedDataSet& checked :
           campaign::check_directory(directory, outputs_for(directory, root, arguments.outputs), contract)) {
        tally.add(checked.finding);
        json.add(reports::check_json_line(checked.path, checked.data_set, checked.opset, checked.finding));
        const bool is_open = checked.finding.judgement.verdict == Verdict::Undecided;
        if (arguments.json != "-" && (!checked.finding.pass || is_open))
          fmt::print("{}", explain_finding(checked.finding));
      }
      progress.advance(tally.text());
    }
  }
  json.close();
  if (arguments.json != "-") fmt::print("{}\n", tally.text());
  return tally.exit_code(arguments.strict);
}

}  // namespace

void add_check(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Judge outputs in ONNX backend-test directories");
  command->add_option("PATH", arguments->paths, "Search these folders for backend tests; required")
      ->option_text("...")
      ->required();
  command->add_option("--json", arguments->json, "Write a JSON object per data set (-: stdout)")->option_text("FILE");
  command->add_option("--outputs", arguments->outputs, "Judge outputs at the same paths below this folder")
      ->option_text("DIR");
  command->add_option("--contract", arguments->contract, "Judge the outputs under this contract")->option_text("ID");
  command->add_flag("--strict", arguments->strict, "Exit with 1 where nothing could be decided, too");
  command->footer(
      "Examples:\n  cellproof check my_tests\n  cellproof check --json - exported --outputs my_runtime_outputs");
  command->callback([arguments, &work] { work = [arguments] { return check(*arguments); }; });
}

}  // namespace cellproof::cli
