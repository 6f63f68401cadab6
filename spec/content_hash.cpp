#include "spec/content_hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace cellproof {

std::string content_hash(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}", XXH64(bytes.data(), bytes.size(), 0));
}

std::string content_hash(std::string_view text) {
  return content_hash(std::as_bytes(std::span(text)));
}

}  // namespace cellproof
