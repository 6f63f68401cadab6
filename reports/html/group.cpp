#include "reports/html/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/html/first_violation.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/plain_text.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::reports::html {
namespace {

constexpr std::size_t most_others = 4;              ///< common values that are not to blame
constexpr std::size_t most_cases = 40;              ///< listed per group
constexpr std::size_t most_case_characters = 8000;  ///< of all listed case lines together

std::string chip(const std::string& value, bool guilty, const std::string& title) {
  return fmt::format("<li class=\"{}\" title=\"{}\"><code>{}</code></li>", guilty ? "chip blamed" : "chip",
                     html_escape(title), html_escape(value));
}

/// Results of the engine with the value elsewhere; "" where the value is a family of them ("activation=any").
std::string elsewhere(const Group& group, const std::string& value) {
  for (const CommonValue& common : group.common) {
    if (to_string(common) != value) continue;
    return common.passing == 0 ? "no case with this passes"
                               : fmt::format("{} with this: no fault", counted(common.passing, "other case"));
  }
  return "";
}

/// Says what the axis values have to do with it, as the beginning of a line.
std::string blame(const Group& group, const std::vector<std::string>& guilty) {
  if (is_unattributed(group))
    return "<span>The run has too few cases, or too various ones, to say which axis value is to blame.</span>";
  if (guilty.empty()) return "<span class=\"label\">already at the defaults</span>";
  std::string chips;
  for (const std::string& value : guilty) chips += chip(value, true, elsewhere(group, value));
  return fmt::format("<span class=\"label\">when</span><ul class=\"chips\">{}</ul>", chips);
}

std::string conditions(const Group& group) {
  if (group.kind == FindingKind::Flaky)
    return "<div class=\"when\"><span class=\"label\">No axis value is blamed for what comes by chance.</span></div>";
  const std::vector<std::string> guilty = guilty_values(group);
  std::string others;
  std::size_t number = 0;
  for (const CommonValue& common : group.common) {
    const std::string value = to_string(common);
    if (std::find(guilty.begin(), guilty.end(), value) != guilty.end()) continue;
    if (++number <= most_others) others += chip(value, false, elsewhere(group, value));
  }
  if (number > most_others) others += fmt::format("<li class=\"note\">and {} more</li>", number - most_others);
  std::string out = blame(group, guilty);
  if (!others.empty())
    out += fmt::format("<span class=\"label\">also in common</span><ul class=\"chips\">{}</ul>", others);
  if (!group.common.empty())
    out += fmt::format("<span class=\"alike\">{}</span>",
                       group.passing_alike == 0
                           ? std::string("No case like these passes.")
                           : fmt::format("{} of the kind {}.", counted(group.passing_alike, "other case"),
                                         group.passing_alike == 1 ? "passes" : "pass"));
  return fmt::format("<div class=\"when\">{}</div>", out);
}

std::string hypotheses(const Group& group) {
  const Judgement& judgement = group.representative->judgement;
  std::string out;
  if (!judgement.faults.empty())
    out += fmt::format("<p>Behaves like {}.</p>", html_escape(fmt::format("{}", fmt::join(judgement.faults, ", "))));
  if (!judgement.readings.are_default())
    out += fmt::format("<p>Judged with {}.</p>", fmt::join(judgement.readings.differences(), ", "));
  return out;
}

std::string waiver(const Group& group) {
  if (!group.waived) return "";
  const std::string& url = group.waived->url;
  const std::string head = group.waived->until.empty() ? "Known" : "Waived until " + group.waived->until;
  const std::string link = url.empty() ? "" : fmt::format(" (<a href=\"{0}\">{0}</a>)", html_escape(url));
  return fmt::format("<p class=\"waiver\">{}: {}{}</p>", html_escape(head), html_escape(group.waived->why), link);
}

std::string message(const Group& group) {
  const Finding& finding = *group.representative;
  std::string text = sentence_of(finding.judgement);
  if (text.empty()) text = finding.flaky ? both_outcomes(finding) : finding.outcome_message;
  return text.empty() ? "" : fmt::format("<div class=\"says\">{}</div>", foldable(text, 400));
}

std::string evidence(const Group& group) {
  const Finding& shown = *group.representative;
  const std::string first = shown.judgement.first ? first_violation(shown) : "";
  std::string picture = group.plotted ? plot(group.plotted->judgement) : "";
  if (!picture.empty() && group.plotted != group.representative)
    picture += fmt::format("<p class=\"note\">Steps of the group's worst case: {} number {}.</p>",
                           html_escape(group.plotted->suite), group.plotted->number);
  if (first.empty() && picture.empty()) return "";
  return fmt::format("<div class=\"evidence\">{}{}</div>", first,
                     picture.empty() ? "" : fmt::format("<div class=\"picture\">{}</div>", picture));
}

std::string case_row(const Finding& finding) {
  const std::string name = finding.case_name.empty() ? "" : html_escape(finding.case_name) + " ";
  const std::string ratio = finding.judgement.worst_ratio ? fmt::format(" <span class=\"note\">{} × bound</span>",
                                                                        number(*finding.judgement.worst_ratio))
                                                          : "";
  return fmt::format("<li><span class=\"note\">{} {}</span> {}<code class=\"case\">{}</code>{}</li>",
                     html_escape(finding.suite), finding.number, name, html_escape(shortened(finding.case_line, 600)),
                     ratio);
}

std::string other_cases(const Group& group) {
  if (group.members.size() < 2) return "";
  std::string rows;
  std::size_t listed = 0;
  for (const Finding* finding : group.members) {
    if (finding == group.representative) continue;
    if (listed == most_cases || rows.size() > most_case_characters) break;
    rows += case_row(*finding);
    ++listed;
  }
  const std::size_t left = group.members.size() - 1 - listed;
  if (left > 0)
    rows += fmt::format("<li class=\"note\">and {} more in the store (`report --format json` lists all)</li>",
                        thousands(left));
  return fmt::format("<details class=\"cases\"><summary>{}</summary><ul>{}</ul></details>",
                     counted(group.members.size() - 1, "other case"), rows);
}

/// A link where it is a folder beside the page: stores may say anything.
std::string folder_link(const std::string& folder) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
  };
  if (!folder.starts_with("reduced/") || !std::ranges::all_of(folder, is_plain)) return code(folder);
  return fmt::format("<a href=\"{0}/\">{1}</a>, <a href=\"{0}/ISSUE.md\">ISSUE.md</a>", folder, code(folder));
}

/// The smallest case that fails alike, before the one that was found.
std::string reduced(const Group& group) {
  const std::optional<Reduction>& reduction = group.representative->reduction;
  if (!reduction) return "";
  std::string chips;
  for (const auto& [axis, value] : reduction->guilty) chips += chip(fmt::format("{}={}", axis, value), true, "");
  const std::string needs = chips.empty()
                                ? "<span class=\"label\">needs nothing but the defaults</span>"
                                : fmt::format("<span class=\"label\">needs</span><ul class=\"chips\">{}</ul>", chips);
  Finding smallest = *group.representative;
  smallest.case_line = reduction->case_line;
  const std::string runs = fmt::format("{}{}", counted(static_cast<std::size_t>(reduction->runs), "run"),
                                       reduction->complete ? "" : ", then stopped");
  return fmt::format(
      "<div class=\"reduced\"><div class=\"when\"><strong>Smallest case that fails alike</strong>{} "
      "<span class=\"note\">{}</span></div><div class=\"says\">{}</div>{}{}</div><p class=\"note\">As it was "
      "found:</p>",
      needs, runs, foldable(reduction->message, 400), replay(smallest, group.engine_argument),
      reduction->folder.empty()
          ? ""
          : fmt::format("<p class=\"note\">To hand over, with a script and the text of an issue: {}</p>",
                        folder_link(reduction->folder)));
}

}  // namespace

std::string replay(const Finding& finding, const std::string& engine_argument) {
  const std::string command = replay_command(finding, engine_argument);
  return fmt::format(
      "<div class=\"replay\"><pre tabindex=\"0\"><code>{}</code></pre><div class=\"buttons\">"
      "<button type=\"button\" data-copy=\"{}\">Copy command</button>"
      "<button type=\"button\" data-copy=\"{}\">Copy case</button></div></div>",
      html_escape(command), html_escape(command), html_escape(finding.case_line));
}

std::string group_body(const Group& group) {
  return waiver(group) + conditions(group) + message(group) + hypotheses(group) + evidence(group) + reduced(group) +
         replay(*group.representative, group.engine_argument) + other_cases(group);
}

std::string group_details(const Group& group) {
  return fmt::format(
      "<details class=\"group k-{}\"><summary>{}<span class=\"sentence\">{}{}</span><span "
      "class=\"count\">{}</span></summary><div class=\"body\">{}</div></details>\n",
      info(group.kind).id, icon(group.kind), html_escape(sentence_of(group)), condition(condition_of(group)),
      counted(group.members.size(), "case"), group_body(group));
}

}  // namespace cellproof::reports::html
