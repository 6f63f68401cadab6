#include "corpus/parse.hpp"

#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>

#include <cstdint>
#include <limits>

namespace cellproof::corpus {

bool parse(std::string_view serialized, google::protobuf::Message& message) {
  if (serialized.size() > std::numeric_limits<int>::max()) return false;
  const google::protobuf::LogSilencer quiet;
  return message.ParseFromArray(serialized.data(), static_cast<int>(serialized.size()));
}

std::string serialize(const google::protobuf::Message& message) {
  const google::protobuf::LogSilencer quiet;
  return message.SerializeAsString();
}

bool is_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) continue;
    const int tail = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4) return false;
    std::uint32_t code = lead & (0x3fU >> tail);
    for (int k = 0; k < tail; ++k) {
      if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) return false;
      code = code << 6U | (static_cast<unsigned char>(text[i++]) & 0x3fU);
    }
    const bool overlong = (tail == 2 && code < 0x800) || (tail == 3 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (overlong || surrogate || code > 0x10ffff) return false;
  }
  return true;
}

}  // namespace cellproof::corpus
