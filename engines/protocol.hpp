#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "spec/files/pieces.hpp"

namespace cellproof::engines {

/// The wire protocol between harness and worker; docs/worker-protocol.md is its specification for people.
inline constexpr int protocol_version = 1;
inline constexpr int request_descriptor = 3;  ///< the worker reads
inline constexpr int reply_descriptor = 4;    ///< the worker writes
/// Exit code of a worker, before HELLO, when what it drives is not installed; its last line of output says what.
inline constexpr int absent_exit_code = 77;

inline constexpr std::size_t max_frame_bytes = std::size_t{1} << 30;  ///< beyond it a length is taken for garbage
inline constexpr std::size_t max_json_bytes = std::size_t{1} << 20;

/// Requests are below 128, replies above. BYE has no reply.
enum class FrameKind : std::uint8_t {
  Hello = 1,
  Supports = 2,
  Run = 3,
  Bye = 4,
  Try = 16,    ///< from here on of `cellproof judge` (docs/judge-protocol.md), to the harness: a case
  Judge = 17,  ///< outputs
  Make = 18,   ///< the model and the inputs of a case
  List = 19,   ///< the cases of a suite
  HelloReply = 129,
  SupportsReply = 130,
  Ran = 131,
  NotSupported = 132,
  Rejected = 133,
  OutOfMemory = 134,
  Died = 135,    ///< of a worker that computes in a process of its own making: that process is dead
  Judged = 144,  ///< from here on of `cellproof judge`, too
  Listed = 145,
  Refused = 146,
};

/// Is it RAN, NOT_SUPPORTED, REJECTED or OUT_OF_MEMORY? Only these replies carry a request's number.
constexpr bool is_answer_to_run(FrameKind kind) {
  return kind >= FrameKind::Ran && kind <= FrameKind::OutOfMemory;
}

/// One frame; it borrows its bytes.
struct Frame {
  FrameKind kind = FrameKind::Bye;
  std::string_view json = "{}";
  std::vector<std::string_view> blobs;  ///< ModelProto and TensorProtos, each serialised
};

/// Bytes that are no frame: what is wrong with them, and how they begin.
class ProtocolError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The bytes of a frame. Throws std::length_error when it would be longer than max_frame_bytes.
/// `spare`: room for bytes that the caller appends, so that a large frame is not copied for them.
std::string encode(const Frame& frame, std::size_t spare = 0);

/// The bytes of a frame whose first blob is too large to be held. Throws as encode does.
Pieces encode_pieces(const Frame& others, const Pieces& first_blob);

/// Cuts a stream of bytes into frames, whatever the pieces it comes in. What cannot become a frame is refused at its
/// first wrong byte, and an announced length costs no memory until the bytes are there.
class FrameReader {
 public:
  FrameReader();
  /// Returns room for the next bytes; never empty. Invalidates the last frame.
  std::span<char> space();
  /// Counts the bytes that the frame that has begun is known to lack; more than 0. Throws ProtocolError.
  std::size_t missing() const;
  /// `count` bytes have been put there.
  void received(std::size_t count);
  /// The next whole frame, which borrows from this reader until space() is called; nullopt when bytes are missing yet.
  /// Throws ProtocolError.
  std::optional<Frame> next();
  /// Returns what next() would return, and will.
  std::optional<Frame> peek() const;
  /// Is there a beginning of a frame, or anything else, that next() has not given out?
  bool has_leftover() const { return begin_ < end_; }

 private:
  std::string_view pending() const { return {bytes_.get() + begin_, end_ - begin_}; }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_, begin_ = 0, end_ = 0;
};

}  // namespace cellproof::engines
