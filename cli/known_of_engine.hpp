#pragma once

#include <map>
#include <string>
#include <vector>

#include "campaign/proved_readings.hpp"
#include "spec/contract.hpp"

namespace cellproof::cli {

/// Reads `--contract ENGINE=ID`, by engine. Throws std::invalid_argument for another text.
std::map<std::string, ContractId> parse_contracts(const std::vector<std::string>& arguments);

/// Reads `--reading CLAUSE=READING`, for every operator. Throws std::invalid_argument for another text, and for a
/// reading that cannot be computed with (`refuse`).
campaign::ProvedReadings parse_known_readings(const std::vector<std::string>& arguments);

}  // namespace cellproof::cli
