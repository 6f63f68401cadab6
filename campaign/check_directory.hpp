#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "spec/contract.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// One test data set of a backend-test directory, judged.
struct CheckedDataSet {
  std::string path;                      ///< of the directory, as given
  std::optional<std::int64_t> data_set;  ///< nullopt when the directory as a whole could not be read
  std::optional<std::int64_t> opset;     ///< imported for the operator's domain; nullopt when unreadable
  Finding finding;
};

/// Judges the outputs that lie in the directory, or below `outputs_from` (a foreign run), without any engine, under the
/// contract `declared` for whoever wrote them. What cannot be read becomes one UNREADABLE finding with the reason;
/// nothing is thrown for it.
std::vector<CheckedDataSet> check_directory(const std::filesystem::path& directory,
                                            const std::filesystem::path& outputs_from = {},
                                            std::optional<ContractId> declared = std::nullopt);

}  // namespace cellproof::campaign
