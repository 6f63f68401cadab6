#include "reports/cause_json.hpp"

#include <algorithm>
#include <exception>

#include "reports/json_values.hpp"
#include "reports/json_writer.hpp"
#include "reports/passing_json.hpp"
#include "spec/specification_page.hpp"

namespace cellproof::reports {
namespace {

/// "" for null.
std::string text_or_null(const Json& json) {
  return json.is_null() ? "" : text_from_json(json);
}

/// Addresses of the pages that specify its operators.
std::vector<std::string> pages_of(const Cause& cause) {
  std::vector<std::string> pages;
  for (const Operator op : all_operators())
    if (std::ranges::find(cause.operators, name(op)) != cause.operators.end()) pages.push_back(specification_page(op));
  return pages;
}

Cause cause_from(const Json& json) {
  Cause cause;
  cause.id = text_from_json(json.at("id"));
  cause.title = text_from_json(json.at("title"));
  cause.status = named(json.at("status"), cause_status_named, "a status");
  cause.faults = texts_from_json(json.at("faults"));
  cause.readings = texts_from_json(json.at("readings"));
  cause.contract = text_or_null(json.at("contract"));
  if (json.contains("rivals")) cause.rivals = texts_from_json(json.at("rivals"));
  if (json.contains("scope")) cause.scope = text_or_null(json.at("scope"));  // not in older stores
  cause.operators = texts_from_json(json.at("operators"));
  cause.cases = integer_from_json<std::int64_t>(json.at("cases"));
  cause.alone = integer_from_json<std::int64_t>(json.at("alone"));
  cause.case_line = text_or_null(json.at("case"));
  cause.clause = text_or_null(json.at("clause"));
  for (const auto& [suite, numbers] : json.at("where").items())
    for (const Json& number : numbers) cause.where[suite].push_back(integer_from_json<std::int64_t>(number));
  if (json.contains("passing")) cause.passing = passing_from_json(json.at("passing"));  // older stores have none
  return cause;
}

}  // namespace

std::string to_json(const std::string& engine, const std::vector<Cause>& causes, bool are_all) {
  JsonWriter json;
  const auto write = [&](const char* key, const std::string& text) {
    json.key(key);
    text.empty() ? json.null() : json.text(text);
  };
  json.begin_array();
  for (const Cause& cause : causes) {
    json.begin_object();
    json.key("engine").text(engine);
    json.key("id").text(cause.id);
    json.key("title").text(cause.title);
    json.key("status").text(name(cause.status));
    json.key("search_complete").boolean(are_all);
    json.key("faults").texts(cause.faults);
    json.key("readings").texts(cause.readings);
    write("contract", cause.contract);
    write("scope", cause.scope);
    json.key("rivals").texts(cause.rivals);
    json.key("operators").texts(cause.operators);
    json.key("cases").integer(cause.cases);
    json.key("alone").integer(cause.alone);
    write("case", cause.case_line);
    write("clause", cause.clause);
    json.key("pages").texts(pages_of(cause));
    json.key("passing");
    reports::write(json, cause.passing);
    json.key("where").begin_object();
    for (const auto& [suite, numbers] : cause.where) {
      json.key(suite).begin_array();
      for (const std::int64_t number : numbers) json.integer(number);
      json.end_array();
    }
    json.end_object();
    json.end_object();
  }
  json.end_array();
  return json.result();
}

std::optional<std::vector<Cause>> causes_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_array()) return std::nullopt;
  std::vector<Cause> causes;
  try {
    for (const Json& each : json) causes.push_back(cause_from(each));
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return causes;
}

}  // namespace cellproof::reports
