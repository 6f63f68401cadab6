#include "engines/protocol.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>

namespace cellproof::engines {
namespace {

void feed(FrameReader& reader, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto room = reader.space();
    const auto count = std::min(room.size(), bytes.size());
    std::memcpy(room.data(), bytes.data(), count);
    reader.received(count);
    bytes.remove_prefix(count);
  }
}

/// Message that refuses the bytes, or "" when they could still become a frame.
std::string refusal(std::string_view bytes) {
  FrameReader reader;
  feed(reader, bytes);
  try {
    reader.next();
  } catch (const ProtocolError& error) {
    return error.what();
  }
  return "";
}

TEST(Protocol, LaysAFrameOutAsThePageSays) {
  const std::string bytes = encode({.kind = FrameKind::Run, .json = "{}", .blobs = {"abc", ""}});
  EXPECT_EQ(bytes, std::string("\x12\0\0\0"
                               "\x03"
                               "\x02\0\0\0"
                               "{}"
                               "\x03\0\0\0"
                               "abc"
                               "\0\0\0\0",
                               22));
}

RC_GTEST_PROP(Protocol, AFrameComesThroughInWhateverPieces, ()) {
  const auto json = *rc::gen::string<std::string>();
  const auto blobs = *rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>());
  const std::string bytes = encode({.kind = FrameKind::Ran, .json = json, .blobs = {blobs.begin(), blobs.end()}});
  FrameReader reader;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const auto piece = *rc::gen::inRange<std::size_t>(1, bytes.size() - begin + 1);
    feed(reader, std::string_view(bytes).substr(begin, piece));
    begin += piece;
    const auto frame = reader.next();
    RC_ASSERT(frame.has_value() == (begin == bytes.size()));
    if (!frame) continue;
    RC_ASSERT(frame->kind == FrameKind::Ran);
    RC_ASSERT(frame->json == json);
    RC_ASSERT(std::equal(frame->blobs.begin(), frame->blobs.end(), blobs.begin(), blobs.end()));
  }
  RC_ASSERT(!reader.has_leftover());
}

RC_GTEST_PROP(Protocol, AnyBytesAreAFrameOrRefusedOrShort, ()) {
  // With a short length in front the parts behind it are reached as well.
  auto bytes = *rc::gen::string<std::string>();
  if (bytes.size() > 4 && *rc::gen::arbitrary<bool>())
    bytes.replace(0, 4, std::string{char(bytes.size() - 4), 0, 0, 0});
  refusal(bytes);
}

TEST(Protocol, ALargeFrameGrowsTheBufferAndTheNextOneFits) {
  const std::string large(5'000'000, 'x');
  const std::string bytes = encode({.kind = FrameKind::Run, .json = "{}", .blobs = {large}}) +
                            encode({.kind = FrameKind::Bye, .json = "{}", .blobs = {}});
  FrameReader reader;
  feed(reader, bytes);
  ASSERT_EQ(reader.next()->blobs.at(0), large);
  EXPECT_TRUE(reader.has_leftover());
  EXPECT_EQ(reader.next()->kind, FrameKind::Bye);
  EXPECT_FALSE(reader.has_leftover());
}

TEST(Protocol, RefusesAtTheFirstWrongByte) {
  EXPECT_NE(refusal("Hell").find("\"Hell\", which is no frame"), std::string::npos);
  EXPECT_NE(refusal(std::string("\x04\0\0\0", 4)).find("5 is the least"), std::string::npos);
  EXPECT_NE(refusal(std::string("\x05\0\0\0\x07", 5)).find("there is no kind 7"), std::string::npos);
  EXPECT_NE(refusal(std::string("\x05\0\0\0\x83\x01\0\0\0", 9)).find("1 bytes of JSON"), std::string::npos);
  EXPECT_NE(refusal(std::string("\x08\0\0\0\x83\0\0\0\0abc", 12)).find("3 bytes are left over"), std::string::npos);
  EXPECT_NE(refusal(std::string("\x0a\0\0\0\x83\0\0\0\0\x02\0\0\0a", 14)).find("a part of 2 bytes where 1 are left"),
            std::string::npos);
  EXPECT_EQ(refusal(std::string("\x05\0\0", 3)), "");
  EXPECT_EQ(refusal(std::string("\x05\0\0\0\x83", 5)), "");
}

TEST(Protocol, AnAnnouncedLengthCostsNoMemory) {
  FrameReader reader;
  feed(reader, std::string("\0\0\0\x20\x83\0\0\0\0", 9));  // 512 MiB to come
  EXPECT_FALSE(reader.next());
  EXPECT_LE(reader.space().size(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace cellproof::engines
