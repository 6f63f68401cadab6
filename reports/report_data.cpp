#include "reports/render.hpp"

namespace cellproof::reports {

ReportData report_data(const Store& store) {
  ReportData data;
  data.damage = store.damage();
  data.passport = store.passport();
  data.engines = store.engine_notes();
  data.findings = store.findings();
  for (const auto& [key, value] : data.passport)
    if (key == "suites") data.title = value;
  return data;
}

}  // namespace cellproof::reports
