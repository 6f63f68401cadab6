#include "reports/matrix.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "spec/finding_words.hpp"

namespace cellproof::reports {
namespace {

using Cells = std::vector<MatrixCell>;

/// Two cells look alike: same face, and as thoroughly.
using Look = std::vector<std::tuple<FindingKind, bool>>;

Look look_of(const Cells& cells) {
  Look look;
  for (const MatrixCell& cell : cells) look.emplace_back(cell.face(), cell.all_held());
  return look;
}

std::vector<AxisValue> values_of(const Finding& finding) {
  std::vector<AxisValue> values = finding.axes;
  const auto add = [&](const std::string& axis, const std::string& value) {
    const bool there = std::any_of(values.begin(), values.end(), [&](const AxisValue& v) { return v.first == axis; });
    if (!there) values.emplace_back(axis, value);
  };
  add("version", std::to_string(finding.version.since_version));
  add("type", std::string(type_name(finding)));
  return values;
}

/// "7" before "14": by number where both are numbers.
bool value_before(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& s) {
    return !s.empty() && s.size() < 10 && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (number(a) && number(b)) return std::stol(a) < std::stol(b);
  return a < b;
}

std::vector<MatrixRow> merged(const std::map<AxisValue, Cells>& by_value, const Cells& all) {
  std::map<Look, MatrixRow> by_look;
  for (const auto& [value, cells] : by_value) {
    const bool says_nothing = cells == all && (value.first == "version" || value.first == "type");
    if (!says_nothing) by_look[look_of(cells)].values.push_back({value.first, value.second, cells});
  }
  std::vector<MatrixRow> rows;
  for (auto& [look, row] : by_look) {
    std::stable_sort(row.values.begin(), row.values.end(), [](const MatrixValue& a, const MatrixValue& b) {
      return a.axis != b.axis ? a.axis < b.axis : value_before(a.value, b.value);
    });
    row.cells = row.values.front().cells;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::size_t engines_that_always_fail(const MatrixRow& row) {
  return static_cast<std::size_t>(
      std::count_if(row.cells.begin(), row.cells.end(), [](const MatrixCell& cell) { return cell.all_held(); }));
}

}  // namespace

std::size_t MatrixCell::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

std::size_t MatrixCell::held() const {
  std::size_t sum = 0;
  for (const FindingKindInfo& kind : finding_kinds())
    if (held_against_engine(kind.kind)) sum += (*this)[kind.kind];
  return sum;
}

std::size_t MatrixCell::passing() const {
  return (*this)[FindingKind::Conforms] + (*this)[FindingKind::Reading];
}

FindingKind MatrixCell::face() const {
  if (total() == 0) return FindingKind::Absent;
  for (const FindingKindInfo& kind : finding_kinds())
    if (held_against_engine(kind.kind) && (*this)[kind.kind] > 0) return kind.kind;
  FindingKind most = FindingKind::Absent;
  for (const FindingKindInfo& kind : finding_kinds())
    if (counts[static_cast<std::size_t>(kind.kind)] > (*this)[most]) most = kind.kind;
  return most;
}

std::vector<MatrixBlock> matrix_of(const ReportData& data, const std::vector<EngineTally>& engines) {
  std::map<std::string, std::size_t> column;
  for (const EngineTally& engine : engines) column.emplace(engine.name, column.size());
  std::map<Operator, std::map<AxisValue, Cells>> by_operator;
  std::map<Operator, Cells> all;
  for (const Finding& finding : data.findings) {
    const Operator op = finding.version.op;
    const std::size_t at = column.at(finding.engine);
    const auto count = [&](Cells& cells) {
      cells.resize(engines.size());
      ++cells[at].counts[static_cast<std::size_t>(kind_of(finding))];
    };
    count(all[op]);
    for (const AxisValue& value : values_of(finding)) count(by_operator[op][value]);
  }
  std::vector<MatrixBlock> blocks;
  for (const auto& [op, by_value] : by_operator) {
    std::vector<MatrixRow> rows = merged(by_value, all[op]);
    std::stable_sort(rows.begin(), rows.end(), [](const MatrixRow& a, const MatrixRow& b) {
      return std::tuple(engines_that_always_fail(b), a.values.size()) <
             std::tuple(engines_that_always_fail(a), b.values.size());
    });
    MatrixRow everything;
    everything.cells = all[op];
    rows.insert(rows.begin(), everything);
    blocks.push_back({op, std::move(rows)});
  }
  return blocks;
}

}  // namespace cellproof::reports
