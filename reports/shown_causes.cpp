#include "reports/shown_causes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/recorded_causes.hpp"
#include "spec/content_hash.hpp"
#include "spec/readings.hpp"

namespace cellproof::reports {
namespace {

/// Does the group hold the case that stands for the cause?
bool holds(const Group& group, const Cause& cause) {
  const Finding& shown = *group.representative;
  return shown.case_line == cause.case_line || (shown.reduction && shown.reduction->case_line == cause.case_line);
}

/// By engine and id.
using Places = std::map<std::pair<std::string, std::string>, std::vector<std::size_t>>;

std::vector<std::string> names_of_operators(const std::vector<Group>& groups, const std::vector<std::size_t>& places) {
  std::set<Operator> operators;
  for (const std::size_t place : places)
    for (const OperatorVersion& version : groups[place].versions) operators.insert(version.op);
  std::vector<std::string> names;
  for (const Operator op : operators) names.emplace_back(name(op));
  return names;
}

std::int64_t cases_of(const std::vector<Group>& groups, const std::vector<std::size_t>& places) {
  std::int64_t cases = 0;
  for (const std::size_t place : places) cases += static_cast<std::int64_t>(groups[place].members.size());
  return cases;
}

Cause unrecorded(const std::vector<Group>& groups, const std::vector<std::size_t>& places, std::string title) {
  Cause cause;
  cause.title = std::move(title);
  cause.status = CauseStatus::Unexplained;
  cause.operators = names_of_operators(groups, places);
  cause.cases = cause.alone = cases_of(groups, places);
  const Finding& shown = *groups[places.front()].representative;
  cause.case_line = shown.reduction ? shown.reduction->case_line : shown.case_line;
  return cause;
}

/// A reading of which the store has no cause.
Cause reading_of(const std::vector<Group>& groups, const std::vector<std::size_t>& places, const std::string& id) {
  const std::string choice = id.substr(id.find(':') + 1);
  const std::size_t equals = choice.find('=');
  const std::string clause = choice.substr(0, equals), reading = choice.substr(equals + 1);
  const auto known = clause_named(clause);
  Cause cause =
      unrecorded(groups, places, known ? in_words({*known, reading}) : fmt::format("reads {} as {}", clause, reading));
  cause.id = id;
  cause.status = CauseStatus::Likely;
  cause.readings = {choice};
  if (known) cause.clause = info(*known).text;
  return cause;
}

class Showing {
 public:
  Showing(const ReportData& data, const std::vector<Group>& groups)
      : data_(data), groups_(groups), recorded_(recorded_causes(data)) {
    for (std::size_t place = 0; place < groups.size(); ++place) {
      const Group& group = groups[place];
      if (held_against_engine(group.kind) || group.kind == FindingKind::Reading)
        places_[{group.engine, group.cause}].push_back(place);
    }
  }

  std::vector<ShownCause> all() {
    for (auto& [engine, causes] : recorded_)
      for (Cause& cause : causes) add_recorded(engine, std::move(cause));
    for (const auto& [name, places] : places_) {
      const auto& [engine, id] = name;
      if (is_explained_away(engine, id, places)) continue;
      id.empty() ? add_alike(engine, places) : add(engine, reading_of(groups_, places, id), places, false);
    }
    std::ranges::stable_sort(shown_, [](const ShownCause& a, const ShownCause& b) {
      return std::tuple(a.kind, a.waived != nullptr, b.cause.cases) <
             std::tuple(b.kind, b.waived != nullptr, a.cause.cases);
    });
    return std::move(shown_);
  }

 private:
  const Waived* waived_for(const std::string& engine, const Cause& cause,
                           const std::vector<std::size_t>& places) const {
    const auto own = data_.waived_causes.find({engine, cause.id});
    if (own != data_.waived_causes.end()) return &own->second;
    const auto is_waived = [&](std::size_t place) { return groups_[place].waived != nullptr; };
    return std::ranges::all_of(places, is_waived) ? groups_[places.front()].waived : nullptr;
  }

  /// Is it a reading that the engine's model does without? A fault of the engine makes those cases look so.
  bool is_explained_away(const std::string& engine, const std::string& id,
                         const std::vector<std::size_t>& places) const {
    return !id.empty() && recorded_.contains(engine) && groups_[places.front()].kind == FindingKind::Reading;
  }

  void add(const std::string& engine, Cause cause, std::vector<std::size_t> places, bool is_recorded) {
    // The groups are sorted. A contract is a matter of precision, also in cases that a fault beside it makes wrong.
    const FindingKind kind = cause.contract.empty() ? groups_[places.front()].kind : FindingKind::Imprecise;
    std::ranges::stable_partition(places, [&](std::size_t place) { return holds(groups_[place], cause); });
    const Waived* const waived = waived_for(engine, cause, places);
    const CauseChange* const change = data_.changes.of(engine, cause.id);
    shown_.push_back({engine, std::move(cause), kind, std::move(places), is_recorded, waived,
                      change == nullptr ? std::nullopt : std::optional(change->since)});
  }

  void add_recorded(const std::string& engine, Cause&& cause) {
    const auto own = places_.find({engine, cause.id});
    if (own == places_.end()) return;
    add(engine, std::move(cause), own->second, true);
    places_.erase(own);
  }

  void add_alike(const std::string& engine, const std::vector<std::size_t>& places) {
    std::map<std::tuple<FindingKind, std::string, std::string>, std::vector<std::size_t>> by_look;
    for (const std::size_t place : places) {
      const Group& group = groups_[place];
      by_look[{group.kind, event_of(group), condition_of(group)}].push_back(place);
    }
    for (const auto& [look, alike] : by_look) {
      const auto& [kind, event, condition] = look;
      const char* const link = condition.empty() ? "" : condition == nothing_to_blame ? ", " : " with ";
      add(engine, unrecorded(groups_, alike, fmt::format("{}{}{}", event, link, condition)), alike, false);
    }
  }

  const ReportData& data_;
  const std::vector<Group>& groups_;
  std::map<std::string, std::vector<Cause>> recorded_;
  Places places_;
  std::vector<ShownCause> shown_;
};

}  // namespace

std::vector<ShownCause> shown_causes(const ReportData& data, const std::vector<Group>& groups) {
  return Showing(data, groups).all();
}

std::string operators_of(const Cause& cause) {
  return fmt::format("{}", fmt::join(cause.operators, ", "));
}

std::string stable_name(const std::string& engine, const Cause& cause) {
  const std::string& id = cause.id.empty() ? operators_of(cause) + cause.title : cause.id;
  return "c-" + content_hash(engine + '\n' + id).substr(0, 10);
}

std::string standing_of(const ShownCause& shown) {
  std::string text{name(shown.cause.status)};
  if (shown.since == Since::New) text += ", new";
  if (shown.waived != nullptr) text += shown.waived->until.empty() ? ", known" : ", waived";
  return text;
}

std::vector<std::string> lines_on_missing_causes(const std::vector<ShownCause>& causes) {
  std::set<std::string> engines;
  for (const ShownCause& shown : causes)
    if (!shown.is_recorded && held_against_engine(shown.kind)) engines.insert(shown.engine);
  std::vector<std::string> lines;
  for (const std::string& engine : engines)
    lines.push_back(
        fmt::format("{}: the store has no causes for some failures (a run that was ended early, or made by an older "
                    "version); groups stand for them",
                    engine));
  return lines;
}

}  // namespace cellproof::reports
