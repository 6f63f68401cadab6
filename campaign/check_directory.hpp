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

/// Outputs to be judged.
struct OutputsGiven {
  std::filesystem::path from = {};          ///< the folder of a foreign run; empty: the directory itself
  std::optional<ContractId> contract = {};  ///< of whoever wrote them
  bool has_framework_layout = false;        ///< as corpus::from_framework_layout takes them
};

/// Judges the outputs that lie in the directory, or in a foreign run's, without any engine. What cannot be read becomes
/// one UNREADABLE finding with the reason; nothing is thrown for it.
std::vector<CheckedDataSet> check_directory(const std::filesystem::path& directory, const OutputsGiven& given = {});

}  // namespace cellproof::campaign
