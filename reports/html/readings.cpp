#include "reports/html/readings.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

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

}  // namespace

std::string readings(const EngineTally& engine, const std::vector<const Group*>& groups) {
  std::map<std::pair<std::string_view, std::string_view>, Followed> followed;  // by clause and reading
  for (const Group* group : groups) {
    if (group->kind != FindingKind::Reading) continue;
    for (const auto& [clause, reading] : group->representative->judgement.readings.choices()) {
      Followed& f = followed[{cellproof::info(clause).id, reading}];
      f.cases += group->members.size();
      const auto size = [](const Group* g) { return g->representative->case_line.size(); };
      if (!f.example || size(group) < size(f.example)) f.example = group;
    }
  }
  if (followed.empty()) return "";
  std::string rows;
  for (const auto& [choice, f] : followed) {
    const ClauseInfo& clause = cellproof::info(*clause_named(choice.first));
    rows += fmt::format(
        "<tr><td class=\"n\">{}</td><td><b>{}</b>: {} instead of {}<br><span class=\"note\">{}</span><details "
        "class=\"cases\"><summary>a case</summary>"
        "{}</details></td></tr>",
        thousands(f.cases), clause.id, code(choice.second), code(clause.readings.front()), html_escape(clause.text),
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
