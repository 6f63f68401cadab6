#include "campaign/task.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cellproof::campaign {
std::pair<std::vector<Task>, std::vector<Task>> readings_first(std::vector<Task> tasks) {
  const auto others = std::ranges::stable_partition(tasks, [](const Task& t) { return t.suite->name == "readings"; });
  std::vector<Task> rest(others.begin(), others.end());
  tasks.erase(others.begin(), others.end());
  return {std::move(tasks), std::move(rest)};
}

std::vector<Task> spread(const std::vector<Task>& tasks) {
  struct Placed {
    Task task;
    double place;  ///< from 0 to 1
  };
  std::vector<Placed> placed;
  placed.reserve(tasks.size());
  for (const Task& task : tasks) {
    const double turns = static_cast<double>(placed.size()) * std::numbers::phi;
    placed.push_back({task, turns - std::floor(turns)});
  }
  std::ranges::stable_sort(placed, {}, &Placed::place);
  std::vector<Task> ordered;
  ordered.reserve(placed.size());
  for (const Placed& p : placed) ordered.push_back(p.task);
  return ordered;
}

}  // namespace cellproof::campaign
