#include "campaign/judge_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "campaign/case_line.hpp"
#include "campaign/case_trial.hpp"
#include "corpus/model.hpp"
#include "engines/file_descriptor.hpp"
#include "engines/messages.hpp"
#include "engines/protocol.hpp"
#include "fuzz/suites.hpp"
#include "oracle/decide.hpp"
#include "reports/finding_json.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

using engines::Frame;
using engines::FrameKind;
using Json = nlohmann::json;

/// Refuses a request: the reason goes back, and the next one is read.
class CannotServe : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whoever asks has gone.
class Gone : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The two pipes.
class Asker {
 public:
  Asker(int requests, int replies) : requests_(requests), replies_(replies) {}

  /// Borrows from this object until the next call.
  std::optional<Frame> receive() {
    for (;;) {
      if (auto frame = reader_.next()) return frame;
      const auto room = reader_.space();
      const auto got = engines::read_some(requests_, room.data(), room.size());
      if (got.what == engines::Transfer::Closed) return std::nullopt;
      reader_.received(got.count);
    }
  }

  void send(const std::string& bytes) {
    for (std::string_view rest = bytes; !rest.empty();) {
      const auto wrote = engines::write_some(replies_, rest);
      if (wrote.what == engines::Transfer::Closed) throw Gone("nobody reads the replies");
      rest.remove_prefix(wrote.count);
    }
  }

  void send(FrameKind kind, const Json& json, std::vector<std::string_view> parts = {}) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    send(engines::encode({.kind = kind, .json = text, .blobs = std::move(parts)}));
  }

  /// Has the problem run by whoever asks: theirs is the engine.
  Outcome run(const Problem& problem) {
    const engines::RunRequest request = engines::run_request(problem);
    send(request.bytes);
    const auto reply = receive();
    if (!reply) throw Gone("the answer to a run is missing");
    if (reply->kind == FrameKind::Bye) throw CannotServe("the trial was given up");
    try {
      return engines::read_outcome(*reply, request);
    } catch (const engines::ProtocolError& error) {  // as of a worker: what it answered is no answer
      Outcome outcome;
      outcome.kind = OutcomeKind::Crashed;
      outcome.message = error.what();
      return outcome;
    }
  }

 private:
  int requests_, replies_;
  engines::FrameReader reader_;
};

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return "";
  if (!found->is_string()) throw CannotServe(fmt::format("{}: expected a text", key));
  return found->get<std::string>();
}

std::optional<ContractId> contract_of(const Json& json) {
  const std::string id = text_of(json, "contract");
  if (id.empty()) return std::nullopt;
  const auto contract = contract_named(id);
  if (!contract) throw CannotServe(fmt::format("contract {}: expected an id of `cellproof list contracts`", id));
  return contract;
}

EngineUnderTest engine_of(const Json& json) {
  EngineUnderTest engine;
  engine.name = json.contains("engine") ? text_of(json, "engine") : "callable";
  engine.version = text_of(json, "version");
  engine.declared = contract_of(json);
  engine.given = engine.declared.has_value();
  return engine;
}

/// A case, run by whoever asks as often as its verdict needs.
Finding try_case(const Json& json, Asker& asker) {
  const EngineUnderTest engine = engine_of(json);
  Sampling sampling;
  const auto repeat = json.find("repeat");
  if (repeat != json.end() && !repeat->is_boolean()) throw CannotServe("repeat: expected true or false");
  if (repeat != json.end() && repeat->get<bool>()) sampling.repeat_one_in = 1;
  const Trial trial =
      make_trial("judge", 0, {text_of(json, "name"), case_of_line(text_of(json, "case")), text_of(json, "law"), {}});
  const auto ask = [&](const Problem& problem) { return asker.run(problem); };
  std::vector<Outcome> answers;
  if (trial.law == nullptr) answers.push_back(ask(trial.problem));
  return conclude(trial, engine, std::move(answers), ask, sampling);
}

/// The position of each tensor of the message among the graph's names: by its own name, or where it has none by its
/// place.
std::vector<std::size_t> places(const Json& names, const std::vector<std::string>& of_graph, std::string_view what) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string name = names[k].is_string() ? names[k].get<std::string>() : "";
    const auto place = name.empty() ? of_graph.begin() + static_cast<std::ptrdiff_t>(std::min(k, of_graph.size()))
                                    : std::ranges::find(of_graph, name);
    if (place == of_graph.end())
      throw CannotServe(fmt::format("{} {}: the model has {}", what, name.empty() ? std::to_string(k) : name,
                                    fmt::join(of_graph, ", ")));
    found.push_back(static_cast<std::size_t>(place - of_graph.begin()));
  }
  return found;
}

/// Outputs that somebody computed, judged as they are.
Finding judge_outputs(const Json& json, const std::vector<std::string_view>& parts) {
  if (parts.empty()) throw CannotServe("a model is missing");
  const Json inputs = json.value("inputs", Json::array()), outputs = json.value("outputs", Json::array());
  if (!inputs.is_array() || !outputs.is_array()) throw CannotServe("inputs, outputs: expected arrays of names");
  if (parts.size() != 1 + inputs.size() + outputs.size())
    throw CannotServe(
        fmt::format("{} inputs and {} outputs in {} parts", inputs.size(), outputs.size(), parts.size() - 1));
  const corpus::ModelNode node = corpus::from_model(parts[0], "the model");
  std::vector<std::optional<Tensor>> given(node.graph_inputs.size());
  std::size_t part = 1;
  for (const std::size_t place : places(inputs, node.graph_inputs, "input"))
    given[place] = corpus::from_tensor_proto(parts[part++], node.graph_inputs[place]);
  std::vector<Tensor> tensors;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (!given[k]) throw CannotServe(fmt::format("input {} is missing", node.graph_inputs[k]));
    tensors.push_back(*std::move(given[k]));
  }
  const Problem problem = corpus::bind_inputs(node, std::move(tensors), "the inputs");

  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs.resize(problem.outputs.size());
  for (const std::size_t place : places(outputs, node.graph_outputs, "output"))
    outcome.outputs[node.output_positions[place]] = corpus::from_tensor_proto(parts[part++], node.graph_outputs[place]);

  const EngineUnderTest engine = engine_of(json);
  Finding finding;
  finding.engine = engine.name;
  finding.engine_version = engine.version;
  finding.suite = "judge";
  finding.version = problem.version;
  finding.expectation = expectation_of(problem);
  if (const Tensor* x = problem.input(input::X)) finding.type = x->type();
  finding.outcome = outcome.kind;
  finding.judgement = oracle::decide(problem, finding.expectation, {outcome}, {engine.declared});
  finding.pass = oracle::passes_gate(outcome, finding.judgement, engine.declared);
  finding.given_contract = engine.declared;
  return finding;
}

/// The cases of a suite or tier, an object a line.
std::string listed(const std::string& argument) {
  std::string lines;
  for (const std::string& name : fuzz::expand_suite_argument(argument)) {
    const corpus::Suite suite = fuzz::load_suite(name);
    if (suite.is_endless()) throw CannotServe(fmt::format("suite {} has no end", name));
    for (const corpus::SuiteCase& c : suite.cases)
      lines += Json{{"suite", name},
                    {"name", c.name},
                    {"case", to_text(c.c)},
                    {"hash", case_hash(c.c)},
                    {"operator", to_string(c.c.version)},
                    {"law", c.law}}
                   .dump() +
               "\n";
  }
  return lines;
}

void answer(const Frame& frame, Asker& asker) {
  const Json json = Json::parse(frame.json, nullptr, false);
  if (!json.is_object()) throw CannotServe("the JSON of a request must be an object");
  switch (frame.kind) {
    case FrameKind::Try:
      return asker.send(
          engines::encode({.kind = FrameKind::Judged, .json = reports::to_json(try_case(json, asker)), .blobs = {}}));
    case FrameKind::Judge:
      return asker.send(engines::encode(
          {.kind = FrameKind::Judged, .json = reports::to_json(judge_outputs(json, frame.blobs)), .blobs = {}}));
    case FrameKind::Make: {
      const Problem problem = make_problem(case_of_line(text_of(json, "case")));
      return asker.send(engines::run_request(problem).bytes);
    }
    case FrameKind::List: {
      const std::string lines = listed(text_of(json, "suite"));
      return asker.send(FrameKind::Listed, Json::object(), {lines});
    }
    case FrameKind::Hello:
      return asker.send(FrameKind::HelloReply,
                        {{"protocol", engines::protocol_version}, {"version", CELLPROOF_VERSION}});
    default:
      throw engines::ProtocolError(fmt::format("a request of kind {}, which is none", static_cast<int>(frame.kind)));
  }
}

}  // namespace

void serve_judgements(int requests, int replies) {
  Asker asker(requests, replies);
  try {
    while (const auto frame = asker.receive()) {
      if (frame->kind == FrameKind::Bye) return;
      try {
        answer(*frame, asker);
      } catch (const engines::ProtocolError& error) {
        asker.send(FrameKind::Refused, {{"message", error.what()}});
        return;
      } catch (const Gone&) {
        throw;
      } catch (const std::runtime_error& error) {  // CannotServe, corpus::CorpusError, CaseTextError
        asker.send(FrameKind::Refused, {{"message", error.what()}});
      } catch (const std::invalid_argument& error) {
        asker.send(FrameKind::Refused, {{"message", error.what()}});
      }
    }
  } catch (const Gone&) {
    return;
  }
}

}  // namespace cellproof::campaign
