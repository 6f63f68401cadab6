#include <fmt/format.h>

#include <algorithm>

#include "reports/html/cause.hpp"
#include "reports/html/engine.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

constexpr std::size_t longest_sentence = 110;
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
    if (kind.kind == FindingKind::Wrong && count > 1) words += " by " + counted(engine.causes_of(kind.kind), "cause");
    items += fmt::format("<li class=\"{}\" title=\"{}\">{}<b>{}</b> {}</li>", count == 0 ? "none" : "some",
                         html_escape(kind.what), icon(kind.kind), thousands(count), words);
  }
  return fmt::format("<ul class=\"counts\">{}</ul>", items);
}

/// A part of the card: kinds of causes under a heading.
struct Part {
  std::string_view title;
  std::vector<FindingKind> kinds;
  std::size_t most;          ///< sentences
  std::size_t most_of_many;  ///< the same where many engines share the screen
};

const std::vector<Part>& parts() {
  using enum FindingKind;
  static const std::vector<Part> all{{"Gets wrong", {Wrong, Flaky, Misconduct, AcceptedInvalid, Imprecise}, 6, 3},
                                     {"Crashes on", {Crash, Hang, OutOfMemory}, 3, 2},
                                     {"Lacks", {Gap}, 3, 1},
                                     {"Reads otherwise", {Reading}, 3, 1}};
  return all;
}

std::string item(FindingKind kind, const std::string& target, const std::string& sentence, const std::string& where,
                 bool is_new = false) {
  return fmt::format("<li>{}<a href=\"#{}\">{} <span class=\"where\">{}</span>{}</a></li>", icon(kind), target,
                     html_escape(shortened(sentence, longest_sentence)), html_escape(where),
                     is_new ? since_chip(name(Since::New)) : "");
}

/// All of a part, the worst first.
std::vector<std::string> items_of(const Part& part, const EngineTally& engine, const Shown& shown) {
  std::vector<std::string> items;
  for (const ShownCause& cause : shown.causes)
    if (cause.engine == engine.name && std::ranges::find(part.kinds, cause.kind) != part.kinds.end())
      items.push_back(item(cause.kind, stable_name(cause.engine, cause.cause), cause.cause.title,
                           operators_of(cause.cause), cause.since == Since::New && cause.waived == nullptr));
  for (const Group& group : shown.groups)
    if (group.engine == engine.name && group.kind == FindingKind::Gap && part.kinds.front() == FindingKind::Gap)
      items.push_back(
          item(group.kind, anchor(engine.name) + "-gaps", sentence_of(group), counted(group.members.size(), "case")));
  return items;
}

std::string worst_causes(const EngineTally& engine, const Shown& shown) {
  std::string out;
  for (const Part& part : parts()) {
    const std::vector<std::string> items = items_of(part, engine, shown);
    if (items.empty()) continue;
    out += fmt::format("<h3>{}</h3><ol class=\"worst\">", part.title);
    const std::size_t most = shown.has_many_engines ? part.most_of_many : part.most;
    for (std::size_t k = 0; k < items.size() && k < most; ++k) out += items[k];
    if (items.size() > most)
      out += fmt::format("<li class=\"more\"><a href=\"#{}\">and {} more</a></li>", anchor(engine.name),
                         items.size() - most);
    out += "</ol>";
  }
  return out;
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

std::string engine_card(const EngineTally& engine, const Shown& shown) {
  const std::string name = fmt::format("<h2><a href=\"#{}\">{}</a> <span class=\"version\">{}</span></h2>",
                                       anchor(engine.name), html_escape(engine.name), html_escape(engine.version));
  if (!engine.ran())
    return fmt::format("<li class=\"card absent\">{}{}{}</li>\n", name, why_not(engine), remarks(engine));
  return fmt::format("<li class=\"card {}\">{}{}{}{}{}</li>\n", engine.at_fault() ? "faulty" : "sound", name,
                     bar(engine), counts(engine), worst_causes(engine, shown), remarks(engine));
}

}  // namespace cellproof::reports::html
