#include "campaign/engine_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

/// A case is slow where it takes so many times what the middle one of its like takes, and longer than anybody
/// overlooks.
constexpr double many_times = 50;
constexpr double worth_saying_seconds = 0.5;
constexpr std::size_t enough_alike = 8;
constexpr std::size_t most_named = 3;

/// Cases of one operator whose products are as large but for a factor of four.
using Like = std::pair<Operator, int>;

struct Timed {
  double seconds = 0;
  const Finding* finding = nullptr;
};

std::optional<Like> like(const Finding& finding) {
  try {
    const Case c = parse_case(finding.case_line);
    const double directions = c.attributes.direction == "bidirectional" ? 2 : 1;
    const double products = directions * static_cast<double>(c.T * c.N * c.H) * static_cast<double>(c.I + c.H);
    return Like{finding.version.op, static_cast<int>(std::log2(std::max(products, 1.0)) / 2)};
  } catch (const CaseTextError&) {  // a foreign model
    return std::nullopt;
  }
}

double seconds_of(const Finding& finding) {
  return finding.timings.prepare + finding.timings.run + finding.timings.release;
}

EngineNotes slow_cases(std::span<const Finding> findings) {
  std::map<Like, std::vector<Timed>> alike;
  for (const Finding& finding : findings) {
    if (finding.outcome != OutcomeKind::Ran) continue;
    if (const auto its = like(finding)) alike[*its].push_back({seconds_of(finding), &finding});
  }
  std::vector<std::pair<Timed, double>> slow;  // with the middle one's seconds
  for (auto& [its, cases] : alike) {
    if (cases.size() < enough_alike) continue;
    std::ranges::sort(cases, {}, &Timed::seconds);
    const double middle = cases[cases.size() / 2].seconds;
    for (const Timed& one : cases)
      if (one.seconds >= worth_saying_seconds && one.seconds > many_times * middle) slow.emplace_back(one, middle);
  }
  if (slow.empty()) return {};
  std::ranges::sort(slow, std::ranges::greater(), [](const auto& one) { return one.first.seconds; });
  std::string text = fmt::format("{} took far longer than cases of their operator and size",
                                 slow.size() == 1 ? "1 case" : fmt::format("{} cases", slow.size()));
  for (std::size_t k = 0; k < std::min(slow.size(), most_named); ++k) {
    const auto& [one, middle] = slow[k];
    text += fmt::format("{} {} number {}: {:.2g} s, others {:.2g} s", k == 0 ? ":" : ";", one.finding->suite,
                        one.finding->number, one.seconds, middle);
  }
  return {{EngineNote::Slow, text}};
}

}  // namespace

EngineNotes notes_of(std::span<const engines::WorkerNotes> workers) {
  double growth = 0;
  int failed_starts = 0;
  std::string start_failure;
  std::vector<std::string> left_behind;
  std::map<std::string, int> idle;
  for (const engines::WorkerNotes& worker : workers) {
    growth = std::max(growth, worker.memory_growth.value_or(0));
    failed_starts += worker.failed_starts;
    if (!worker.start_failure.empty()) start_failure = worker.start_failure;
    left_behind.insert(left_behind.end(), worker.left_behind.begin(), worker.left_behind.end());
    for (const std::string& misdeed : worker.idle) ++idle[misdeed];
  }
  EngineNotes notes;
  if (growth > 0)
    notes.emplace_back(
        EngineNote::Memory,
        fmt::format("a worker's memory grew by {:.0f} KiB a case, from beginning to end", growth / 1024));
  if (failed_starts > 0)
    notes.emplace_back(EngineNote::Starts,
                       fmt::format("{} of its workers did not start and {} started again; the last: {}", failed_starts,
                                   failed_starts == 1 ? "was" : "were", start_failure));
  if (!idle.empty()) {
    std::vector<std::string> told;
    for (const auto& [misdeed, times] : idle)
      told.push_back(times == 1 ? misdeed : fmt::format("{} ({} times)", misdeed, times));
    notes.emplace_back(EngineNote::Idle, fmt::format("of workers that nothing was asked of, and so of no case: {}",
                                                     fmt::join(told, "; ")));
  }
  if (!left_behind.empty())
    notes.emplace_back(
        EngineNote::LeftBehind,
        fmt::format("processes that outlived what started them, and were killed: {}", fmt::join(left_behind, ", ")));
  return notes;
}

EngineNotes notes_of(std::span<const Finding> findings) {
  EngineNotes notes = slow_cases(findings);
  std::size_t cases = 0, works = 0, refused = 0;
  for (const Finding& finding : findings) {
    if (finding.suite != "deployed") continue;
    ++cases;
    const bool ran = finding.outcome == OutcomeKind::Ran;
    works += ran && finding.pass;
    refused += finding.outcome == OutcomeKind::NotSupported || finding.outcome == OutcomeKind::Rejected;
  }
  if (cases > 0)
    notes.emplace_back(EngineNote::Deployed,
                       fmt::format("{} of {} nodes as published models have them work (refused: {}, failing: {})",
                                   works, cases, refused, cases - works - refused));
  return notes;
}

}  // namespace cellproof::campaign
