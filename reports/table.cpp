#include "reports/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/json_values.hpp"

namespace cellproof::reports {

std::string as_text(const Table& table) {
  std::vector<std::size_t> widths(table.columns.size(), 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  };
  measure(table.columns);
  for (const auto& row : table.rows) measure(row);
  std::string text;
  const auto print = [&](const std::vector<std::string>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      text += k + 1 < row.size() ? fmt::format("{:<{}}  ", row[k], widths[k]) : row[k] + "\n";
    }
  };
  print(table.columns);
  for (const auto& row : table.rows) print(row);
  return text;
}

std::string as_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json object;
    for (std::size_t k = 0; k < row.size(); ++k) object[table.columns[k]] = row[k];
    rows.push_back(std::move(object));
  }
  return rows.dump(2) + "\n";
}

}  // namespace cellproof::reports
