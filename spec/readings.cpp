#include "spec/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cellproof {
namespace {

std::optional<std::size_t> position(const ClauseInfo& clause, std::string_view reading) {
  const auto found = std::ranges::find(clause.readings, reading, &ListedReading::id);
  if (found == clause.readings.end()) return std::nullopt;
  return static_cast<std::size_t>(found - clause.readings.begin());
}

std::string unknown_reading(const ClauseInfo& clause, std::string_view reading) {
  return fmt::format("clause {} has no reading '{}'; it lists: {}", clause.id, reading,
                     clause.readings.empty() ? "none" : fmt::format("{}", fmt::join(reading_ids(clause), ", ")));
}

}  // namespace

std::string_view name(ClauseKind kind) {
  switch (kind) {
    case ClauseKind::Value:
      return "value";
    case ClauseKind::Settled:
      return "settled";
    case ClauseKind::Acceptance:
      return "acceptance";
    case ClauseKind::Invalid:
      return "invalid";
    case ClauseKind::Contract:
      return "contract";
  }
  throw std::invalid_argument("ClauseKind outside its range");
}

const ClauseInfo& info(Clause clause) {
  return clauses()[static_cast<std::size_t>(clause)];
}

std::optional<Clause> clause_named(std::string_view id) {
  const auto found = std::ranges::find(clauses(), id, &ClauseInfo::id);
  if (found == clauses().end()) return std::nullopt;
  return found->clause;
}

std::vector<std::string_view> reading_ids(const ClauseInfo& clause) {
  std::vector<std::string_view> ids;
  for (const ListedReading& reading : clause.readings) ids.push_back(reading.id);
  return ids;
}

std::string in_words(const ReadingChoice& choice) {
  const ClauseInfo& row = info(choice.clause);
  const auto place = position(row, choice.reading);
  if (place && !row.readings[*place].words.empty()) return std::string(row.readings[*place].words);
  return fmt::format("reads {} as {}", row.id, choice.reading);
}

bool Readings::is(Clause clause, std::string_view reading) const {
  const ClauseInfo& row = info(clause);
  const auto wanted = position(row, reading);
  if (!wanted) throw std::logic_error(unknown_reading(row, reading));
  return choice_[static_cast<std::size_t>(clause)] == *wanted;
}

std::string_view Readings::of(Clause clause) const {
  const ClauseInfo& row = info(clause);
  if (row.readings.empty()) return "";
  return row.readings[choice_[static_cast<std::size_t>(clause)]].id;
}

Readings Readings::with(Clause clause, std::string_view reading) const {
  const ClauseInfo& row = info(clause);
  const auto wanted = position(row, reading);
  if (!wanted) throw std::invalid_argument(unknown_reading(row, reading));
  Readings changed = *this;
  changed.choice_[static_cast<std::size_t>(clause)] = static_cast<unsigned char>(*wanted);
  return changed;
}

std::vector<ReadingChoice> Readings::choices() const {
  std::vector<ReadingChoice> list;
  for (const ClauseInfo& row : clauses()) {
    if (choice_[static_cast<std::size_t>(row.clause)] != 0) list.push_back({row.clause, of(row.clause)});
  }
  return list;
}

std::vector<std::string> Readings::differences() const {
  std::vector<std::string> list;
  for (const auto& [clause, reading] : choices()) list.push_back(fmt::format("{}={}", info(clause).id, reading));
  return list;
}

Readings Readings::of_differences(std::span<const std::string> differences) {
  Readings readings;
  for (const std::string& text : differences) {
    const auto equals = text.find('=');
    const auto clause = clause_named(std::string_view(text).substr(0, equals));
    if (!clause || equals == std::string::npos)
      throw std::invalid_argument(fmt::format("'{}' is no CLAUSE=READING of `cellproof list readings`", text));
    readings = readings.with(*clause, std::string_view(text).substr(equals + 1));
  }
  return readings;
}

}  // namespace cellproof
