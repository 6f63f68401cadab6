#include "engines/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engines/one_line.hpp"

namespace cellproof::engines {
namespace {

constexpr std::size_t initial_capacity = std::size_t{1} << 20;  // as much as the pipe holds: a small frame is one read
constexpr std::size_t length_bytes = 4;
constexpr std::size_t head_bytes = 1 + length_bytes;  // kind, JSON length

void put_u32(std::string& out, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>((value >> shift) & 0xff));
}

std::size_t get_u32(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t k = 0; k < length_bytes; ++k) value |= std::size_t{static_cast<unsigned char>(bytes[k])} << (8 * k);
  return value;
}

bool is_known(std::uint8_t kind) {
  constexpr std::array known{FrameKind::Hello,      FrameKind::Supports,      FrameKind::Run,  FrameKind::Bye,
                             FrameKind::HelloReply, FrameKind::SupportsReply, FrameKind::Ran,  FrameKind::NotSupported,
                             FrameKind::Rejected,   FrameKind::OutOfMemory,   FrameKind::Died, FrameKind::Try,
                             FrameKind::Judge,      FrameKind::Make,          FrameKind::List, FrameKind::Judged,
                             FrameKind::Listed,     FrameKind::Refused};
  return std::find(known.begin(), known.end(), FrameKind{kind}) != known.end();
}

[[noreturn]] void refuse(std::string_view bytes, const std::string& why) {
  throw ProtocolError(fmt::format("wrote \"{}\", which is no frame: {}", escaped(bytes.substr(0, 32)), why));
}

/// Looks at what there is of a frame's head. The frame's whole length, once it is known.
std::optional<std::size_t> check_head(std::string_view bytes) {
  if (bytes.size() < length_bytes) return std::nullopt;
  const std::size_t length = get_u32(bytes);
  if (length < head_bytes) refuse(bytes, fmt::format("it announces {} bytes, and {} is the least", length, head_bytes));
  if (length > max_frame_bytes)
    refuse(bytes, fmt::format("it announces {} bytes, and {} is the most", length, max_frame_bytes));
  if (bytes.size() > length_bytes) {
    const auto kind = static_cast<std::uint8_t>(bytes[length_bytes]);
    if (!is_known(kind)) refuse(bytes, fmt::format("there is no kind {}", kind));
  }
  if (bytes.size() >= length_bytes + head_bytes) {
    const std::size_t json = get_u32(bytes.substr(length_bytes + 1));
    if (json > std::min(max_json_bytes, length - head_bytes))
      refuse(bytes, fmt::format("it announces {} bytes of JSON in a frame of {}", json, length));
  }
  return length_bytes + length;
}

std::size_t checked_length(const Frame& frame, std::size_t more) {
  std::size_t length = head_bytes + frame.json.size() + more;
  for (const auto blob : frame.blobs) length += length_bytes + blob.size();
  if (length > max_frame_bytes)
    throw std::length_error(fmt::format("a frame of {} bytes, and {} is the most", length, max_frame_bytes));
  return length;
}

void put_head(std::string& out, const Frame& frame, std::size_t length) {
  put_u32(out, length);
  out.push_back(static_cast<char>(frame.kind));
  put_u32(out, frame.json.size());
  out.append(frame.json);
}

void put_blobs(std::string& out, const Frame& frame) {
  for (const auto blob : frame.blobs) {
    put_u32(out, blob.size());
    out.append(blob);
  }
}

}  // namespace

std::string encode(const Frame& frame, std::size_t spare) {
  const std::size_t length = checked_length(frame, 0);
  std::string out;
  out.reserve(length_bytes + length + spare);
  put_head(out, frame, length);
  put_blobs(out, frame);
  return out;
}

Pieces encode_pieces(const Frame& others, const Pieces& first_blob) {
  std::string head, tail;
  put_head(head, others, checked_length(others, length_bytes + first_blob.size()));
  put_u32(head, first_blob.size());
  put_blobs(tail, others);
  Pieces pieces;
  pieces.add(std::move(head));
  pieces.add(first_blob);
  pieces.add(std::move(tail));
  return pieces;
}

// Nothing here is cleared first: clearing a megabyte for each reader would cost more than its frame.
FrameReader::FrameReader()
    : bytes_(std::make_unique_for_overwrite<char[]>(initial_capacity)), capacity_(initial_capacity) {}

std::span<char> FrameReader::space() {
  if (begin_ == end_) begin_ = end_ = 0;
  if (end_ == capacity_ && begin_ > 0) {
    std::memmove(bytes_.get(), bytes_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_) {
    auto larger = std::make_unique_for_overwrite<char[]>(2 * capacity_);
    std::memcpy(larger.get(), bytes_.get(), end_);
    bytes_ = std::move(larger);
    capacity_ *= 2;
  }
  return {bytes_.get() + end_, capacity_ - end_};
}

std::size_t FrameReader::missing() const {
  const auto whole = check_head(pending());
  return whole.value_or(length_bytes) - pending().size();
}

void FrameReader::received(std::size_t count) {
  end_ += count;
}

std::optional<Frame> FrameReader::next() {
  const std::size_t length = check_head(pending()).value_or(0);
  auto frame = peek();
  if (frame) begin_ += length;
  return frame;
}

std::optional<Frame> FrameReader::peek() const {
  const auto whole = check_head(pending());
  if (!whole || pending().size() < *whole) return std::nullopt;
  const auto bytes = pending().substr(0, *whole);
  const std::size_t json = get_u32(bytes.substr(length_bytes + 1));
  Frame frame{.kind = FrameKind{static_cast<std::uint8_t>(bytes[length_bytes])},
              .json = bytes.substr(length_bytes + head_bytes, json),
              .blobs = {}};
  auto rest = bytes.substr(length_bytes + head_bytes + json);
  while (!rest.empty()) {
    if (rest.size() < length_bytes) refuse(bytes, fmt::format("{} bytes are left over at its end", rest.size()));
    const std::size_t size = get_u32(rest);
    rest.remove_prefix(length_bytes);
    if (size > rest.size())
      refuse(bytes, fmt::format("it announces a part of {} bytes where {} are left", size, rest.size()));
    frame.blobs.push_back(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  return frame;
}

}  // namespace cellproof::engines
