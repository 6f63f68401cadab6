#include "campaign/check_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "corpus/model.hpp"
#include "engines/protocol.hpp"
#include "oracle/decide.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

/// A node in a loop is judged in so many of its calls, the first ones.
constexpr std::size_t most_calls = 64;

/// Order of findings from the best to the worst.
int weight_of(const Finding& finding) {
  const int verdict = finding.judgement.verdict ? severity(*finding.judgement.verdict) : 0;
  constexpr int fails = 100;
  return verdict + (finding.pass ? 0 : fails);
}

std::optional<Dimensions> sizes_of(const Problem& problem) {
  try {
    return dimensions_of(problem);
  } catch (const std::invalid_argument&) {  // an invalid node, which the judgement tells
    return std::nullopt;
  }
}

std::string outcome_text(const Outcome& outcome) {
  return fmt::format("{}{}{}", name(outcome.kind), outcome.message.empty() ? "" : ": ", outcome.message);
}

/// The faults that were named in nodes before this one, or in calls before this one.
std::vector<const oracle::Fault*> faults_named_before(const CheckedModel& checked, const CheckedNode& here) {
  std::vector<const oracle::Fault*> found;
  const auto add = [&](const CheckedNode& node) {
    for (const std::string& id : node.finding.judgement.faults) {
      const oracle::Fault* fault = oracle::fault_named(id);
      if (fault != nullptr && std::ranges::find(found, fault) == found.end()) found.push_back(fault);
    }
  };
  std::ranges::for_each(checked.nodes, add);
  add(here);
  return found;
}

/// An engine mostly has one mistake in all its nodes: the whole list of faults is gone through where those that were
/// named before explain nothing.
Judgement judged(const Problem& problem, const Expectation& expectation, const Outcome& outcome,
                 const oracle::Knowledge& known, const std::vector<const oracle::Fault*>& likely) {
  Judgement judgement;
  if (!likely.empty()) judgement = oracle::decide(problem, expectation, {outcome}, known, likely);
  const bool is_explained = judgement.verdict && (judgement.verdict != Verdict::Diverges || !judgement.faults.empty());
  return is_explained ? judgement : oracle::decide(problem, expectation, {outcome}, known);
}

/// Has the model sizes without a number? Then its nodes have them, too, as far as anybody knows.
bool has_symbols(const corpus::WholeModel& model) {
  return std::ranges::any_of(model.inputs, [](const corpus::DeclaredTensor& input) {
    return !input.shape || std::ranges::any_of(*input.shape, [](const auto& declared) { return !declared.size; });
  });
}

/// Runs a node alone with symbols for its sizes where the model has such, or with numbers where the engine takes no
/// others.
Outcome run_alone(engines::WorkerEngine& engine, Problem& node, bool with_symbols) {
  if (with_symbols) {
    node.presentation.dims = Dims::All;
    Outcome outcome = engine.run(node);
    if (outcome.kind != OutcomeKind::Rejected && outcome.kind != OutcomeKind::NotSupported) return outcome;
    node.presentation.dims = Dims::Static;
  }
  return engine.run(node);
}

/// Judges a call, and keeps what is said of it where it is the worst so far.
void judge_call(corpus::NodeCall call, engines::WorkerEngine* alone_on, bool with_symbols, const CheckedModel& checked,
                std::optional<ContractId> declared, const Finding& blank, CheckedNode& result) {
  Outcome outcome;
  if (alone_on != nullptr) {
    outcome = run_alone(*alone_on, call.problem, with_symbols);
  } else {
    outcome.kind = OutcomeKind::Ran;
    outcome.outputs = std::move(call.outputs);
  }
  Finding finding = blank;
  if (const Tensor* x = call.problem.input(input::X)) finding.type = x->type();
  finding.expectation = expectation_of(call.problem);
  finding.outcome = outcome.kind;
  finding.outcome_message = outcome.message;
  const auto contract = declared ? declared : checked.engine.contract;
  finding.judgement =
      judged(call.problem, finding.expectation, outcome, {contract}, faults_named_before(checked, result));
  finding.pass = oracle::passes_gate(outcome, finding.judgement, contract);
  if (result.calls++ > 0 && weight_of(finding) <= weight_of(result.finding)) return;
  result.finding = std::move(finding);
  result.sizes = sizes_of(call.problem);
  result.quantisation = quantisation_effect(*result.node, call);
  result.failing_call.reset();
  if (!result.finding.pass && outcome.kind == OutcomeKind::Ran)
    result.failing_call = {std::move(call.problem), std::move(outcome.outputs), {}};
}

}  // namespace

/// A run of the model as it is, and one with taps.
struct ModelCheck::Recording {
  Outcome plain, tapped;
  std::vector<std::string> changed;  ///< outputs that differ between the two
  Outputs taps;
};

ModelCheck::ModelCheck(const corpus::WholeModel& model, const corpus::ModelInputs& inputs, Recorder recorder)
    : model_(model), inputs_(inputs), recorder_(std::move(recorder)) {
  if (!model.nodes.empty()) return;
  const auto& others = model.other_recurrences;
  throw corpus::CorpusError(fmt::format("{}: no recurrent operator, expected LSTM, GRU, RNN or DynamicQuantizeLSTM{}",
                                        model.path.string(),
                                        others.empty() ? "" : fmt::format(" ({})", fmt::join(others, "; "))));
}

ModelCheck::Recording ModelCheck::record(engines::WorkerEngine& engine) const {
  engines::ModelRun run{model_.unmodified, {}, inputs_.tensors, {}};
  for (const auto& input : model_.inputs) run.input_names.push_back(input.name);
  for (const auto& output : model_.outputs)
    if (output.type) run.output_names.push_back(output.name);
  Recording recording;
  recording.plain.kind = OutcomeKind::Ran;
  const std::size_t own = run.output_names.size();
  if (own > 0) recording.plain = engine.run(run);
  if (recording.plain.kind != OutcomeKind::Ran) return recording;
  run.output_names.insert(run.output_names.end(), model_.taps.begin(), model_.taps.end());
  run.model = corpus::tapped_pieces(model_);
  recording.tapped = engine.run(run);
  if (recording.tapped.kind != OutcomeKind::Ran) return recording;
  auto& outputs = recording.tapped.outputs;
  if (outputs.size() != run.output_names.size() || recording.plain.outputs.size() != own) {
    recording.tapped.kind = OutcomeKind::Crashed;
    recording.tapped.message =
        fmt::format("answered with {} outputs where {} were asked for", outputs.size(), run.output_names.size());
    return recording;
  }
  for (std::size_t k = 0; k < own; ++k)
    if (outputs[k] != recording.plain.outputs[k]) recording.changed.push_back(run.output_names[k]);
  recording.taps.assign(std::make_move_iterator(outputs.begin() + static_cast<std::ptrdiff_t>(own)),
                        std::make_move_iterator(outputs.end()));
  return recording;
}

CheckedNode ModelCheck::check(const corpus::RecurrentNode& node, const Outputs& taps, engines::WorkerEngine* alone_on,
                              const CheckedModel& checked, std::optional<ContractId> declared) const {
  CheckedNode result;
  result.node = &node;
  result.alone = alone_on != nullptr;
  Finding blank;
  blank.engine = checked.engine.name;
  blank.engine_version = checked.engine.version;
  blank.suite = "check";
  blank.case_name = node.path;
  blank.case_line = fmt::format("model:{}:{}", model_.path.string(), node.path);
  blank.version = node.version;
  blank.given_contract = declared;
  result.finding = blank;
  try {
    const std::size_t calls = std::min(most_calls, corpus::count_calls(model_, node, taps));
    for (std::size_t k = 0; k < calls; ++k)
      judge_call(corpus::call_of(model_, node, taps, k), alone_on, has_symbols(model_), checked, declared, blank,
                 result);
  } catch (const corpus::CorpusError& error) {  // the engine's tensors do not fit together
    result.calls = 1;
    result.finding = std::move(blank);
    result.failing_call.reset();  // of a call before this one
    result.finding.outcome = OutcomeKind::Crashed;
    result.finding.outcome_message = error.what();
  }
  return result;
}

CheckedModel ModelCheck::on(engines::WorkerEngine& engine, std::optional<ContractId> declared) const {
  CheckedModel checked;
  checked.engine = engine.describe();
  Recording recording = record(engine);
  const bool runs = recording.plain.kind == OutcomeKind::Ran,
             runs_tapped = runs && recording.tapped.kind == OutcomeKind::Ran;
  checked.run = runs ? recording.tapped : recording.plain;
  checked.run.outputs.clear();
  checked.outputs = std::move(recording.plain.outputs);
  for (const auto& output : model_.outputs)
    if (output.type) checked.output_names.push_back(output.name);
  engines::WorkerEngine* alone_on = nullptr;
  if (!recording.changed.empty()) {
    checked.remarks.push_back(
        fmt::format("the taps change this engine's output {} (it computes another way then): each node "
                    "is run alone, with the tensors recorded",
                    fmt::join(recording.changed, ", ")));
    alone_on = &engine;
  }
  if (!runs_tapped) {
    const bool is_too_large = model_.unmodified.size() > engines::max_frame_bytes;
    checked.remarks.push_back(
        is_too_large
            ? fmt::format("was not asked: the model has {} bytes, and {} is the most that a worker takes with its "
                          "inputs; cut the part with the recurrent nodes out (onnx.utils.extract_model), and "
                          "check that file",
                          model_.unmodified.size(), engines::max_frame_bytes)
            : fmt::format("{} {}", runs ? "runs the model, but not with taps:" : "does not run the whole model:",
                          outcome_text(checked.run)));
    const bool refuses = checked.run.kind == OutcomeKind::Rejected || checked.run.kind == OutcomeKind::NotSupported;
    if (refuses && !inputs_.open.empty())
      checked.remarks.push_back(
          fmt::format("the inputs are drawn: --inputs gives your own, --shape sets {}", fmt::join(inputs_.open, ", ")));
    const bool is_recorder = checked.engine.name == recording_engine;
    engines::WorkerEngine* recorder = refuses && !is_recorder ? recorder_() : nullptr;
    if (recorder == nullptr) return checked;
    const std::string by = recorder->describe().name;
    recording = record(*recorder);
    if (recording.tapped.kind != OutcomeKind::Ran) {
      checked.remarks.push_back(
          fmt::format("{} records no tensors for it: {}", by,
                      outcome_text(recording.plain.kind == OutcomeKind::Ran ? recording.tapped : recording.plain)));
      return checked;
    }
    checked.remarks.push_back(fmt::format("each node is run alone, with tensors recorded by {}", by));
    alone_on = &engine;
  }
  for (const corpus::RecurrentNode& node : model_.nodes) {
    CheckedNode result = check(node, recording.taps, alone_on, checked, declared);
    if (result.failing_call && (alone_on == nullptr || has_symbols(model_)))
      result.needed = needed_presentation(result.failing_call->problem, result.failing_call->outputs,
                                          [&](const Problem& problem) { return engine.run(problem); },
                                          {declared ? declared : checked.engine.contract});
    checked.nodes.push_back(std::move(result));
  }
  return checked;
}

}  // namespace cellproof::campaign
