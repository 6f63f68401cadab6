#include "cli/baseline_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "reports/store.hpp"
#include "spec/signature.hpp"
#include "spec/utf8.hpp"

namespace cellproof::cli {
namespace {

/// ", 3 LABEL", or nothing for none: most comparisons have only new, known and gone ones.
std::string counted_if_any(std::int64_t count, std::string_view label) {
  return count == 0 ? "" : fmt::format(", {} {}", count, label);
}

}  // namespace

std::string difference_from_base(const RunMetadata& base, const std::string& name, const RunMetadata& now) {
  std::string differences;
  for (const auto& [what, before, after] : differences_of_runs(base, now, false))
    differences += fmt::format("{}{} '{}', now '{}'", differences.empty() ? "" : "; ", what, before, after);
  return differences.empty() ? "" : fmt::format("{} is of another run than this one: {}\n", name, differences);
}

std::string to_text(const campaign::BaselineComparison& comparison, const std::string& name) {
  std::int64_t refused_cases = 0;
  for (const campaign::NewlyRefused& group : comparison.newly_refused) refused_cases += group.cases;
  const auto size_of = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  std::string text = fmt::format(
      "against {}: {} new, {} known{}, {} gone{}{}{}\n", name, comparison.fresh.size(), comparison.known.size(),
      counted_if_any(size_of(comparison.possibly_known), "possibly known"), comparison.gone.size(),
      counted_if_any(size_of(comparison.unseen), "flaky not seen") +
          counted_if_any(size_of(comparison.refused), "refused instead"),
      counted_if_any(size_of(comparison.not_run), "not run"),
      counted_if_any(refused_cases, refused_cases == 1 ? "case newly refused" : "cases newly refused"));
  for (const std::string& signature : comparison.fresh) {
    const auto why = comparison.reasons.find(signature);
    text += fmt::format("  new   {}{}\n", signature,
                        why == comparison.reasons.end() ? "" : fmt::format(", {}", why->second));
  }
  for (const campaign::NewlyRefused& group : comparison.newly_refused) {
    text += fmt::format("  newly refused   {} {} of {} on {}: {}\n    the first: {}\n", group.cases,
                        group.cases == 1 ? "case" : "cases", group.version, group.engine, group.message, group.first);
  }
  for (const auto& [signature, why] : comparison.possibly_known) {
    text += fmt::format("  possibly known   {}\n", signature);
    const char* const there = !why.flaky            ? "the base has"
                              : is_flaky(signature) ? "each time in the base"
                                                    : "by chance in the base";
    for (const std::string& other : why.alike) text += fmt::format("    {}   {}\n", there, other);
  }
  for (const std::string& signature : comparison.gone) text += fmt::format("  gone  {}\n", signature);
  for (const std::string& signature : comparison.unseen)
    text += fmt::format("  flaky in the base, not seen now   {}\n", signature);
  for (const std::string& signature : comparison.refused) text += fmt::format("  refused instead   {}\n", signature);
  for (const std::string& signature : comparison.not_run) text += fmt::format("  not run   {}\n", signature);
  if (comparison.cases_not_run > 0) {
    text += fmt::format("  not run: {} of the {} cases that the base has\n", comparison.cases_not_run,
                        comparison.cases_of_base);
  }
  for (const std::string& engine : comparison.engines_not_run)
    text += fmt::format("  not run: {}, of which the base has findings\n", engine);
  return text;
}

Baselines::Baselines(const std::vector<std::string>& stores) {
  for (const std::string& file : stores) {
    const reports::Store store = reports::Store::open_read_only(file);
    runs_.emplace_back(file, store.metadata());
    std::ranges::move(store.damage(), std::back_inserter(damage_));
    earlier_.add(reports::report_data(store));
  }
}

std::string Baselines::compare_with(const RunMetadata& now, reports::ReportData& data) const {
  if (runs_.empty()) return "";
  std::string names;
  for (const auto& [file, run] : runs_) {
    fmt::print(stderr, "{}", visible_text(difference_from_base(run, file, now), true));
    names += (names.empty() ? "" : ", ") + file;
  }
  std::ranges::copy(damage_, std::back_inserter(data.damage));
  const campaign::BaselineComparison comparison = campaign::compare_with_baseline(earlier_, names, data);
  return reports::changes_text(data) + to_text(comparison, names);
}

}  // namespace cellproof::cli
