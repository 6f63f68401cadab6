#pragma once

#include <string>
#include <string_view>

#include "reports/finding_kind.hpp"

namespace cellproof::reports::html {

/// The symbols of all kinds, once per page; icon() refers to them. Drawn, so that no font needs to have them.
std::string icon_definitions();

/// A kind's symbol in its colour. Decoration: the words stand beside it, or in the title that is read aloud.
std::string icon(FindingKind kind, std::string_view title = "");

/// Three significant digits for people: "0.00123", "1.2e-07", "infinite", "not a number".
std::string number(double value);

/// <code>escaped</code>
std::string code(std::string_view text);

/// Under which condition (condition_of a group) a fault comes, as it stands behind the fault's sentence: the page puts
/// "when" before axis values, and nothing before words. "" for "".
std::string condition(std::string_view text);

/// Text of at most so many characters; the rest can be unfolded (and is cut, and said to be, beyond 4,000).
std::string foldable(std::string_view text, std::size_t characters);

/// A part of the page that is wider than a narrow window and scrolls by itself, with the keyboard, too.
std::string scrolling(std::string_view label, std::string_view inside);

/// An id for an engine: "a.b" -> "e-a_2eb"; different texts have different ids.
std::string anchor(std::string_view text);

}  // namespace cellproof::reports::html
