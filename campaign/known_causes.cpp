#include "campaign/known_causes.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace cellproof::campaign {
namespace {

std::set<std::string> failing_engines(const std::vector<Finding>& findings) {
  std::set<std::string> engines;
  for (const Finding& finding : findings)
    if (!finding.pass) engines.insert(finding.engine);
  return engines;
}

using Cases = std::set<std::pair<std::string, std::int64_t>>;  ///< suite and number

Cases cases_of(const Cause& cause) {
  Cases cases;
  for (const auto& [suite, numbers] : cause.where)
    for (const std::int64_t number : numbers) cases.emplace(suite, number);
  return cases;
}

/// Cases that tell of the cause: those in which no other takes part; where there are none, all.
Cases telling_cases(const Cause& cause, const std::vector<Cause>& all) {
  Cases alone = cases_of(cause);
  for (const Cause& other : all)
    if (&other != &cause)
      for (const auto& each : cases_of(other)) alone.erase(each);
  return alone.empty() ? cases_of(cause) : alone;
}

/// Results that the cases of one of the base's causes have now.
struct Fate {
  bool was_run = false, passes = false, fails_alike = false;
};

}  // namespace

KnownCauses::KnownCauses(const EarlierRuns& base, const BaseRuns& knowledge, const reports::ReportData& now)
    : base_(base), knowledge_(knowledge), now_(now), causes_(reports::recorded_causes(now)), of_cases_(now) {
  const std::set<std::string> failed = failing_engines(base.findings), fail = failing_engines(now.findings);
  std::set<std::string> engines;
  for (const Finding& finding : now.findings) engines.insert(finding.engine);
  for (const std::string& engine : engines) {
    const bool base_is_silent = failed.contains(engine) && !base.causes.contains(engine);
    if (base_is_silent || (fail.contains(engine) && !causes_.contains(engine))) {
      uncompared_.push_back(engine);
      causes_.erase(engine);
    } else {
      compared_.insert(engine);
    }
  }
  for (const auto& [engine, causes] : causes_)
    for (const Cause& cause : causes)
      if (cause.status != CauseStatus::Unexplained) with_a_name_.emplace(engine, cause.id);
  for (const auto& [engine, causes] : base.causes)
    for (const Cause& cause : causes) known_[{engine, cause.id}] = &cause;
}

/// The causes of a case, where each of them has a name.
std::vector<std::string> KnownCauses::named(const Finding& finding) const {
  std::vector<std::string> ids = of_cases_.of(finding);
  const auto has_a_name = [&](const std::string& id) { return with_a_name_.contains({finding.engine, id}); };
  return std::ranges::all_of(ids, has_a_name) ? ids : std::vector<std::string>{};
}

bool KnownCauses::has_in_base(const std::string& id, const Finding& finding) const {
  const auto found = known_.find({finding.engine, id});
  return found != known_.end() && with_a_name_.contains({finding.engine, id}) &&
         std::ranges::find(found->second->operators, name(finding.version.op)) != found->second->operators.end();
}

bool KnownCauses::explain(const Finding& finding) const {
  const std::vector<std::string> ids = named(finding);
  return !finding.flaky && !ids.empty() &&
         std::ranges::all_of(ids, [&](const std::string& id) { return has_in_base(id, finding); });
}

bool KnownCauses::have_a_new_one(const Finding& finding) const {
  return std::ranges::any_of(named(finding), [&](const std::string& id) { return !has_in_base(id, finding); });
}

/// A case with a cause that the base does not have: new, unless the base failed there in the same way, and so named
/// it otherwise or not at all.
bool KnownCauses::is_new(const std::string& id, const Finding& finding) const {
  if (has_in_base(id, finding)) return false;
  if (finding.pass) return true;  // a reading
  if (!have_a_new_one(finding) && knowledge_.knows_signature_of(finding)) return false;
  return knowledge_.standing_of(finding) == Standing::New;
}

void KnownCauses::note_what_is_gone(const std::string& engine, reports::CauseChanges& changes) const {
  const auto before = base_.causes.find(engine);
  if (before == base_.causes.end()) return;
  const std::map<CaseId, CaseRecord> now = records_by_case(now_.findings);
  for (const Cause& cause : before->second) {
    if (changes.of(engine, cause.id) != nullptr) continue;
    const Cases cases = telling_cases(cause, before->second);
    Fate fate;
    for (const Finding& finding : base_.findings) {
      if (finding.engine != engine || !cases.contains({finding.suite, finding.number})) continue;
      const auto found = now.find(case_of(finding));
      if (found == now.end()) continue;
      fate.was_run = true;
      fate.passes |= found->second.passed;
      fate.fails_alike |= !finding.pass && found->second.ways.contains(way_of(finding));
    }
    if (!fate.was_run)
      changes.not_run.emplace_back(engine, cause);
    else if (fate.passes && !fate.fails_alike)
      changes.fixed.emplace_back(engine, cause);  // else its cases are refused, or fail in another way
  }
}

reports::CauseChanges KnownCauses::changes(const std::string& base) const {
  reports::CauseChanges changes{base};
  changes.uncompared = uncompared_;
  for (const Finding& finding : base_.findings) changes.versions[finding.engine] = finding.engine_version;
  std::set<Key> fresh;
  for (const Finding& finding : now_.findings)
    for (const std::string& id : of_cases_.of(finding))
      if (compared_.contains(finding.engine) && is_new(id, finding)) fresh.emplace(finding.engine, id);
  for (const auto& [engine, causes] : causes_) {
    for (const Cause& cause : causes) {
      const auto before = known_.find({engine, cause.id});
      changes.now[{engine, cause.id}] = {
          fresh.contains({engine, cause.id}) ? reports::Since::New : reports::Since::Known,
          before == known_.end() ? 0 : before->second->cases};
    }
  }
  for (const std::string& engine : compared_) note_what_is_gone(engine, changes);
  return changes;
}

}  // namespace cellproof::campaign
