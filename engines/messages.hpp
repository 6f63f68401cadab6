#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "engines/model_run.hpp"
#include "engines/protocol.hpp"
#include "engines/worker_process.hpp"

namespace cellproof::engines {

/// Messages of the harness to a worker, and of the worker's answers. Every function that reads an answer throws
/// ProtocolError when it is not what the protocol asks for.

std::string hello_request();
std::string bye_request();

/// A worker that cannot work with this harness: another protocol version, a contract that nobody knows.
class Incompatible : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Contents of HELLO's reply.
struct Greeting {
  EngineDescription description;
  bool numbers_answers = false;  ///< each answer to RUN says which request it belongs to
};
/// Throws Incompatible.
Greeting read_hello(const Frame& reply);

/// Asks about the model of the problem. Throws corpus::CorpusError or std::invalid_argument for a problem that no model
/// can hold, std::length_error for one that no frame can.
std::string supports_request(const Problem& problem);
Support read_support(const Frame& reply);

/// A RUN request and what must be known of it when its answer comes.
struct RunRequest {
  std::string bytes;                        ///< "" where it has pieces instead
  Pieces pieces;                            ///< of a whole model
  std::uint64_t number = 0;                 ///< no two requests of this process have the same
  std::vector<std::uint32_t> inputs_crc32;  ///< per graph input
  std::vector<std::size_t> asked;           ///< node positions of the outputs asked for
  double products = 0;                      ///< multiplications of weights in the node's steps; 0 for a whole model

  /// Adds what is to be sent behind it.
  void append(std::string more);
};
/// Throws as supports_request does.
RunRequest run_request(const Problem& problem);
/// The same for a whole model: `asked` are its outputs in their order. Throws std::length_error.
RunRequest run_request(const ModelRun& run);
/// Whichever request the reply says that it answers.
Outcome read_outcome(const Frame& reply, const RunRequest& request);
/// The number of the request that a reply says it answers, if it says one. Never throws.
std::optional<std::uint64_t> number_of(const Frame& reply);

/// Reads how far the worker's log reached when it had this answer, if it says so: what the next request makes it print
/// comes after that. Never throws.
std::optional<std::uint64_t> printed_until(const Frame& reply);

/// Reads how the process ended of which a Died reply tells.
Death read_death(const Frame& reply);

/// CRC-32 as zlib and Python's zlib.crc32 compute it.
std::uint32_t crc32(std::span<const std::byte> bytes);

}  // namespace cellproof::engines
