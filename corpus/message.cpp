#include "corpus/message.hpp"

#include <fmt/format.h>

#include "corpus/model.hpp"

namespace cellproof::corpus {

std::string escaped(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string result;
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", byte);
    }
  }
  return text.size() > longest ? result + "..." : result;
}

std::string in_quotes(std::string_view text) {
  return "'" + escaped(text) + "'";
}

void refuse(std::string_view where, std::string_view what, std::string_view expected) {
  throw CorpusError(fmt::format("{}: {}, expected {}", where, what, expected));
}

}  // namespace cellproof::corpus
