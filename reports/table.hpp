#pragma once

#include <string>
#include <vector>

namespace cellproof::reports {

/// A listing: column names and rows of text.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Columns side by side, as wide as their words.
std::string as_text(const Table& table);
/// An array of objects, one a row.
std::string as_json(const Table& table);

}  // namespace cellproof::reports
