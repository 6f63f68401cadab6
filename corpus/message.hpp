#pragma once

#include <string>
#include <string_view>

namespace cellproof::corpus {

/// `text` for a one-line message: control and non-ASCII bytes as \xNN, cut after 80 characters. Names in foreign files
/// may hold anything.
std::string escaped(std::string_view text);
/// The same in single quotes.
std::string in_quotes(std::string_view text);

/// Throws CorpusError("WHERE: WHAT, expected EXPECTED").
[[noreturn]] void refuse(std::string_view where, std::string_view what, std::string_view expected);

}  // namespace cellproof::corpus
