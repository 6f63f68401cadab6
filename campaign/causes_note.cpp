#include "campaign/causes_note.hpp"

#include "reports/json_writer.hpp"

namespace cellproof::campaign {

std::string causes_note(const std::string& engine, const std::vector<causes::Cause>& causes) {
  reports::JsonWriter json;
  const auto write = [&](const char* key, const std::string& text) {
    json.key(key);
    text.empty() ? json.null() : json.text(text);
  };
  json.begin_array();
  for (const causes::Cause& cause : causes) {
    json.begin_object();
    json.key("engine").text(engine);
    json.key("id").text(cause.id);
    json.key("title").text(cause.title);
    json.key("status").text(causes::name(cause.status));
    json.key("faults").texts(cause.faults);
    json.key("readings").texts(cause.readings);
    write("contract", cause.contract);
    json.key("operators").texts(cause.operators);
    json.key("cases").integer(cause.cases);
    json.key("alone").integer(cause.alone);
    write("case", cause.case_line);
    write("clause", cause.clause);
    json.end_object();
  }
  json.end_array();
  return json.result();
}

std::string causes_of(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                      const std::function<bool()>& is_over) {
  const std::vector<causes::Answered> answered = kept.answered(findings, engine.declared);
  const causes::EngineModel model = causes::model_of(answered, {.is_over = is_over});
  return model.causes.empty() ? "" : causes_note(engine.name, model.causes);
}

}  // namespace cellproof::campaign
