#include "campaign/check_directory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "campaign/check_joined.hpp"
#include "corpus/backend_test.hpp"
#include "corpus/files.hpp"
#include "corpus/framework_layout.hpp"
#include "corpus/models/whole_model.hpp"
#include "oracle/decide.hpp"
#include "oracle/nearest_node.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

constexpr std::uint64_t largest_model_read = std::uint64_t{1} << 31;

Finding unreadable(const std::string& path, const std::string& reason) {
  Finding finding;
  finding.engine = "files";
  finding.suite = "check";
  finding.case_line = "dir:" + path;
  finding.judgement.verdict = Verdict::Unreadable;
  finding.judgement.reason.found = reason;
  return finding;
}

/// A hint for a directory whose model holds more than one node; "" for any other.
std::string hint_for(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / "model.onnx";
  try {
    corpus::from_model(corpus::read_file(file, largest_model_read), file.string(), directory.string());
    return "";
  } catch (const corpus::CorpusError&) {  // then it may be a whole model
  }
  try {
    const corpus::WholeModel model = corpus::read_whole_model(file);
    if (!model.nodes.empty())
      return fmt::format("; `cellproof check {}` judges its {} recurrent {} as an engine runs the model", file.string(),
                         model.nodes.size(), model.nodes.size() == 1 ? "node" : "nodes");
    return model.other_recurrences.empty()
               ? ""
               : fmt::format("; it has no recurrent operator ({})", fmt::join(model.other_recurrences, "; "));
  } catch (const corpus::CorpusError&) {
    return "";
  }
}

bool has_any(const Outputs& outputs) {
  return std::ranges::any_of(outputs, [](const auto& output) { return output.has_value(); });
}

/// A model that must be refused, with nothing beside it: whoever ran it, or wrote it, refused it. Said so, or only
/// found.
Judgement refused(const Expectation& expectation, const std::optional<std::string>& declared_clause, bool foreign_run) {
  Judgement judgement;
  const Violation& violation = expectation.violations.front();
  if (declared_clause || foreign_run) {
    judgement.verdict = Verdict::RefusedAsExpected;
    judgement.reason.found =
        fmt::format("must be refused and has no outputs: {} ({})", violation.message, violation.clause);
  } else {
    judgement.verdict = Verdict::Undecided;
    judgement.reason.found = fmt::format("the model is invalid by rule {}: {} ({}); no outputs to judge",
                                         violation.rule, violation.message, violation.clause);
  }
  return judgement;
}

/// Several recurrent nodes in one graph.
Finding check_joined(const corpus::BackendTest& test, const corpus::DataSet& data_set, const OutputsGiven& given,
                     Finding finding) {
  const bool has_outputs =
      std::ranges::any_of(data_set.joined, [](const JoinedNode& node) { return has_any(node.outputs); });
  if (!has_outputs)
    return unreadable(
        test.path.string(),
        fmt::format("test_data_set_{}: no outputs, expected outputs.npz or output_K.pb files", data_set.number));
  judge_joined_nodes(data_set.joined, given.contract, finding);
  return finding;
}

/// Returns what would make the outputs right: the orientation of frameworks, or one change of the node; "" where
/// nothing is known that does.
std::string words_that_help(const Problem& problem, const Outputs& outputs, const OutputsGiven& given) {
  const oracle::Knowledge known{given.contract};
  if (!given.has_framework_layout) {
    Outcome turned;
    turned.kind = OutcomeKind::Ran;
    turned.outputs = corpus::from_framework_layout(problem, outputs);
    if (turned.outputs != outputs && oracle::verdict_on(problem, {turned}) == Verdict::Conforms)
      return "; they are right in the orientation of frameworks: --layout framework";
  }
  const std::optional<std::string> change = oracle::nearest_node(problem, outputs, known);
  return change ? fmt::format("; they are right for this node {}", *change) : "";
}

Finding check_data_set(const corpus::BackendTest& test, const corpus::DataSet& data_set, const OutputsGiven& given) {
  const std::optional<ContractId> declared = given.contract;
  Finding finding;
  finding.engine = "files";
  finding.suite = "check";
  finding.number = data_set.number;
  finding.case_line = "dir:" + test.path.string();
  if (!data_set.joined.empty()) return check_joined(test, data_set, given, std::move(finding));
  finding.version = data_set.problem.version;
  finding.expectation = expectation_of(data_set.problem);
  const bool must_refuse = finding.expectation.kind == Expectation::Kind::Refuse;
  if (test.refuse_clause && !must_refuse) {
    return unreadable(
        test.path.string(),
        fmt::format("data.json says the model must be refused ({}), but it breaks no rule", *test.refuse_clause));
  }
  if (!has_any(data_set.outputs)) {
    if (must_refuse) {
      finding.outcome = OutcomeKind::Rejected;
      finding.judgement = refused(finding.expectation, test.refuse_clause, !given.from.empty());
      finding.pass = finding.judgement.verdict == Verdict::RefusedAsExpected;
      return finding;
    }
    const bool asks = std::ranges::count(data_set.problem.outputs, Presence::Given) > 0;
    if (asks)
      return unreadable(
          test.path.string(),
          fmt::format("test_data_set_{}: no outputs, expected outputs.npz or output_K.pb files", data_set.number));
  }
  if (const Tensor* x = data_set.problem.input(input::X)) finding.type = x->type();
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  const bool puts_right = given.has_framework_layout && !must_refuse;
  outcome.outputs = puts_right ? corpus::from_framework_layout(data_set.problem, data_set.outputs) : data_set.outputs;
  finding.outcome = outcome.kind;
  finding.judgement = oracle::decide(data_set.problem, finding.expectation, {outcome}, {declared});
  finding.pass = oracle::passes_gate(outcome, finding.judgement, declared);
  finding.given_contract = declared;
  if (finding.judgement.verdict == Verdict::Diverges && !must_refuse)
    finding.judgement.reason.besides += words_that_help(data_set.problem, outcome.outputs, given);
  return finding;
}

}  // namespace

std::vector<CheckedDataSet> check_directory(const std::filesystem::path& directory, const OutputsGiven& given) {
  std::vector<CheckedDataSet> checked;
  try {
    const corpus::BackendTest test = corpus::read_backend_test(directory, given.from);
    for (const corpus::DataSet& data_set : test.data_sets) {
      checked.push_back({directory.string(), data_set.number, test.opset, check_data_set(test, data_set, given)});
    }
    if (checked.empty()) {
      checked.push_back({directory.string(), std::nullopt, test.opset,
                         unreadable(directory.string(), "expected at least one test_data_set_N, found none")});
    }
  } catch (const corpus::CorpusError& error) {
    checked.clear();
    checked.push_back({directory.string(), std::nullopt, std::nullopt,
                       unreadable(directory.string(), error.what() + hint_for(directory))});
  }
  return checked;
}

}  // namespace cellproof::campaign
