#include "reports/json_values.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {

std::string render_causes(const ReportData& data) {
  std::string text;
  for (const auto& [engine, notes] : data.engines) {
    const std::string note = words_of(notes, EngineNote::Causes);
    Json causes = Json::parse(note, nullptr, false);  // of a store, which may be damaged
    if (!causes.is_array()) continue;
    for (Json& cause : causes) {
      const CauseChange* const change = cause.is_object() && cause.contains("id") && cause["id"].is_string()
                                            ? data.changes.of(engine, cause["id"])
                                            : nullptr;
      if (change != nullptr) cause["since"] = name(change->since);
      text += (text.empty() ? "\n" : ",\n") + cause.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
  }
  return "[" + text + (text.empty() ? "]\n" : "\n]\n");
}

}  // namespace cellproof::reports
