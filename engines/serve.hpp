#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine.hpp"
#include "engines/protocol.hpp"

namespace cellproof::engines {

/// A RUN request as it came over the wire; it borrows its bytes.
struct ModelRequest {
  std::string_view model;                 ///< serialised ModelProto
  std::vector<std::string> input_names;   ///< of the graph inputs, in the graph's order
  std::vector<std::string_view> inputs;   ///< their TensorProtos, serialised
  std::vector<std::string> output_names;  ///< of the graph outputs, in the graph's order
  std::uint64_t number = 0;               ///< of the request; serve() gives it back with the answer
};

/// Result of a run. `outputs`: serialised TensorProtos in the graph's order, where it ran.
struct ModelReply {
  OutcomeKind kind = OutcomeKind::Ran;  ///< RAN, NOT_SUPPORTED, REJECTED or OUT_OF_MEMORY
  std::string message;
  std::vector<std::string> outputs;
  std::vector<std::uint32_t> inputs_crc32;  ///< of the graph inputs' elements after the run; empty: not said
  Timings timings;
};

/// Interface behind a worker that takes models as they are: a runtime with a loader of its own.
class ModelRunner {
 public:
  virtual ~ModelRunner() = default;
  virtual EngineDescription describe() = 0;
  virtual Support supports(std::string_view model) = 0;
  virtual ModelReply run(const ModelRequest& request) = 0;
};

/// The worker's side of the protocol: answers requests until BYE or the end of the stream, and returns the exit code.
/// std::bad_alloc is answered as OUT_OF_MEMORY; any other exception ends the process, as it should.
int serve(ModelRunner& runner, int requests = request_descriptor, int replies = reply_descriptor);

/// The same for an engine that takes problems: models are read, inputs bound, outputs written. A model that cannot be
/// read is REJECTED.
int serve(Engine& engine, int requests = request_descriptor, int replies = reply_descriptor);

}  // namespace cellproof::engines
