#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "campaign/searched.hpp"
#include "campaign/shard.hpp"
#include "corpus/suite.hpp"

namespace cellproof::campaign {

/// A case that is still to be run: suite and position, made concrete only when its turn comes.
struct Task {
  const corpus::Suite* suite;
  std::int64_t number;

  friend bool operator==(const Task&, const Task&) = default;
};

/// The tasks of a shard of suites at rest, without those that are done. `suites` must outlive them.
std::vector<Task> tasks_of(const std::vector<corpus::Suite>& suites, const Shard& shard,
                           const std::set<std::pair<std::string, std::int64_t>>& done);

/// Those of the suites that have no end.
std::vector<const corpus::Suite*> endless_of(const std::vector<corpus::Suite>& suites);

/// Separates the cases that are there to decide a clause, and so tell how an engine reads the pages, from all others.
std::pair<std::vector<Task>, std::vector<Task>> readings_first(std::vector<Task> tasks);

/// The tasks in the order in which they are best run: any stretch of a suite spread evenly over the whole (each task a
/// golden section of a turn behind the one before it). Neighbours in a suite are alike: some stretches take longer to
/// judge than to compute, others the opposite. Mixed, they keep engine and judges busy all the time, and a run that its
/// time budget stops has seen something of everything.
std::vector<Task> spread(const std::vector<Task>& tasks);

/// Gives the next task of a run; nothing once there is none. Called by one thread at a time.
using NextTask = std::function<std::optional<Task>()>;

/// One task of the list after the other.
NextTask in_order(std::vector<Task> tasks);

/// The tasks of a shard of those suites that have no end, in rounds in which each of them has its turns, without what
/// has been tried. `suites` must outlive it; none may be at rest.
NextTask in_rounds(const std::vector<const corpus::Suite*>& suites, const Shard& shard, const Searched& searched);

}  // namespace cellproof::campaign
