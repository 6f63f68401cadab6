#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cellproof::reports {

/// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

/// Every byte that is not part of well-formed UTF-8 replaced by U+FFFD.
std::string repaired_utf8(std::string_view text);

/// Repaired UTF-8 that shows what it holds and does nothing: control characters, and those that turn the direction of
/// text or have no width, as "<U+001B>". Line breaks and tabs become spaces, or stay when `keep_lines`. Safe on a
/// terminal.
std::string visible_text(std::string_view text, bool keep_lines = false);

/// visible_text for HTML text and double-quoted attributes: & < > " ' escaped.
std::string html_escape(std::string_view text);

/// For XML 1.0 text and attributes; line breaks and tabs as character references, so that attributes keep them.
std::string xml_escape(std::string_view text);

/// At most `characters` code points; what is cut off is said: "... (1,234 more characters)".
std::string shortened(std::string_view text, std::size_t characters);

/// One word of a POSIX shell command: in single quotes unless it is plain.
std::string shell_quoted(std::string_view text);

/// "12,345"
std::string thousands(std::size_t number);

/// thousands(number) with the noun: "1 case", "12 cases".
std::string counted(std::size_t number, std::string_view noun);

}  // namespace cellproof::reports
