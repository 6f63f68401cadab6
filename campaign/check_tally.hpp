#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "spec/finding.hpp"

namespace cellproof::campaign {

/// The backend-test directories below the paths, each with the folder of its outputs: at the same relative path below
/// `outputs`, or "" where that is not given. Throws std::invalid_argument for a path with none.
std::vector<std::pair<std::filesystem::path, std::filesystem::path>> directories_to_check(
    const std::vector<std::string>& paths, const std::string& outputs);

/// Counts over checked data sets.
class CheckTally {
 public:
  void add(const Finding& finding);
  std::string text() const;  ///< "3 judged, 1 failing, 0 undecided, 0 unreadable"
  /// `strict`: undecided data sets fail, too.
  int exit_code(bool strict) const;

 private:
  std::int64_t total_ = 0, failing_ = 0, undecided_ = 0, unreadable_ = 0;
};

}  // namespace cellproof::campaign
