#pragma once

#include <string_view>

namespace cellproof::reports::html {

/// The page's style sheet (page.css) and its script (page.js): text that needs no escaping where it stands.
std::string_view style_sheet();
std::string_view script();

}  // namespace cellproof::reports::html
