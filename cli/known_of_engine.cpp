#include "cli/known_of_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "spec/operator.hpp"
#include "spec/readings.hpp"
#include "spec/suggestion.hpp"

namespace cellproof::cli {

std::map<std::string, ContractId> parse_contracts(const std::vector<std::string>& arguments) {
  std::map<std::string, ContractId> contracts;
  for (const std::string& text : arguments) {
    const auto equals = text.find('=');
    const auto id = equals == std::string::npos ? std::nullopt : contract_named(text.substr(equals + 1));
    if (!id)
      throw std::invalid_argument(
          fmt::format("--contract {}: expected ENGINE=ID with an id of `cellproof list contracts`", text));
    contracts[text.substr(0, equals)] = *id;
  }
  return contracts;
}

campaign::ProvedReadings parse_known_readings(const std::vector<std::string>& arguments) {
  Readings known;
  for (const std::string& text : arguments) {
    const auto equals = text.find('=');
    const auto clause = equals == std::string::npos ? std::nullopt : clause_named(text.substr(0, equals));
    if (!clause || info(*clause).kind != ClauseKind::Value)
      throw std::invalid_argument(fmt::format(
          "--reading {}: expected CLAUSE=READING with a clause of kind value of `cellproof list readings`", text));
    std::vector<std::string_view> readings = reading_ids(info(*clause));
    std::erase(readings, "refuse");
    const std::string reading = text.substr(equals + 1);
    if (std::ranges::find(readings, reading) == readings.end())
      throw std::invalid_argument(fmt::format("--reading {}: {}", text, expected_one_of(reading, readings)));
    known = known.with(*clause, reading);
  }
  campaign::ProvedReadings of_all;
  for (const OperatorVersion version : all_operator_versions()) of_all[version.op] = known;
  return of_all;
}

}  // namespace cellproof::cli
