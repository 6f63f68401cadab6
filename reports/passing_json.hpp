#pragma once

#include <optional>

#include "reports/json_values.hpp"
#include "reports/json_writer.hpp"
#include "spec/passing_case.hpp"

namespace cellproof::reports {

/// {"case": LINE, "with": [["direction", "forward"]]}, or null.
void write(JsonWriter& out, const std::optional<PassingCase>& passing);
std::optional<PassingCase> passing_from_json(const Json& json);

}  // namespace cellproof::reports
