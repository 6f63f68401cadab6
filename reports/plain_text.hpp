#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "spec/utf8.hpp"

namespace cellproof::reports {

using cellproof::is_utf8;
using cellproof::repaired_utf8;
using cellproof::visible_text;

/// visible_text for HTML text and double-quoted attributes: & < > " ' escaped.
std::string html_escape(std::string_view text);

/// For XML 1.0 text and attributes; line breaks and tabs as character references, so that attributes keep them.
std::string xml_escape(std::string_view text);

/// At most `characters` code points, and what is cut off is said: "... (1,234 more characters)". Nothing is cut off
/// where that would take about as much room.
std::string shortened(std::string_view text, std::size_t characters);

/// One word of a POSIX shell command: in single quotes unless it is plain.
std::string shell_quoted(std::string_view text);

/// "12,345"
std::string thousands(std::size_t number);

/// thousands(number) with the noun: "1 case", "12 cases".
std::string counted(std::size_t number, std::string_view noun);

}  // namespace cellproof::reports
