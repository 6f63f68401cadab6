#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cellproof {

/// One character at the start of a text.
struct Utf8Character {
  std::uint32_t code_point = 0;
  std::size_t length = 0;  ///< in bytes; 0: the byte at hand starts no well-formed sequence
};

/// Decodes the first character of a text that is not empty. Overlong forms, surrogates and what lies above U+10FFFF are
/// not well-formed.
Utf8Character decode_utf8(std::string_view text);

/// Calls take(code point, its bytes) for each character of the text. A byte that is not part of well-formed UTF-8 comes
/// alone, as U+FFFD with `bad` for its bytes.
template <class Take>
void for_each_character(std::string_view text, std::string_view bad, Take take) {
  while (!text.empty()) {
    const Utf8Character c = decode_utf8(text);
    if (c.length == 0)
      take(std::uint32_t{0xFFFD}, bad);
    else
      take(c.code_point, text.substr(0, c.length));
    text.remove_prefix(c.length == 0 ? 1 : c.length);
  }
}

/// Is the text well-formed UTF-8?
bool is_utf8(std::string_view text);

/// Replaces every byte that is not part of well-formed UTF-8 by U+FFFD.
std::string repaired_utf8(std::string_view text);

/// Is it a control character, of ASCII or of the C1 set, which a terminal obeys as it does the escape character?
bool is_control(std::uint32_t code_point);

/// Repairs UTF-8 and makes it safe for a terminal: control characters, and those that turn the direction of text or
/// have no width, become "<U+001B>". Line breaks and tabs become spaces, or stay when `keep_lines`.
std::string visible_text(std::string_view text, bool keep_lines = false);

}  // namespace cellproof
