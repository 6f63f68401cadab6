#pragma once

#include <array>
#include <string>
#include <vector>

#include "reports/tally.hpp"

namespace cellproof::reports {

/// Results of one engine over the cases of a row.
struct MatrixCell {
  std::array<std::size_t, finding_kind_count> counts{};

  std::size_t operator[](FindingKind kind) const { return counts[static_cast<std::size_t>(kind)]; }
  std::size_t total() const;
  std::size_t held() const;     ///< held against the engine
  std::size_t passing() const;  ///< conforming, whatever the reading
  /// Returns what the cell shows: the worst kind held against the engine, else what most of the cases are (of equals
  /// the worse). Absent: no cases.
  FindingKind face() const;
  bool all_held() const { return held() > 0 && passing() == 0; }
  friend bool operator==(const MatrixCell&, const MatrixCell&) = default;
};

/// An axis value and how each engine fares with it.
struct MatrixValue {
  std::string axis;
  std::string value;
  std::vector<MatrixCell> cells;  ///< by engine
};

/// Axis values that look the same for every engine; none in the row of all cases of an operator.
struct MatrixRow {
  std::vector<MatrixValue> values;  ///< by axis, then value
  std::vector<MatrixCell> cells;    ///< by engine: of the one value, or of the first of many (same face, other counts)
};

struct MatrixBlock {
  Operator op = Operator::LSTM;
  std::vector<MatrixRow> rows;  ///< the first: all cases; then those with most engines that always fail
};

/// Engine x operator x axis value (values other than the default, versions and types). Rows that look alike are one
/// row; a version or type that every case has is left out.
std::vector<MatrixBlock> matrix_of(const ReportData& data, const std::vector<EngineTally>& engines);

}  // namespace cellproof::reports
