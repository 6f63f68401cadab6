#include "reports/html/cause.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html/group.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"
#include "spec/specification_page.hpp"

namespace cellproof::reports::html {
namespace {

constexpr std::size_t most_groups = 40;

std::string_view meaning_of(CauseStatus status) {
  switch (status) {
    case CauseStatus::Proved:
      return "A case was reduced to the end, and nothing else explains it.";
    case CauseStatus::Likely:
      return "It explains cases that nothing else does, and contradicts none.";
    case CauseStatus::Unexplained:
      break;
  }
  return "No fault, reading or contract that is known explains these cases.";
}

/// The clause where it is known, and the pages of the specification.
std::string clause(const ShownCause& shown, const std::vector<Group>& groups) {
  std::vector<Operator> operators;
  for (const std::size_t place : shown.groups)
    for (const OperatorVersion& version : groups[place].versions)
      if (std::ranges::find(operators, version.op) == operators.end()) operators.push_back(version.op);
  std::string links;
  for (const Operator op : operators)
    links += fmt::format("{}<a href=\"{}\">{}</a>", links.empty() ? "" : ", ", specification_page(op), name(op));
  const std::string& text = shown.cause.clause;
  return fmt::format("<p class=\"clause\">{}<span class=\"note\">Specification: {}</span></p>",
                     text.empty() ? "" : fmt::format("{} ", html_escape(text)), links);
}

/// The nearest case that passes: in what it differs, and how to see it.
std::string passing(const ShownCause& shown, const std::vector<Group>& groups) {
  if (!shown.cause.passing) return "";
  const Group& group = groups[shown.groups.front()];
  Finding passes = *group.representative;
  passes.case_line = shown.cause.passing->case_line;
  passes.law.clear();
  return fmt::format(
      "<details class=\"cases passing\"><summary>The nearest case that passes: <b>{}</b></summary>{}</details>",
      html_escape(difference_text(*shown.cause.passing)), replay(passes, group.engine_argument));
}

std::string facts(const ShownCause& shown) {
  const Cause& cause = shown.cause;
  if (!shown.is_recorded)
    return "<p class=\"note\">The store names no cause: these groups look alike but for operator and type.</p>";
  const std::int64_t together = cause.cases - cause.alone;
  const std::string others = together == 0 ? ""
                                           : fmt::format(" Another cause takes part in {}.",
                                                         counted(static_cast<std::size_t>(together), "case"));
  return fmt::format("<p class=\"note\">{} {}{}</p>", code(cause.id), meaning_of(cause.status), others);
}

/// Words that the filter looks for.
std::string words_of(const ShownCause& shown, const std::vector<Group>& groups) {
  std::string words = fmt::format("{} {} {} verdict:{} status:{}", shown.cause.id, shown.cause.title,
                                  operators_of(shown.cause), info(shown.kind).id, name(shown.cause.status));
  if (shown.since == Since::New) words += " status:new";
  if (shown.waived != nullptr) words += shown.waived->until.empty() ? " status:known" : " status:waived";
  for (const std::size_t place : shown.groups) words += " " + condition_of(groups[place]);
  return words;
}

/// Its standing against a base, or that it is waived.
std::string standing_chip(const ShownCause& shown) {
  if (shown.since == Since::New && shown.waived == nullptr) return since_chip(name(Since::New));
  if (shown.waived == nullptr) return "";
  return since_chip(shown.waived->until.empty() ? name(Since::Known) : "waived");
}

}  // namespace

std::string status_chip(CauseStatus status) {
  return fmt::format("<span class=\"status {0}\" title=\"{1}\">{0}</span>", name(status), meaning_of(status));
}

std::string since_chip(std::string_view since) {
  return fmt::format("<span class=\"since {0}\">{0}</span>", since);
}

std::string fixed_details(const std::string& engine, const Cause& cause, const std::string& base) {
  const std::string id = stable_name(engine, cause);
  return fmt::format(
      "<details class=\"group cause fixed\" id=\"{}\" data-text=\"{}\"><summary><span class=\"sentence\">{} <span "
      "class=\"where\">{}</span></span>{}<span class=\"count\">{}</span></summary><div class=\"body\"><p "
      "class=\"note\">{} In {}; cases of it pass now, and none fails in the same way.</p>{}<p class=\"note\">It was "
      "shown by {}</p></div></details>\n",
      id, html_escape(fmt::format("{} {} {} status:fixed", cause.id, cause.title, operators_of(cause))),
      html_escape(shortened(cause.title, 300)), html_escape(operators_of(cause)), since_chip(name(Since::Fixed)),
      counted(static_cast<std::size_t>(cause.cases), "case"), code(cause.id), html_escape(base),
      cause.clause.empty() ? "" : fmt::format("<p class=\"clause\">{}</p>", html_escape(cause.clause)),
      code(shortened(cause.case_line, 600)));
}

std::string cause_details(const ShownCause& shown, const std::vector<Group>& groups, bool unfolded) {
  const Cause& cause = shown.cause;
  std::string others;
  for (std::size_t k = 1; k < shown.groups.size() && k < most_groups; ++k)
    others += group_details(groups[shown.groups[k]]);
  if (shown.groups.size() > most_groups)
    others += fmt::format("<p class=\"note\">And {} in the store; <code>report --format json</code> lists all.</p>",
                          counted(shown.groups.size() - most_groups, "more group"));
  const std::string id = stable_name(shown.engine, shown.cause);
  return fmt::format(
      "<details class=\"group cause k-{}\" id=\"{}\"{} data-text=\"{}\"><summary>{}<span class=\"sentence\">{} <span "
      "class=\"where\">{}</span></span>{}{}<span class=\"count\">{}</span></summary><div "
      "class=\"body\">{}{}{}{}{}<p class=\"note\"><a href=\"#{}\">Link to this cause</a></p></div></details>\n",
      info(shown.kind).id, id, unfolded ? " open" : "", html_escape(words_of(shown, groups)), icon(shown.kind),
      html_escape(shortened(cause.title, 300)), html_escape(operators_of(cause)), status_chip(cause.status),
      standing_chip(shown), counted(static_cast<std::size_t>(cause.cases), "case"), facts(shown), clause(shown, groups),
      passing(shown, groups), group_body(groups[shown.groups.front()]),
      others.empty() ? "" : fmt::format("<div class=\"others\"><h4>The same elsewhere</h4>{}</div>", others), id);
}

}  // namespace cellproof::reports::html
