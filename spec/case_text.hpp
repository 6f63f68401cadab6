#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "spec/case.hpp"

namespace cellproof {

/// A case line that cannot be read: what, at which key, and what was expected there.
class CaseTextError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The canonical line: "cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5 ..." with keys in a fixed order and what
/// plain_case says left out (docs/case-text.md has the grammar). Literal tensors up to 4 KiB stand in the line; larger
/// ones are named HASH.bin#HASH, a file that this function does not write. Equal cases have equal lines.
///
/// Promise: a line written by this version means the same case in every later program that reads "cellproof-case/1",
/// and the same case makes the same bits. What would change either is another format version, which this one refuses.
std::string to_text(const Case& c);

/// As to_text, and writes the larger literal tensors into `directory` (as HASH.bin, raw little-endian bytes), under
/// which the line then names them. Throws std::runtime_error when a file cannot be written.
std::string to_text(const Case& c, const std::filesystem::path& directory);

/// Reads a line; keys may come in any order, and may say what is the default. Files of literal tensors are looked up
/// from the current directory, their size and hash are checked. Throws CaseTextError (what, at which key, what was
/// expected) for an unknown or repeated key, a value out of range, or another version of the format.
/// parse_case(to_text(c)) == c for every case whose literal tensors fit the line, parse_case(to_text(c, directory)) ==
/// c for every case with sizes up to 10^9.
Case parse_case(std::string_view line);

/// XXH64 of the canonical text as 16 hex digits: the case's name in stores, files and reports.
std::string case_hash(const Case& c);

}  // namespace cellproof
