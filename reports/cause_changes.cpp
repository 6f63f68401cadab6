#include "reports/cause_changes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "reports/plain_text.hpp"
#include "reports/recorded_causes.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {
namespace {

/// "  new      mine: does not clip (LSTM, 12 cases)  fault:clip-ignored"
std::string change_line(std::string_view what, const std::string& engine, const Cause& cause) {
  return fmt::format("  {:<7}  {}: {} ({}, {})  {}\n", what, engine, cause.title, fmt::join(cause.operators, ", "),
                     counted(static_cast<std::size_t>(cause.cases), "case"), cause.id);
}

}  // namespace

std::string_view name(Since since) {
  constexpr std::array<std::string_view, 3> names{"new", "known", "fixed"};
  return names.at(static_cast<std::size_t>(since));
}

const CauseChange* CauseChanges::of(const std::string& engine, const std::string& id) const {
  const auto found = now.find({engine, id});
  return found == now.end() ? nullptr : &found->second;
}

std::string changes_text(const ReportData& data) {
  const CauseChanges& changes = data.changes;
  if (changes.base.empty()) return "";
  std::string lines;
  std::array<std::size_t, 2> counts{};
  for (const auto& [engine, causes] : recorded_causes(data)) {
    for (const Cause& cause : causes) {
      const CauseChange* const change = changes.of(engine, cause.id);
      if (change == nullptr) continue;
      ++counts.at(static_cast<std::size_t>(change->since));
      if (change->since == Since::New) lines += change_line("new", engine, cause);
    }
  }
  for (const auto& [engine, cause] : changes.fixed) lines += change_line("fixed", engine, cause);
  for (const auto& [engine, cause] : changes.not_run) lines += change_line("not run", engine, cause);
  for (const std::string& engine : changes.uncompared)
    lines += fmt::format(
        "  {}: this run or the base has no causes (it was ended early), so its cases are compared one by one\n",
        engine);
  return fmt::format("causes against {}: {} new, {} known, {} fixed\n{}", changes.base, counts[0], counts[1],
                     changes.fixed.size(), lines);
}

}  // namespace cellproof::reports
