#include "reports/matrix.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace cellproof::reports {
namespace {

constexpr std::size_t fewest_collected = 4;  ///< rows that look alike before they are collected

using AxisValue = std::pair<std::string, std::string>;
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
  add("type", finding.type);
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

MatrixRow& row_like(std::vector<MatrixRow>& rows, const std::string& axis, const Look& look) {
  for (MatrixRow& row : rows)
    if (row.values.front().first == axis && look_of(row.cells) == look) return row;
  return rows.emplace_back();
}

void add_cells(Cells& sum, const Cells& cells) {
  sum.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (std::size_t kind = 0; kind < finding_kind_count; ++kind) sum[i].counts[kind] += cells[i].counts[kind];
}

std::vector<MatrixRow> merged(const std::map<AxisValue, Cells>& by_value) {
  std::vector<MatrixRow> rows;
  for (const auto& [value, cells] : by_value) {
    MatrixRow& row = row_like(rows, value.first, look_of(cells));
    row.values.push_back(value);
    add_cells(row.cells, cells);
  }
  for (MatrixRow& row : rows)
    std::stable_sort(row.values.begin(), row.values.end(),
                     [](const AxisValue& a, const AxisValue& b) { return value_before(a.second, b.second); });
  return rows;
}

/// Moves the rows that `alike` picks into one at the end, if they are many.
template <class Alike>
void collect(std::vector<MatrixRow>& rows, Alike alike) {
  const auto picked = [&](const MatrixRow& row) { return !row.rest && alike(row); };
  MatrixRow rest;
  rest.rest = true;
  for (const MatrixRow& row : rows) {
    if (!picked(row)) continue;
    rest.values.insert(rest.values.end(), row.values.begin(), row.values.end());
    add_cells(rest.cells, row.cells);
  }
  if (rest.values.size() < fewest_collected) return;
  std::erase_if(rows, picked);
  rows.push_back(std::move(rest));
}

bool fine_everywhere(const MatrixRow& row) {
  return std::all_of(row.cells.begin(), row.cells.end(),
                     [](const MatrixCell& cell) { return cell.total() == cell[FindingKind::Conforms]; });
}

Look most_frequent_look(const std::vector<MatrixRow>& rows) {
  std::map<Look, std::size_t> frequency;
  for (const MatrixRow& row : rows)
    if (!row.rest) frequency[look_of(row.cells)] += row.values.size();
  const auto common = std::max_element(frequency.begin(), frequency.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return common == frequency.end() ? Look{} : common->first;
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
  if ((*this)[FindingKind::Conforms] > 0) return FindingKind::Conforms;
  if ((*this)[FindingKind::Reading] > 0) return FindingKind::Reading;
  for (const FindingKind kind :
       {FindingKind::Undecided, FindingKind::Gap, FindingKind::Unreadable, FindingKind::HarnessError})
    if ((*this)[kind] > 0) return kind;
  return FindingKind::Absent;
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
    std::vector<MatrixRow> rows = merged(by_value);
    // What every case has (the only version, the only type) says nothing that the first row does not say.
    std::erase_if(rows, [&](const MatrixRow& row) { return row.cells == all[op]; });
    collect(rows, fine_everywhere);
    const Look frequent = most_frequent_look(rows);
    collect(rows, [&](const MatrixRow& row) { return look_of(row.cells) == frequent; });
    std::stable_sort(rows.begin(), rows.end(), [](const MatrixRow& a, const MatrixRow& b) {
      return std::tuple(a.rest, engines_that_always_fail(b)) < std::tuple(b.rest, engines_that_always_fail(a));
    });
    MatrixRow everything;
    everything.cells = all[op];
    rows.insert(rows.begin(), everything);
    blocks.push_back({op, std::move(rows)});
  }
  return blocks;
}

}  // namespace cellproof::reports
