#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/passing_case.hpp"

namespace cellproof {

enum class CauseStatus {
  Proved,      ///< a case was reduced to the end, and this alone explains it
  Likely,      ///< it explains cases that nothing else does, and contradicts none
  Unexplained  ///< no fault, reading or contract that is known explains these
};
/// "proved", "likely", "unexplained"
std::string_view name(CauseStatus status);
std::optional<CauseStatus> cause_status_named(std::string_view text);

/// One thing that an engine does otherwise than the text, for all its cases: the record that stores keep and renderers
/// show.
struct Cause {
  std::string id;     ///< "fault:rb-ignored", "reading:clip-zero=no-clip", "contract:tf32", "value:direction=reverse"
  std::string title;  ///< as a sentence without its subject: "ignores the recurrent biases"
  CauseStatus status = CauseStatus::Likely;
  std::vector<std::string> faults, readings;
  std::vector<std::string> rivals;  ///< ids of faults that explain as much, where no case told them apart
  std::string contract;
  std::string scope;  ///< of a fault: the only cases that it holds for, "LSTM, float16"; "" where it holds everywhere
  std::vector<std::string> operators;
  /// Cases in which it takes part: failing ones; of a reading those that conform under it.
  std::int64_t cases = 0;
  std::int64_t alone = 0;  ///< of these: cases that nothing else takes part in
  std::string case_line;   ///< the smallest that shows it
  std::string clause;      ///< that it is about, in our words; "" where that is not known
  std::map<std::string, std::vector<std::int64_t>> where = {};  ///< numbers of those cases, by suite
  std::optional<PassingCase> passing = {};  ///< of the cases that pass the one nearest to `case_line`
};

}  // namespace cellproof
