#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causes/answered.hpp"
#include "causes/cover.hpp"

namespace cellproof::causes {

enum class Status {
  Proved,      ///< a case was reduced to the end, and this alone explains it
  Likely,      ///< it explains cases that nothing else does, and contradicts none
  Unexplained  ///< no fault, reading or contract that is known explains these
};
/// "proved", "likely", "unexplained"
std::string_view name(Status status);

/// One thing that an engine does otherwise than the text, for all its cases.
struct Cause {
  std::string id;     ///< "fault:rb-ignored", "reading:clip-zero=no-clip", "contract:tf32", "value:direction=reverse"
  std::string title;  ///< as a sentence without its subject: "ignores the recurrent biases"
  Status status = Status::Likely;
  std::vector<std::string> faults, readings;
  std::string contract;
  std::vector<std::string> operators;
  /// Cases in which it takes part: failing ones; of a reading those that conform under it.
  std::int64_t cases = 0;
  std::int64_t alone = 0;  ///< of these: cases that nothing else takes part in
  std::string case_line;   ///< the smallest that shows it
  std::string clause;      ///< that it is about, in our words; "" where that is not known
};

struct EngineModel {
  std::vector<Cause> causes;   ///< faults, contracts, readings, then what is unexplained; each by number of cases
  std::int64_t failing = 0;    ///< cases
  std::int64_t explained = 0;  ///< of these: by faults or a contract
  bool is_cut_short = false;   ///< the bounds ended the search
};

/// Models an engine by all its findings of a run.
EngineModel model_of(std::span<const Answered> answers, const Bounds& bounds = {});

}  // namespace cellproof::causes
