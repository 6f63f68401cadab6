#include "reports/html/capability_table.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

constexpr std::size_t longest_message = 160;  ///< in characters

/// "layout=1, layout=2: MESSAGE", one line for each message.
std::string changes_by_message(const Capabilities& of, Support support) {
  std::map<std::string, std::string> values;
  std::vector<std::string> messages;  // in the order of their first changes
  for (const Capability& capability : of.changes) {
    if (capability.support != support) continue;
    const auto [place, is_new] = values.try_emplace(capability.message);
    if (is_new) messages.push_back(capability.message);
    if (!is_new) place->second += ", ";
    place->second += code(capability.change.first + "=" + capability.change.second);
  }
  std::string lines;
  for (const std::string& message : messages)
    lines += fmt::format("<p>{}: {}</p>", values.at(message), foldable(message, longest_message));
  return lines;
}

std::string row(const Capabilities& of) {
  if (of.plain != Support::Supported)
    return fmt::format("<tr><td>{}</td><td><p>{}: {}</p></td></tr>", code(to_string(of.version)), name(of.plain),
                       foldable(of.message, longest_message));
  std::string lines = fmt::format("<p>supports {} of {}</p>", of.count(Support::Supported),
                                  counted(of.changes.size(), "single change"));
  for (const Support support : {Support::Refused, Support::Broken})
    if (of.count(support) > 0)
      lines += fmt::format("<p><b>{} {}</b></p>{}", of.count(support), name(support), changes_by_message(of, support));
  return fmt::format("<tr><td>{}</td><td>{}</td></tr>", code(to_string(of.version)), lines);
}

}  // namespace

std::string capability_table(const std::string& engine, const std::vector<Capabilities>& all) {
  std::string rows;
  for (const Capabilities& each : all)
    if (each.engine == engine) rows += row(each);
  if (rows.empty()) return "";
  return fmt::format(
      "<details class=\"fold\" id=\"{}-capabilities\"><summary><span>Capabilities</span> <small>by single changes from "
      "a plain case of the newest version that runs</small></summary><table class=\"rows "
      "capabilities\">{}</table></details>\n",
      anchor(engine), rows);
}

}  // namespace cellproof::reports::html
