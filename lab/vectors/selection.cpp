#include "lab/vectors/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

namespace cellproof::lab {
namespace {

/// Goals that a candidate meets, by number: of a fault, a reading or an axis value in a version.
using Goals = std::vector<std::size_t>;

class GoalTable {
 public:
  GoalTable(const std::vector<VectorCandidate>& candidates, const std::set<std::string>& withheld) {
    for (const VectorCandidate& each : candidates) {
      Goals& goals = goals_.emplace_back();
      for (const OperatorVersion version : each.versions) {
        for (const std::string& kill : each.kills) {
          if (!withheld.contains(kill)) goals.push_back(number_of(version, "fault " + kill, finders_of_a_fault));
        }
        for (const std::string& reading : each.tells) goals.push_back(number_of(version, "reading " + reading, 1));
        for (const std::string& value : each.axis_values) goals.push_back(number_of(version, "axis " + value, 1));
      }
      for (const std::size_t goal : goals) ++can_[goal];
    }
    for (std::size_t goal = 0; goal < wanted_.size(); ++goal) wanted_[goal] = std::min(wanted_[goal], can_[goal]);
  }

  const Goals& of(std::size_t candidate) const { return goals_[candidate]; }
  const std::vector<int>& wanted() const { return wanted_; }

 private:
  std::size_t number_of(OperatorVersion version, const std::string& what, int wanted) {
    const auto [place, is_new] = numbers_.try_emplace(to_string(version) + " " + what, numbers_.size());
    if (is_new) {
      wanted_.push_back(wanted);
      can_.push_back(0);
    }
    return place->second;
  }

  std::vector<Goals> goals_;  ///< by candidate
  std::map<std::string, std::size_t> numbers_;
  std::vector<int> wanted_, can_;
};

/// Cost of every case besides its numbers: its name and what is said of it.
constexpr double cost_of_a_case = 150;

std::vector<std::size_t> greedy(const std::vector<VectorCandidate>& candidates, const GoalTable& table) {
  std::vector<int> wanted = table.wanted();
  const auto worth = [&](std::size_t candidate) {
    const auto gain = std::ranges::count_if(table.of(candidate), [&](std::size_t goal) { return wanted[goal] > 0; });
    return static_cast<double>(gain) / (static_cast<double>(candidates[candidate].numbers) + cost_of_a_case);
  };
  // The worth of a candidate only shrinks: one whose old worth is beaten by another's new one cannot be the best.
  using Entry = std::pair<double, std::ptrdiff_t>;  // the place, negated: of equals the first is taken
  std::priority_queue<Entry> queue;
  for (std::size_t k = 0; k < candidates.size(); ++k) queue.emplace(worth(k), -static_cast<std::ptrdiff_t>(k));
  std::vector<std::size_t> chosen;
  while (!queue.empty()) {
    const auto k = static_cast<std::size_t>(-queue.top().second);
    queue.pop();
    const double now = worth(k);
    if (now == 0) continue;
    if (!queue.empty() && now < queue.top().first) {
      queue.emplace(now, -static_cast<std::ptrdiff_t>(k));
      continue;
    }
    for (const std::size_t goal : table.of(k)) --wanted[goal];
    chosen.push_back(k);
  }
  return chosen;
}

/// Takes out, the largest first, what the others make unnecessary.
void thin_out(const std::vector<VectorCandidate>& candidates, const GoalTable& table,
              std::vector<std::size_t>& chosen) {
  std::vector<int> left = table.wanted();
  for (const std::size_t k : chosen) {
    for (const std::size_t goal : table.of(k)) --left[goal];
  }
  std::ranges::stable_sort(chosen,
                           [&](std::size_t a, std::size_t b) { return candidates[a].numbers > candidates[b].numbers; });
  std::erase_if(chosen, [&](std::size_t k) {
    const bool is_spare = std::ranges::all_of(table.of(k), [&](std::size_t goal) { return left[goal] < 0; });
    for (const std::size_t goal : table.of(k)) left[goal] += is_spare ? 1 : 0;
    return is_spare;
  });
}

}  // namespace

std::vector<const VectorCandidate*> chosen_of(const std::vector<VectorCandidate>& candidates,
                                              const std::set<std::string>& withheld) {
  const GoalTable table(candidates, withheld);
  std::vector<std::size_t> places = greedy(candidates, table);
  thin_out(candidates, table, places);
  std::vector<const VectorCandidate*> chosen;
  for (const std::size_t k : places) chosen.push_back(&candidates[k]);
  std::ranges::stable_sort(chosen, {},
                           [](const VectorCandidate* each) { return std::pair(each->c.version.op, each->numbers); });
  return chosen;
}

corpus::VectorSelection selection_of(const std::vector<const VectorCandidate*>& chosen, const std::string& version) {
  corpus::VectorSelection selection{version, {}};
  std::map<Operator, int> count;
  std::map<std::pair<Operator, std::string>, int> found;
  for (const VectorCandidate* each : chosen) {
    const Operator op = each->c.version.op;
    corpus::SelectedVector vector{fmt::format("{}-{:02}", name(op), ++count[op]), {}, {}, each->c};
    for (const std::string& kill : each->kills) {
      if (++found[{op, kill}] <= finders_of_a_fault) vector.kills.push_back(kill);
    }
    for (const std::string& reading : each->tells) {
      if (++found[{op, reading}] == 1) vector.tells.push_back(reading);
    }
    selection.cases.push_back(std::move(vector));
  }
  return selection;
}

}  // namespace cellproof::lab
