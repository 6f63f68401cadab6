#include "reports/passing_json.hpp"

namespace cellproof::reports {

void write(JsonWriter& out, const std::optional<PassingCase>& passing) {
  if (!passing) {
    out.null();
    return;
  }
  out.begin_object().key("case").text(passing->case_line).key("with").pairs(passing->with).end_object();
}

std::optional<PassingCase> passing_from_json(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return PassingCase{text_from_json(json.at("case")), pairs_from_json(json.at("with"))};
}

}  // namespace cellproof::reports
