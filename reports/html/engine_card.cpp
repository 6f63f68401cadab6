#include <fmt/format.h>

#include <algorithm>

#include "reports/html/engine.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

constexpr std::size_t most_lines = 4;
constexpr std::size_t longest_remark = 500;  ///< in characters

std::string bar(const EngineTally& engine) {
  std::string parts;
  // Conforming first: the eye starts at the left, and what is wrong stands out at the end.
  for (auto kind = finding_kinds().rbegin(); kind != finding_kinds().rend(); ++kind) {
    const std::size_t count = engine[kind->kind];
    if (count > 0)
      parts += fmt::format("<span class=\"k-{}\" style=\"flex-grow:{}\" title=\"{} {}\"></span>", kind->id, count,
                           thousands(count), count == 1 ? kind->singular : kind->plural);
  }
  return fmt::format("<div class=\"bar\" aria-hidden=\"true\">{}</div>", parts);
}

std::string counts(const EngineTally& engine) {
  std::string items;
  for (const FindingKindInfo& kind : finding_kinds()) {
    const std::size_t count = engine[kind.kind];
    const bool always = kind.kind == FindingKind::Wrong || kind.kind == FindingKind::Crash ||
                        kind.kind == FindingKind::Gap || kind.kind == FindingKind::Conforms;
    if (!always && count == 0) continue;
    std::string words(count == 1 ? kind.singular : kind.plural);
    if (kind.kind == FindingKind::Wrong && count > 1) words += " in " + counted(engine.groups_of(kind.kind), "group");
    items += fmt::format("<li class=\"{}\" title=\"{}\">{}<b>{}</b> {}</li>", count == 0 ? "none" : "some",
                         html_escape(kind.what), icon(kind.kind), thousands(count), words);
  }
  return fmt::format("<ul class=\"counts\">{}</ul>", items);
}

std::string worst(const EngineTally& engine, const std::vector<Group>& groups) {
  const std::vector<Family> families = families_of(groups, engine.name);
  std::string items;
  for (std::size_t i = 0; i < families.size() && i < most_lines; ++i) {
    const Family& family = families[i];
    items += fmt::format("<li>{}<a href=\"#{}\">{}{}</a></li>", icon(family.kind),
                         group_anchor(groups, family.groups.front()), html_escape(family.sentence),
                         condition(family.condition));
  }
  if (families.size() > most_lines)
    items += fmt::format("<li class=\"more\"><a href=\"#{}\">and {} more</a></li>", anchor(engine.name),
                         families.size() - most_lines);
  return items.empty() ? "" : fmt::format("<ol class=\"worst\">{}</ol>", items);
}

/// Trouble with its worker first: it fails the run, as no remark does.
std::string remarks(const EngineTally& engine) {
  std::string items;
  if (!engine.start_trouble.empty())
    items += fmt::format("<li><b>{}</b></li>", html_escape(shortened(engine.start_trouble, longest_remark)));
  for (const std::string& remark : engine.remarks)
    items += fmt::format("<li>{}</li>", html_escape(shortened(remark, longest_remark)));
  return items.empty() ? "" : fmt::format("<ul class=\"remarks\">{}</ul>", items);
}

std::string why_not(const EngineTally& engine) {
  if (!engine.start_trouble.empty()) return "";  // remarks() says it
  if (engine.absent.empty()) return "<p>no findings</p>";
  return fmt::format("<p>Absent: {}</p>", html_escape(shortened(engine.absent, longest_remark)));
}

}  // namespace

std::string engine_card(const EngineTally& engine, const std::vector<Group>& groups) {
  const std::string name = fmt::format("<h2><a href=\"#{}\">{}</a> <span class=\"version\">{}</span></h2>",
                                       anchor(engine.name), html_escape(engine.name), html_escape(engine.version));
  if (!engine.ran())
    return fmt::format("<li class=\"card absent\">{}{}{}</li>\n", name, why_not(engine), remarks(engine));
  return fmt::format("<li class=\"card {}\">{}{}{}{}{}</li>\n", engine.at_fault() ? "faulty" : "sound", name,
                     bar(engine), counts(engine), worst(engine, groups), remarks(engine));
}

}  // namespace cellproof::reports::html
