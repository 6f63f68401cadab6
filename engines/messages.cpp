#include "engines/messages.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <boost/crc.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "corpus/model.hpp"
#include "engines/one_line.hpp"

namespace cellproof::engines {
namespace {

using Json = nlohmann::json;

constexpr double longest_believable_seconds = 1e6;

std::atomic<std::uint64_t> last_number = 0;

/// Names as corpus::to_model gives them to graph inputs and outputs; those beyond the operator's list exist only in
/// invalid problems.
std::string graph_name(std::span<const std::string_view> names, std::size_t position, std::string_view kind) {
  return position < names.size() ? std::string(names[position]) : fmt::format("{}_{}", kind, position);
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string list = "[";
  for (const auto& name : names) list += fmt::format("{}\"{}\"", list.size() > 1 ? "," : "", name);
  return list + "]";
}

std::vector<std::size_t> positions_asked(const Problem& problem) {
  std::vector<std::size_t> asked;
  for (std::size_t k = 0; k < problem.outputs.size(); ++k)
    if (problem.asks_for(k)) asked.push_back(k);
  return asked;
}

/// An answer's JSON as a message may quote it: without what differs from call to call.
std::string quoted(const Frame& reply) {
  Json json = Json::parse(reply.json, nullptr, false);
  if (!json.is_object()) return one_line(reply.json, 120);
  for (const char* const key : {"number", "printed", "timings"}) json.erase(key);
  return one_line(json.dump(-1, ' ', false, Json::error_handler_t::replace), 120);
}

[[noreturn]] void refuse(const Frame& reply, const std::string& why) {
  throw ProtocolError(fmt::format("answered {} (kind {}), which is not what the protocol asks for: {}", quoted(reply),
                                  static_cast<int>(reply.kind), why));
}

Json object_of(const Frame& reply) {
  Json json = Json::parse(reply.json, nullptr, false);
  if (!json.is_object()) refuse(reply, "its JSON is no object");
  return json;
}

std::string text_of(const Frame& reply, const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return "";
  if (!found->is_string()) refuse(reply, fmt::format("{} must be a string", key));
  return one_line(found->get_ref<const std::string&>());
}

double seconds_of(const Frame& reply, const Json& timings, const char* key) {
  const auto found = timings.find(key);
  if (found == timings.end()) return 0;
  const double seconds = found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (!(seconds >= 0 && seconds <= longest_believable_seconds))
    refuse(reply, fmt::format("timings.{} must be seconds", key));
  return seconds;
}

Timings timings_of(const Frame& reply, const Json& json) {
  const auto found = json.find("timings");
  if (found == json.end()) return {};
  if (!found->is_object()) refuse(reply, "timings must be an object");
  return {seconds_of(reply, *found, "prepare"), seconds_of(reply, *found, "run"), seconds_of(reply, *found, "release")};
}

bool changed_inputs(const Frame& reply, const Json& json, const std::vector<std::uint32_t>& sent) {
  const auto found = json.find("inputs_crc32");
  if (found == json.end()) return false;
  if (!found->is_array() || found->size() != sent.size())
    refuse(reply, fmt::format("inputs_crc32 must be an array of {}", sent.size()));
  bool changed = false;
  for (std::size_t k = 0; k < sent.size(); ++k) {
    const Json& value = (*found)[k];
    if (!value.is_number_unsigned()) refuse(reply, "inputs_crc32 must hold unsigned numbers");
    changed |= value.get<std::uint64_t>() != sent[k];
  }
  return changed;
}

Outcome ran(const Frame& reply, const Json& json, const RunRequest& request) {
  Outcome outcome{.kind = OutcomeKind::Ran, .message = {}, .signal = 0, .outputs = {}, .misconduct = {}, .timings = {}};
  outcome.timings = timings_of(reply, json);
  if (changed_inputs(reply, json, request.inputs_crc32)) outcome.misconduct.push_back(Misconduct::ChangedInputs);
  const std::size_t asked = request.asked.size(), got = reply.blobs.size();
  outcome.outputs.resize(asked == 0 ? 0 : request.asked.back() + 1);
  for (std::size_t k = 0; k < got; ++k) {
    std::optional<Tensor> tensor;
    try {
      tensor = corpus::from_tensor_proto(reply.blobs[k], fmt::format("output {}", k));
    } catch (const corpus::CorpusError& error) {
      refuse(reply, error.what());
    }
    // Tensors that nobody asked for go behind those asked for, where the judge's count finds them.
    if (k < asked)
      outcome.outputs[request.asked[k]] = std::move(tensor);
    else
      outcome.outputs.push_back(std::move(tensor));
  }
  if (got != asked) outcome.message = fmt::format("answered with {} outputs where {} were asked for", got, asked);
  return outcome;
}

/// The value of a key, where it is an unsigned number.
std::optional<std::uint64_t> unsigned_of(const Frame& reply, const char* key) {
  const Json json = Json::parse(reply.json, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::uint64_t>();
}

/// Multiplications of weights: each of them once for each sequence at each step. 0 where X has no such axes.
double products_of(const Problem& problem) {
  const Tensor* X = problem.input(input::X);
  if (!X || X->rank() < 2) return 0;
  double weights = 0;
  for (const std::size_t position : {input::W, input::R})
    if (const Tensor* tensor = problem.input(position)) weights += static_cast<double>(tensor->size());
  return weights * static_cast<double>(X->shape()[0]) * static_cast<double>(X->shape()[1]);
}

}  // namespace

std::string hello_request() {
  return encode({.kind = FrameKind::Hello, .json = fmt::format("{{\"protocol\":{}}}", protocol_version), .blobs = {}});
}

std::string bye_request() {
  return encode({.kind = FrameKind::Bye, .json = "{}", .blobs = {}});
}

Greeting read_hello(const Frame& reply) {
  if (reply.kind != FrameKind::HelloReply) refuse(reply, "the reply to HELLO was due");
  const Json json = object_of(reply);
  const auto protocol = json.find("protocol");
  if (protocol == json.end() || !protocol->is_number_integer()) refuse(reply, "protocol must be a number");
  if (protocol->get<std::int64_t>() != protocol_version)
    throw Incompatible(fmt::format("it speaks version {} of the worker protocol, and this harness {}",
                                   protocol->get<std::int64_t>(), protocol_version));
  EngineDescription description{text_of(reply, json, "name"), text_of(reply, json, "version"), std::nullopt};
  const auto flag = [&](const char* key) {
    const auto found = json.find(key);
    if (found != json.end() && !found->is_boolean()) refuse(reply, fmt::format("{} must be true or false", key));
    return found != json.end() && found->get<bool>();
  };
  description.takes_threads = flag("threads");
  description.same_bits = flag("same_bits");
  Greeting greeting{std::move(description), flag("numbered")};
  const auto contract = text_of(reply, json, "contract");
  if (contract.empty()) return greeting;
  greeting.description.contract = contract_named(contract);
  if (!greeting.description.contract)
    throw Incompatible(
        fmt::format("it declares the contract \"{}\", which is none of those that `list contracts` shows", contract));
  return greeting;
}

std::string supports_request(const Problem& problem) {
  const std::string model = corpus::to_model(problem);
  return encode({.kind = FrameKind::Supports, .json = "{}", .blobs = {model}});
}

Support read_support(const Frame& reply) {
  if (reply.kind != FrameKind::SupportsReply) refuse(reply, "the reply to SUPPORTS was due");
  const Json json = object_of(reply);
  const auto supported = json.find("supported");
  if (supported == json.end() || !supported->is_boolean()) refuse(reply, "supported must be true or false");
  return {supported->get<bool>(), text_of(reply, json, "reason")};
}

void RunRequest::append(std::string more) {
  if (pieces.size() > 0)
    pieces.add(std::move(more));
  else
    bytes += more;
}

RunRequest run_request(const Problem& problem) {
  const std::string model = corpus::to_model(problem);
  RunRequest request;
  std::vector<std::string> input_names_here, output_names_here, tensors;
  for (std::size_t k = 0; k < problem.inputs.size(); ++k) {
    const Input& given = problem.inputs[k];
    if (!is_fed(problem, k)) continue;
    input_names_here.push_back(graph_name(input_names(problem.version.op), k, "input"));
    tensors.push_back(corpus::to_tensor_proto(*given.tensor, input_names_here.back()));
    request.inputs_crc32.push_back(crc32(given.tensor->bytes()));
  }
  request.asked = positions_asked(problem);
  request.products = products_of(problem);
  for (const auto k : request.asked)
    output_names_here.push_back(graph_name(output_names(problem.version.op), k, "output"));

  request.number = ++last_number;
  const auto json = fmt::format("{{\"number\":{},\"inputs\":{},\"outputs\":{}}}", request.number,
                                quoted_list(input_names_here), quoted_list(output_names_here));
  Frame frame{.kind = FrameKind::Run, .json = json, .blobs = {model}};
  frame.blobs.insert(frame.blobs.end(), tensors.begin(), tensors.end());
  request.bytes = encode(frame, hello_request().size());
  return request;
}

RunRequest run_request(const ModelRun& run) {
  RunRequest request;
  std::vector<std::string> tensors;
  for (std::size_t k = 0; k < run.inputs.size(); ++k) {
    tensors.push_back(corpus::to_tensor_proto(run.inputs[k], run.input_names.at(k)));
    request.inputs_crc32.push_back(crc32(run.inputs[k].bytes()));
  }
  for (std::size_t k = 0; k < run.output_names.size(); ++k) request.asked.push_back(k);
  request.number = ++last_number;
  const Json json{{"number", request.number}, {"inputs", run.input_names}, {"outputs", run.output_names}};
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const Frame frame{.kind = FrameKind::Run, .json = text, .blobs = {tensors.begin(), tensors.end()}};
  request.pieces = encode_pieces(frame, run.model);
  return request;
}

Outcome read_outcome(const Frame& reply, const RunRequest& request) {
  const Json json = object_of(reply);
  const auto without_outputs = [&](OutcomeKind kind) {
    Outcome outcome;
    outcome.kind = kind;
    outcome.message = text_of(reply, json, "message");
    outcome.timings = timings_of(reply, json);
    if (!reply.blobs.empty()) refuse(reply, "it carries outputs");
    return outcome;
  };
  switch (reply.kind) {
    case FrameKind::Ran:
      return ran(reply, json, request);
    case FrameKind::NotSupported:
      return without_outputs(OutcomeKind::NotSupported);
    case FrameKind::Rejected:
      return without_outputs(OutcomeKind::Rejected);
    case FrameKind::OutOfMemory:
      return without_outputs(OutcomeKind::OutOfMemory);
    default:
      refuse(reply, "the reply to RUN was due");
  }
}

std::optional<std::uint64_t> number_of(const Frame& reply) {
  return unsigned_of(reply, "number");
}

std::optional<std::uint64_t> printed_until(const Frame& reply) {
  return unsigned_of(reply, "printed");
}

Death read_death(const Frame& reply) {
  const Json json = object_of(reply);
  const auto number = [&](const char* key, std::uint64_t most) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() > most)
      refuse(reply, fmt::format("{} must be a number from 0 to {}", key, most));
    return found->get<int>();
  };
  return {.exit_code = number("exit_code", 255), .signal = number("signal", SIGRTMAX)};
}

std::uint32_t crc32(std::span<const std::byte> bytes) {
  boost::crc_32_type sum;
  sum.process_bytes(bytes.data(), bytes.size());
  return sum.checksum();
}

}  // namespace cellproof::engines
