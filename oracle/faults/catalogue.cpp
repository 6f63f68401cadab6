#include "oracle/faults/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "oracle/faults/catalogue_rows.hpp"

namespace cellproof::oracle {
namespace {

const FaultInfo& named(std::span<const FaultInfo> list, std::string_view id) {
  const auto found = std::ranges::find(list, id, &FaultInfo::id);
  if (found == list.end()) throw std::logic_error(fmt::format("no fault '{}' in the catalogue", id));
  return *found;
}

bool is_in(catalogue::Where where, Operator op) {
  return (where >> static_cast<int>(op) & 1U) != 0;
}

void add(std::vector<FaultInfo>& list, FaultClass cls, const catalogue::Row& row) {
  std::vector<Operator> operators;
  std::ranges::copy_if(all_operators(), std::back_inserter(operators),
                       [&](Operator op) { return is_in(row.where, op); });
  const std::string_view clause = catalogue::clause_of(cls, row.id);
  if (row.members.empty())
    list.push_back(
        {row.id, cls, row.blames, row.what, operators, row.id, "", "", clause, row.reads_memory, row.changes_shapes});
  for (const auto& [id, text] : row.members) {
    list.push_back({fmt::format(fmt::runtime(row.id), id), cls, row.blames, fmt::format(fmt::runtime(row.what), text),
                    operators, row.id, id, "", clause, row.reads_memory, row.changes_shapes});
  }
}

/// Axes without a repetition; "-" stands for none.
std::string blamed_together(const std::string& base, const std::string& condition) {
  if (condition == "-") return base;
  return base == "-" || base == condition ? condition : fmt::format("{} {}", base, condition);
}

void add_corners(std::vector<FaultInfo>& list, const catalogue::Condition& condition) {
  for (const char* id : condition.faults) {
    FaultInfo info = named(list, id);
    info.corner_of = info.id;
    info.id = fmt::format("{}@{}", id, condition.name);
    info.cls = FaultClass::Corner;
    info.blames = blamed_together(info.blames, condition.blames);
    info.what = fmt::format("{}, {}", info.what, condition.what);
    info.member = condition.name;
    std::erase_if(info.operators, [&](Operator op) { return !is_in(condition.where, op); });
    list.push_back(std::move(info));
  }
}

std::vector<FaultInfo> all_infos() {
  std::vector<FaultInfo> list;
  for (const auto& [cls, rows] : catalogue::rows()) {
    for (const catalogue::Row& row : rows) add(list, cls, row);
  }
  for (const catalogue::Condition& condition : catalogue::conditions()) add_corners(list, condition);
  return list;
}

/// The part of the catalogue for which `holds`: it must be in one piece.
template <class Predicate>
std::span<const FaultInfo> part_of_catalogue(Predicate holds) {
  const auto all = fault_catalogue();
  const auto first = std::ranges::find_if(all, holds);
  return {first, std::ranges::find_if_not(first, all.end(), holds)};
}

}  // namespace

std::span<const FaultInfo> fault_catalogue() {
  static const std::vector<FaultInfo> all = all_infos();
  return all;
}

const FaultInfo& fault_info(std::string_view id) {
  return named(fault_catalogue(), id);
}

std::span<const FaultInfo> fault_family(std::string_view family) {
  const auto part =
      part_of_catalogue([&](const FaultInfo& info) { return info.family == family && info.corner_of.empty(); });
  if (part.empty()) throw std::logic_error(fmt::format("no row '{}' in the catalogue", family));
  return part;
}

std::span<const FaultInfo> fault_corners() {
  return part_of_catalogue([](const FaultInfo& info) { return !info.corner_of.empty(); });
}

}  // namespace cellproof::oracle
