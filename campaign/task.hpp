#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "corpus/suite.hpp"

namespace cellproof::campaign {

/// A case that is still to be run: suite and position, made concrete only when its turn comes.
struct Task {
  const corpus::Suite* suite;
  std::int64_t number;

  friend bool operator==(const Task&, const Task&) = default;
};

/// The cases of suite `readings`, which are there to tell how an engine reads the pages, and all others.
std::pair<std::vector<Task>, std::vector<Task>> readings_first(std::vector<Task> tasks);

/// The tasks in the order in which they are best run: any stretch of a suite spread evenly over the whole (each task a
/// golden section of a turn behind the one before it). Neighbours in a suite are alike: some stretches take longer to
/// judge than to compute, others the opposite. Mixed, they keep engine and judges busy all the time, and a run that its
/// time budget stops has seen something of everything.
std::vector<Task> spread(const std::vector<Task>& tasks);

}  // namespace cellproof::campaign
