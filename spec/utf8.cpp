#include "spec/utf8.hpp"

#include <fmt/format.h>

namespace cellproof {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Marks, joiners and overrides that change how other characters are shown without showing themselves.
bool is_invisible(std::uint32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         c == 0x061C || c == 0xFFFE || c == 0xFFFF || (c >= 0xE0000 && c <= 0xE007F);
}

/// A form of encoded characters: the first bytes that it begins with, and the code points that need so many bytes.
struct Form {
  std::size_t length;
  std::uint32_t first_lead, last_lead;
  std::uint32_t bits_of_lead;  ///< mask
  std::uint32_t lowest, highest;
};
constexpr Form forms[] = {{1, 0x00, 0x7F, 0x7F, 0x0, 0x7F},
                          {2, 0xC2, 0xDF, 0x1F, 0x80, 0x7FF},
                          {3, 0xE0, 0xEF, 0xF, 0x800, 0xFFFF},
                          {4, 0xF0, 0xF4, 7, 0x10000, 0x10FFFF}};

bool is_surrogate(std::uint32_t c) {
  return c >= 0xD800 && c <= 0xDFFF;
}

}  // namespace

Utf8Character decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const std::uint32_t lead = byte(0);
  for (const Form& form : forms) {
    if (lead < form.first_lead || lead > form.last_lead) continue;
    std::uint32_t c = lead & form.bits_of_lead;
    for (std::size_t i = 1; i < form.length; ++i) {
      if ((byte(i) & 0xC0U) != 0x80U) return {0, 0};
      c = c << 6 | (byte(i) & 0x3FU);
    }
    const bool is_sound = c >= form.lowest && c <= form.highest && !is_surrogate(c);
    return is_sound ? Utf8Character{c, form.length} : Utf8Character{0, 0};
  }
  return {0, 0};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {  // nearly all of every record
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = decode_utf8(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string repaired_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, replacement, [&](std::uint32_t, std::string_view bytes) { out += bytes; });
  return out;
}

bool is_control(std::uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
}

std::string visible_text(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, replacement, [&](std::uint32_t c, std::string_view bytes) {
    const bool kept = keep_lines && (c == '\n' || c == '\t');
    if (!kept && (c == '\n' || c == '\r' || c == '\t'))
      out += ' ';
    else if (!kept && (is_control(c) || is_invisible(c)))
      out += fmt::format("<U+{:04X}>", c);
    else
      out += bytes;
  });
  return out;
}

}  // namespace cellproof
