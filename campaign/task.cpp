#include "campaign/task.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cellproof::campaign {
namespace {

bool decides_a_clause(const Task& task) {
  return task.suite->cases[static_cast<std::size_t>(task.number)].clause.has_value();
}

}  // namespace

std::vector<Task> tasks_of(const std::vector<corpus::Suite>& suites, const Shard& shard,
                           const std::set<std::pair<std::string, std::int64_t>>& done) {
  std::vector<Task> tasks;
  for (const corpus::Suite& suite : suites) {
    for (std::int64_t number = 0; number < static_cast<std::int64_t>(suite.cases.size()); ++number) {
      if (shard.contains(number) && !done.contains({suite.name, number})) tasks.push_back({&suite, number});
    }
  }
  return tasks;
}

std::vector<const corpus::Suite*> endless_of(const std::vector<corpus::Suite>& suites) {
  std::vector<const corpus::Suite*> endless;
  for (const corpus::Suite& suite : suites) {
    if (suite.is_endless()) endless.push_back(&suite);
  }
  return endless;
}

std::pair<std::vector<Task>, std::vector<Task>> readings_first(std::vector<Task> tasks) {
  const auto others = std::ranges::stable_partition(tasks, decides_a_clause);
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

NextTask in_order(std::vector<Task> tasks) {
  return [tasks = std::move(tasks), next = std::size_t{0}]() mutable {
    return next < tasks.size() ? std::optional(tasks[next++]) : std::nullopt;
  };
}

NextTask in_rounds(const std::vector<const corpus::Suite*>& suites, const Shard& shard, const Searched& searched) {
  struct Place {
    const corpus::Suite* suite;
    std::vector<std::int64_t> left;  ///< to try first: what a run before left out
    std::int64_t number;
    std::int64_t taken = 0;
    double turn() const { return static_cast<double>(taken + 1) / static_cast<double>(suite->turns); }
  };
  std::vector<Place> places;
  for (const corpus::Suite* suite : suites) {
    Place place{suite, {}, searched.tried_below(suite->name)};
    for (; place.number < searched.seen_below(suite->name); place.number += shard.count) {
      if (!searched.is_tried(suite->name, place.number)) place.left.push_back(place.number);
    }
    std::ranges::reverse(place.left);
    places.push_back(std::move(place));
  }
  return [places = std::move(places), step = shard.count]() mutable -> std::optional<Task> {
    Place& place = *std::ranges::min_element(places, {}, &Place::turn);
    ++place.taken;
    if (!place.left.empty()) {
      const std::int64_t number = place.left.back();
      place.left.pop_back();
      return Task{place.suite, number};
    }
    return Task{place.suite, std::exchange(place.number, place.number + step)};
  };
}

}  // namespace cellproof::campaign
