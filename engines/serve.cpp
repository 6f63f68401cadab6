#include "engines/serve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "corpus/model.hpp"
#include "engines/file_descriptor.hpp"
#include "engines/messages.hpp"

namespace cellproof::engines {
namespace {

using Json = nlohmann::json;

/// The harness has gone, or is no harness: nothing is left to do.
class Disconnected : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::optional<Frame> receive(int descriptor, FrameReader& reader) {
  for (;;) {
    if (auto frame = reader.next()) return frame;
    // Not a byte more than this request: the next one may be in the pipe already, and belongs to whoever serves then.
    const auto room = reader.space();
    const auto got = read_some(descriptor, room.data(), std::min(room.size(), reader.missing()));
    if (got.what == Transfer::Closed) return std::nullopt;
    if (got.what == Transfer::Moved) reader.received(got.count);
  }
}

void reply_with(int descriptor, FrameKind kind, const Json& json, const std::vector<std::string>& blobs = {}) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string bytes = encode({.kind = kind, .json = text, .blobs = {blobs.begin(), blobs.end()}});
  for (std::string_view rest = bytes; !rest.empty();) {
    const auto wrote = write_some(descriptor, rest);
    if (wrote.what == Transfer::Closed) throw Disconnected("the harness reads no more");
    if (wrote.what == Transfer::Moved) rest.remove_prefix(wrote.count);
  }
}

Json hello_of(const EngineDescription& description) {
  Json json{
      {"protocol", protocol_version}, {"name", description.name}, {"version", description.version}, {"numbered", true}};
  if (description.contract) json["contract"] = name(*description.contract);
  if (description.takes_threads) json["threads"] = true;
  if (description.same_bits) json["same_bits"] = true;
  return json;
}

ModelRequest request_of(const Frame& frame) {
  if (frame.blobs.empty()) throw ProtocolError("a RUN request without a model");
  const Json json = Json::parse(frame.json);
  ModelRequest request{.model = frame.blobs.front(),
                       .input_names = json.at("inputs").get<std::vector<std::string>>(),
                       .inputs = {frame.blobs.begin() + 1, frame.blobs.end()},
                       .output_names = json.at("outputs").get<std::vector<std::string>>(),
                       .number = json.value("number", std::uint64_t{0})};
  if (request.inputs.size() != request.input_names.size())
    throw ProtocolError(
        fmt::format("{} tensors for {} graph inputs", request.inputs.size(), request.input_names.size()));
  return request;
}

FrameKind frame_kind(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::Ran:
      return FrameKind::Ran;
    case OutcomeKind::NotSupported:
      return FrameKind::NotSupported;
    case OutcomeKind::Rejected:
      return FrameKind::Rejected;
    case OutcomeKind::OutOfMemory:
      return FrameKind::OutOfMemory;
    default:
      throw std::logic_error(fmt::format("a worker cannot report {} of itself", name(kind)));
  }
}

ModelReply run_guarded(ModelRunner& runner, const ModelRequest& request) {
  try {
    return runner.run(request);
  } catch (const std::bad_alloc& error) {
    ModelReply reply;
    reply.kind = OutcomeKind::OutOfMemory;
    reply.message = error.what();
    return reply;
  }
}

void answer_run(ModelRunner& runner, const Frame& frame, int replies) {
  const ModelRequest request = request_of(frame);
  const ModelReply reply = run_guarded(runner, request);
  Json json{{"number", request.number},
            {"timings",
             {{"prepare", reply.timings.prepare}, {"run", reply.timings.run}, {"release", reply.timings.release}}}};
  if (const auto printed = printed_so_far()) json["printed"] = *printed;
  if (!reply.message.empty()) json["message"] = reply.message;
  if (!reply.inputs_crc32.empty()) json["inputs_crc32"] = reply.inputs_crc32;
  reply_with(replies, frame_kind(reply.kind), json, reply.outputs);
}

void answer(ModelRunner& runner, const Frame& frame, int replies) {
  switch (frame.kind) {
    case FrameKind::Hello:
      return reply_with(replies, FrameKind::HelloReply, hello_of(runner.describe()));
    case FrameKind::Supports: {
      if (frame.blobs.empty()) throw ProtocolError("a SUPPORTS request without a model");
      const auto support = runner.supports(frame.blobs.front());
      return reply_with(replies, FrameKind::SupportsReply,
                        {{"supported", support.supported}, {"reason", support.reason}});
    }
    case FrameKind::Run:
      return answer_run(runner, frame, replies);
    default:
      throw ProtocolError(fmt::format("a request of kind {}, which is none", static_cast<int>(frame.kind)));
  }
}

/// Problems for an engine out of models.
class EngineRunner : public ModelRunner {
 public:
  explicit EngineRunner(Engine& engine) : engine_(engine) {}

  EngineDescription describe() override { return engine_.describe(); }

  Support supports(std::string_view model) override {
    try {
      return engine_.supports(corpus::from_model(model, "the model").problem);
    } catch (const corpus::CorpusError& error) {
      return {false, error.what()};
    }
  }

  ModelReply run(const ModelRequest& request) override {
    try {
      return run_node(corpus::from_model(request.model, "the model"), request);
    } catch (const corpus::CorpusError& error) {
      ModelReply reply;
      reply.kind = OutcomeKind::Rejected;
      reply.message = error.what();
      return reply;
    }
  }

 private:
  ModelReply run_node(const corpus::ModelNode& node, const ModelRequest& request) {
    if (node.graph_inputs != request.input_names)
      throw corpus::CorpusError("the model: its graph inputs are not those of the request");
    std::vector<Tensor> tensors;
    for (std::size_t k = 0; k < request.inputs.size(); ++k)
      tensors.push_back(corpus::from_tensor_proto(request.inputs[k], node.graph_inputs[k]));
    const Problem problem = corpus::bind_inputs(node, std::move(tensors), "the request");

    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome = engine_.run(problem);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

    ModelReply reply;
    reply.kind = outcome.kind;
    reply.message = outcome.message;
    reply.timings.run = elapsed.count();
    for (const std::size_t position : node.input_positions)
      reply.inputs_crc32.push_back(crc32(problem.input(position)->bytes()));
    for (std::size_t k = 0; k < node.output_positions.size(); ++k) {
      const std::size_t position = node.output_positions[k];
      if (position < outcome.outputs.size() && outcome.outputs[position])
        reply.outputs.push_back(corpus::to_tensor_proto(*outcome.outputs[position], node.graph_outputs[k]));
    }
    return reply;
  }

  Engine& engine_;
};

}  // namespace

int serve(ModelRunner& runner, int requests, int replies) {
  FrameReader reader;
  try {
    while (const auto frame = receive(requests, reader)) {
      if (frame->kind == FrameKind::Bye) return 0;
      answer(runner, *frame, replies);
    }
  } catch (const Disconnected&) {
    return 0;
  }
  return 0;
}

int serve(Engine& engine, int requests, int replies) {
  EngineRunner runner(engine);
  return serve(runner, requests, replies);
}

}  // namespace cellproof::engines
