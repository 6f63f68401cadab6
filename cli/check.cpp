#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "campaign/check_directory.hpp"
#include "campaign/check_model.hpp"
#include "campaign/check_model_text.hpp"
#include "campaign/check_tally.hpp"
#include "campaign/explain_finding.hpp"
#include "campaign/failing_nodes.hpp"
#include "campaign/json_lines_file.hpp"
#include "campaign/model_comparison.hpp"
#include "campaign/model_input_choices.hpp"
#include "campaign/progress.hpp"
#include "cli/command.hpp"
#include "cli/presence.hpp"
#include "cli/worker_options.hpp"
#include "engines/registry.hpp"
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
  std::string exported;
  std::string layout = "onnx";
  bool strict = false, list = false;
  std::vector<std::string> engines{std::string(campaign::recording_engine)};
  campaign::InputChoices inputs;
  WorkerArguments worker;
};

std::optional<ContractId> contract_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto id = contract_named(text);
  if (!id)
    throw std::invalid_argument(fmt::format("--contract {}: expected an id of `cellproof list contracts`", text));
  return id;
}

int check_folders(const std::vector<std::string>& paths, const CheckArguments& arguments,
                  campaign::JsonLinesFile& json) {
  const auto directories = campaign::directories_to_check(paths, arguments.outputs);
  const std::optional<ContractId> contract = contract_of(arguments.contract);
  const bool is_framework = arguments.layout == "framework";
  campaign::CheckTally tally;
  {
    campaign::Progress progress("check", static_cast<std::int64_t>(directories.size()));
    for (const auto& [directory, outputs] : directories) {
      for (const campaign::CheckedDataSet& checked :
           campaign::check_directory(directory, {outputs, contract, is_framework})) {
        tally.add(checked.finding);
        json.add(reports::check_json_line(checked.path, checked.data_set, checked.opset, checked.finding));
        const bool is_open = checked.finding.judgement.verdict == Verdict::Undecided;
        if (arguments.json != "-" && (!checked.finding.pass || is_open))
          fmt::print("{}", campaign::explain_finding(checked.finding));
      }
      progress.advance(tally.text());
    }
  }
  if (arguments.json != "-") fmt::print("{}\n", tally.text());
  return tally.exit_code(arguments.strict);
}

int check_model(const std::string& path, const CheckArguments& arguments, campaign::JsonLinesFile& json) {
  const corpus::WholeModel model = corpus::read_whole_model(path);
  if (arguments.list) {
    fmt::print("{}", arguments.json.empty() ? campaign::listing_of(model) : campaign::json_listing_of(model));
    return ok;
  }
  const bool prints = arguments.json != "-";
  const engines::WorkerOptions options = worker_options_for_model(arguments.worker, model.unmodified.size());
  std::unique_ptr<engines::WorkerEngine> recorder;
  const auto make_recorder = [&] {
    if (!recorder) recorder = engines::make_engine(campaign::recording_engine, options);
    return recorder.get();
  };
  const corpus::ModelInputs inputs = campaign::inputs_of(model, arguments.inputs);
  const campaign::ModelCheck check(model, inputs, make_recorder);
  if (prints) fmt::print("{}", campaign::inputs_text(model, inputs, arguments.inputs));
  std::optional<int> code;
  std::vector<campaign::CheckedModel> all;
  for (const std::string& argument : arguments.engines) {
    const auto engine = engines::make_engine(argument, options);
    int own = nothing_ran;
    if (presence_of(*engine, argument) == Presence::Here) {
      const campaign::CheckedModel& checked = all.emplace_back(check.on(*engine, contract_of(arguments.contract)));
      if (!checked.remarks.empty()) json.add(campaign::engine_json(model, checked));
      for (const campaign::CheckedNode& node : checked.nodes) json.add(campaign::node_json(model, node));
      if (prints) fmt::print("{}", campaign::model_text(checked));
      const std::string written =
          arguments.exported.empty() ? "" : campaign::write_failing_nodes(model, checked, arguments.exported);
      if (prints) fmt::print("{}", written);
      own = campaign::ModelTally(checked).exit_code(arguments.strict);
    }
    code = code ? campaign::worse_of(*code, own) : own;
  }
  if (prints) fmt::print("{}", campaign::comparison_text(all));
  return code.value_or(nothing_ran);
}

int check(const CheckArguments& arguments) {
  campaign::JsonLinesFile json(arguments.list ? "" : arguments.json);
  std::optional<int> code;
  std::vector<std::string> folders;
  for (const std::string& path : arguments.paths) {
    if (!fs::exists(path)) throw std::invalid_argument(fmt::format("{}: no such file or folder", path));
    if (fs::is_directory(path)) {
      folders.push_back(path);
      continue;
    }
    const int own = check_model(path, arguments, json);
    code = code ? campaign::worse_of(*code, own) : own;
  }
  if (!folders.empty()) {
    const int own = check_folders(folders, arguments, json);
    code = code ? campaign::worse_of(*code, own) : own;
  }
  json.close();
  return code.value_or(nothing_ran);
}

}  // namespace

void add_check(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Judge backend tests, or the nodes of a model");
  command->add_option("PATH", arguments->paths, "Folders of backend tests, or model files; required")
      ->option_text("...")
      ->required();
  command->add_option("--json", arguments->json, "Write a JSON object per data set or node (-: stdout)")
      ->option_text("FILE");
  command->add_option("--outputs", arguments->outputs, "Judge outputs at the same paths below this folder")
      ->option_text("DIR");
  command->add_option("--layout", arguments->layout, "Outputs are onnx (default) or framework: [N,T,D*H]")
      ->option_text("NAME")
      ->check(CLI::IsMember({"onnx", "framework"}));
  command->add_option("--contract", arguments->contract, "Judge the outputs under this contract")->option_text("ID");
  command->add_flag("--strict", arguments->strict, "Exit with 1 where nothing could be decided, too");
  command->add_flag("--list", arguments->list, "List a model's recurrent nodes, and run nothing");
  command->add_option("--engine", arguments->engines, "Run models on this engine (default: onnxruntime)")
      ->option_text("ENGINE")
      ->allow_extra_args(false);
  command->add_option("--inputs", arguments->inputs.from, "Take a model's inputs from here (default: drawn)")
      ->option_text("NPZ|DIR");
  command->add_option("--export", arguments->exported, "Write a model's failing nodes here, as backend tests")
      ->option_text("DIR");
  command->add_option("--seed", arguments->inputs.seed, "Random seed of drawn inputs (default: 1)")->option_text("N");
  command->add_option("--shape", arguments->inputs.shape, "Sizes that the model leaves open: T=60,N=3")
      ->option_text("SIZES");
  command->add_option("--value", arguments->inputs.value, "Fill drawn inputs with a number: sr=16000")
      ->option_text("VALUES");
  add_worker_options(*command, arguments->worker);
  command->footer(
      "Examples:\n  cellproof check model.onnx --shape T=60,N=3\n"
      "  cellproof check --json - exported --outputs my_runtime_outputs");
  command->callback([arguments, &work] { work = [arguments] { return check(*arguments); }; });
}

}  // namespace cellproof::cli
