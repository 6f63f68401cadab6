#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cellproof::engines {

/// Foreign text made fit for a report: one line of valid UTF-8, runs of white space and control characters as one
/// space, bytes that are no UTF-8 as '?', at most about `limit` bytes ("..." where it was cut).
std::string one_line(std::string_view text, std::size_t limit = 400);

/// The last `limit` bytes' worth of non-empty lines of a log, joined by " | ", as one_line.
std::string last_lines(std::string_view log, std::size_t limit = 400);

/// Bytes as printable ASCII, the rest as \xNN.
std::string escaped(std::string_view bytes);

}  // namespace cellproof::engines
