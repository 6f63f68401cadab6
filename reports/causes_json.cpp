#include "reports/cause_json.hpp"
#include "reports/json_values.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {
namespace {

/// A cause of the base that is gone. How far the base was searched is not known any more.
Json gone(const std::string& engine, const Cause& cause) {
  Json json = Json::parse(to_json(engine, {cause})).front();
  json["status"] = json["since"] = name(Since::Fixed);
  json.erase("search_complete");
  return json;
}

}  // namespace

std::string render_causes(const ReportData& data) {
  std::string text;
  const auto add = [&text](const Json& cause) {
    text += (text.empty() ? "\n" : ",\n") + cause.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  for (const auto& [engine, notes] : data.engines) {
    const std::string note = words_of(notes, EngineNote::Causes);
    Json causes = Json::parse(note, nullptr, false);  // of a store, which may be damaged
    if (!causes.is_array()) continue;
    for (Json& cause : causes) {
      const CauseChange* const change = cause.is_object() && cause.contains("id") && cause["id"].is_string()
                                            ? data.changes.of(engine, cause["id"])
                                            : nullptr;
      if (change != nullptr) cause["since"] = name(change->since);
      add(cause);
    }
  }
  for (const auto& [engine, cause] : data.changes.fixed) add(gone(engine, cause));
  return "[" + text + (text.empty() ? "]\n" : "\n]\n");
}

}  // namespace cellproof::reports
