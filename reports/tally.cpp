#include "reports/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "reports/plain_text.hpp"

namespace cellproof::reports {
namespace {

EngineTally& engine_named(std::vector<EngineTally>& engines, const std::string& name) {
  const auto found = std::find_if(engines.begin(), engines.end(), [&](const EngineTally& e) { return e.name == name; });
  if (found != engines.end()) return *found;
  engines.emplace_back().name = name;
  return engines.back();
}

std::string phrase_of(const EngineTally& engine, FindingKind kind) {
  const std::size_t count = engine[kind];
  const FindingKindInfo& words = info(kind);
  std::string phrase = fmt::format("{} {}", thousands(count), count == 1 ? words.singular : words.plural);
  if (kind == FindingKind::Wrong && count > 1) phrase += " by " + counted(engine.causes_of(kind), "cause");
  return phrase;
}

/// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::vector<std::string> head(names.begin(), names.end() - 1);
  return fmt::format("{} and {}", fmt::join(head, ", "), names.back());
}

std::string subject(const std::vector<EngineTally>& engines, const std::vector<std::string>& names) {
  const auto present = std::count_if(engines.begin(), engines.end(), [](const EngineTally& e) { return e.ran(); });
  return names.size() <= 3 ? listed(names) : fmt::format("{} of {} engines", names.size(), present);
}

}  // namespace

bool EngineTally::ran() const {
  return total() > (*this)[FindingKind::Absent];
}

std::size_t EngineTally::total() const {
  return std::accumulate(cases.begin(), cases.end(), std::size_t{0});
}

bool EngineTally::at_fault() const {
  if (!start_trouble.empty()) return true;
  for (const FindingKindInfo& kind : finding_kinds())
    if (held_against_engine(kind.kind) && (*this)[kind.kind] > 0) return true;
  return false;
}

std::vector<EngineTally> tally(const ReportData& data, const std::vector<ShownCause>& causes) {
  std::vector<EngineTally> engines;
  for (const auto& [name, notes] : data.engines) {
    EngineTally& engine = engine_named(engines, name);
    engine.start_trouble = start_trouble_of(notes);
    engine.remarks = remarks_of(notes);
    for (const auto& [note, words] : notes) {
      if (note == EngineNote::Version) engine.version = words;
      if (note == EngineNote::Absent) engine.absent = words;
    }
  }
  for (const Finding& finding : data.findings) {
    EngineTally& engine = engine_named(engines, finding.engine);
    if (!finding.engine_version.empty()) engine.version = finding.engine_version;
    const FindingKind kind = kind_of(finding);
    ++engine.cases[static_cast<std::size_t>(kind)];
    if (kind == FindingKind::Absent && engine.absent.empty()) engine.absent = finding.outcome_message;
    engine.timings.prepare += finding.timings.prepare;
    engine.timings.run += finding.timings.run;
    engine.timings.release += finding.timings.release;
  }
  for (const ShownCause& shown : causes)
    ++engine_named(engines, shown.engine).causes[static_cast<std::size_t>(shown.kind)];
  return engines;
}

std::string title_of(const EngineTally& engine) {
  return engine.version.empty() ? engine.name : engine.name + " " + engine.version;
}

std::string headline_of(const EngineTally& engine) {
  if (!engine.ran()) {
    if (!engine.start_trouble.empty()) return engine.start_trouble;
    return engine.absent.empty() ? "no findings" : "absent: " + engine.absent;
  }
  std::string line;
  for (const FindingKindInfo& kind : finding_kinds()) {
    const FindingKind k = kind.kind;
    const bool always =
        k == FindingKind::Wrong || k == FindingKind::Crash || k == FindingKind::Gap || k == FindingKind::Conforms;
    if (always || engine[k] > 0) line += (line.empty() ? "" : ", ") + phrase_of(engine, k);
  }
  return engine.start_trouble.empty() ? line : line + "; " + engine.start_trouble;
}

std::string run_headline(const std::vector<EngineTally>& engines) {
  std::vector<std::string> wrong;
  std::vector<std::string> otherwise;
  std::size_t judged = 0;
  for (const EngineTally& engine : engines) {
    judged += engine.total() - engine[FindingKind::Absent];
    if (engine[FindingKind::Wrong] > 0)
      wrong.push_back(engine.name);
    else if (engine.at_fault())
      otherwise.push_back(engine.name);
  }
  if (judged == 0) return "Nothing has been judged.";
  if (!wrong.empty())
    return fmt::format("{} {} wrong results.", subject(engines, wrong), wrong.size() == 1 ? "returns" : "return");
  if (!otherwise.empty())
    return fmt::format("No wrong results, but {} {}.", subject(engines, otherwise),
                       otherwise.size() == 1 ? "misbehaves" : "misbehave");
  return "No engine departs from the specification.";
}

}  // namespace cellproof::reports
