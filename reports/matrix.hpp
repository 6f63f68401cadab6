#pragma once

#include <array>
#include <string>
#include <vector>

#include "reports/tally.hpp"

namespace cellproof::reports {

/// How one engine fares over the cases of a row.
struct MatrixCell {
  std::array<std::size_t, finding_kind_count> counts{};

  std::size_t operator[](FindingKind kind) const { return counts[static_cast<std::size_t>(kind)]; }
  std::size_t total() const;
  std::size_t held() const;     ///< held against the engine
  std::size_t passing() const;  ///< conforming, whatever the reading
  /// What the cell shows: the worst kind held against the engine, else what most of the judged cases are. Absent: no
  /// cases.
  FindingKind face() const;
  bool all_held() const { return held() > 0 && passing() == 0; }
  friend bool operator==(const MatrixCell&, const MatrixCell&) = default;
};

/// Axis values (of one axis, or many in the row that collects the uninteresting) that look the same for every engine.
struct MatrixRow {
  std::vector<std::pair<std::string, std::string>> values;  ///< empty: all cases of the operator
  std::vector<MatrixCell> cells;                            ///< by engine
  bool rest = false;  ///< the collected rows; its counts overlap and are not for showing
};

struct MatrixBlock {
  Operator op = Operator::LSTM;
  std::vector<MatrixRow> rows;  ///< the first: all cases
};

/// Engine x operator x axis value (values other than the default, versions and types): rows that look alike within an
/// axis are one row; values that are fine everywhere, and those of the most frequent look, are collected at the end.
std::vector<MatrixBlock> matrix_of(const ReportData& data, const std::vector<EngineTally>& engines);

}  // namespace cellproof::reports
