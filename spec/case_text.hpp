#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "spec/case.hpp"

namespace cellproof {

/// A case line that cannot be read: what, at which key, and what was expected there.
class CaseTextError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The canonical line: "cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5 ..." with keys in a fixed order and defaults
/// left out. Literal tensors up to 4 KiB stand in the line in hex; larger ones as `path#hash` (docs/case-text.md).
std::string to_text(const Case& c);

/// Reads a line; keys may come in any order. Throws CaseTextError for an unknown or repeated key, a value out of range, or
/// another version of the format. parse_case(to_text(c)) == c for every case.
Case parse_case(std::string_view line);

/// XXH64 of the canonical text as 16 hex digits: the case's name in stores, files and reports.
std::string case_hash(const Case& c);

}  // namespace cellproof
