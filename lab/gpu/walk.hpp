#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cellproof::lab {

/// Fate of some cases of a list.
struct PieceEnd {
  bool in_time = true;                     ///< false: its time was up, and nothing is known of it
  std::size_t ran = 0;                     ///< cases that came to outputs
  std::vector<std::string> findings = {};  ///< each is a failure
};

/// A list of cases that is worked through piece by piece, over several calls if need be.
struct CaseWalk {
  std::vector<std::string> lines;                                             ///< of the cases
  std::size_t piece;                                                          ///< cases at a time, to begin with
  double whole_part;                                                          ///< seconds of a part from its begin
  std::function<double()> left;                                               ///< seconds that are left of it
  std::function<PieceEnd(std::size_t first, std::size_t, int seconds)> work;  ///< first case, how many, its time
  std::function<void()> save;                                                 ///< after each piece
};

/// Goes on where `progress` stopped: {"list": hash of the lines, "cases", "done", "ran", "piece", "findings"}; begins
/// anew where that is of another list. A piece whose time is up is tried again in halves, in this call or the next; a
/// single case that does not end in most of a part's time is a finding. True: all cases are done.
bool walk_cases(nlohmann::json& progress, const CaseWalk& walk);

/// Is a progress of a whole list, in which something ran, without a finding?
bool is_clean(const nlohmann::json& progress);

/// "CASES cases, N ran, M findings", or how far it has come.
std::string progress_text(const nlohmann::json& progress);

}  // namespace cellproof::lab
