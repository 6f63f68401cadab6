#include "reports/json_values.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {

std::string render_causes(const ReportData& data) {
  std::string text;
  for (const auto& [engine, notes] : data.engines) {
    const std::string note = words_of(notes, EngineNote::Causes);
    const Json causes = Json::parse(note, nullptr, false);  // of a store, which may be damaged
    if (!causes.is_array()) continue;
    for (const Json& cause : causes)
      text += (text.empty() ? "\n" : ",\n") + cause.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return "[" + text + (text.empty() ? "]\n" : "\n]\n");
}

}  // namespace cellproof::reports
