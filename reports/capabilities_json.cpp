#include "reports/capabilities.hpp"
#include "reports/json_writer.hpp"

namespace cellproof::reports {

std::string render_capabilities(const ReportData& data) {
  JsonWriter json;
  json.begin_array();
  for (const Capabilities& each : capabilities_of(data)) {
    json.begin_object();
    json.key("engine").text(each.engine);
    json.key("operator").text(to_string(each.version));
    json.key("plain").text(name(each.plain));
    json.key("message").text(each.message);
    json.key("changes");
    json.begin_array();
    for (const Capability& capability : each.changes) {
      json.begin_object();
      json.key("axis").text(capability.change.first);
      json.key("value").text(capability.change.second);
      json.key("support").text(name(capability.support));
      json.key("message").text(capability.message);
      json.key("case").text(capability.case_line);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  return json.result() + "\n";
}

}  // namespace cellproof::reports
