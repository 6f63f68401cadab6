#include "reports/html/readings.hpp"

#include <fmt/format.h>

#include <map>

#include "reports/html/group.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"
#include "spec/readings.hpp"

namespace cellproof::reports::html {
namespace {

struct Followed {
  std::size_t cases = 0;
  const Group* example = nullptr;  ///< the one with the smallest case line
};

std::string clause_text(const std::string& id) {
  const auto clause = clause_named(id);
  return clause ? std::string(cellproof::info(*clause).text) : "";
}

std::string default_reading(const std::string& id) {
  const auto clause = clause_named(id);
  if (!clause || cellproof::info(*clause).readings.empty()) return "";
  return fmt::format(" instead of {}", code(cellproof::info(*clause).readings.front()));
}

}  // namespace

std::string readings(const EngineTally& engine, const std::vector<const Group*>& groups) {
  std::map<std::string, Followed> followed;
  for (const Group* group : groups) {
    if (group->kind != FindingKind::Reading) continue;
    for (const std::string& reading : group->representative->judgement.readings) {
      Followed& f = followed[reading];
      f.cases += group->members.size();
      const auto size = [](const Group* g) { return g->representative->case_line.size(); };
      if (!f.example || size(group) < size(f.example)) f.example = group;
    }
  }
  if (followed.empty()) return "";
  std::string rows;
  for (const auto& [reading, f] : followed) {
    const std::string clause = reading.substr(0, reading.find('='));
    const std::string choice = reading.size() > clause.size() ? reading.substr(clause.size() + 1) : "";
    const std::string text = clause_text(clause);
    rows += fmt::format(
        "<tr><td class=\"n\">{}</td><td><b>{}</b>: {}{}{}<details class=\"cases\"><summary>a case</summary>"
        "{}</details></td></tr>",
        thousands(f.cases), html_escape(clause), code(choice), default_reading(clause),
        text.empty() ? "" : fmt::format("<br><span class=\"note\">{}</span>", html_escape(text)),
        replay(*f.example->representative, f.example->engine_argument));
  }
  return fmt::format(
      "<details class=\"fold\" open><summary>{}<span>Readings</span> <span class=\"count\">{}</span> "
      "<small>{} Everywhere else it follows our default.</small></summary>"
      "<table class=\"rows\">{}</table></details>\n",
      icon(FindingKind::Reading), counted(engine[FindingKind::Reading], "case"),
      html_escape(reports::info(FindingKind::Reading).what), rows);
}

}  // namespace cellproof::reports::html
