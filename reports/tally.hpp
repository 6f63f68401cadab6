#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "reports/shown_causes.hpp"

namespace cellproof::reports {

/// One engine's numbers.
struct EngineTally {
  std::string name;
  std::string version;
  std::string absent;                ///< why it did not run here; "" when it did
  std::string start_trouble;         ///< "cannot start: WHY"; "" when its worker could be started whenever it was to be
  std::vector<std::string> remarks;  ///< on its memory, slow cases, starts, and processes left behind
  std::array<std::size_t, finding_kind_count> cases{};
  std::array<std::size_t, finding_kind_count> causes{};
  Timings timings;  ///< sums over all cases, seconds

  std::size_t operator[](FindingKind kind) const { return cases[static_cast<std::size_t>(kind)]; }
  std::size_t causes_of(FindingKind kind) const { return causes[static_cast<std::size_t>(kind)]; }
  std::size_t total() const;
  bool ran() const;  ///< has findings that say more than that it is absent
  bool at_fault() const;
};

/// All engines that the data names, in the order of the notes, then of the findings.
std::vector<EngineTally> tally(const ReportData& data, const std::vector<ShownCause>& causes);

/// "onnxruntime 1.31.1"
std::string title_of(const EngineTally& engine);

/// "3 wrong results by 2 causes, 12 gaps, 0 crashes, 412 conform"; wrong results, crashes and gaps are always named.
std::string headline_of(const EngineTally& engine);

/// The whole run in one sentence: "onnxruntime and onnx-reference return wrong results."
std::string run_headline(const std::vector<EngineTally>& engines);

}  // namespace cellproof::reports
