#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace cellproof::campaign {

/// Results of the cases of one suite without end, as far as none before them is left out.
struct SearchedSuite {
  std::int64_t tried_below = 0;
  std::map<std::string, std::int64_t, std::less<>> results;  ///< how many cases, by result_name
  friend bool operator==(const SearchedSuite&, const SearchedSuite&) = default;
};

/// An engine's note EngineNote::Searched, by suite.
using SearchedNote = std::map<std::string, SearchedSuite, std::less<>>;

/// "fuzz-judged below 1200: 1100 CONFORMS, 60 NOT_SUPPORTED; fuzz-laws below ..."
std::string to_text(const SearchedNote& note);
/// The note of which to_text writes this. What it cannot have written is left out.
SearchedNote searched_note_of(std::string_view text);

}  // namespace cellproof::campaign
