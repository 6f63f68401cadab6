#include "reports/json_writer.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {
namespace {

void write_counts(JsonWriter& json, const TupleCounts& counts) {
  const auto write = [&](std::string_view key, std::size_t count) {
    json.key(key).integer(static_cast<std::int64_t>(count));
  };
  json.begin_object();
  write("possible", counts.possible);
  write("covered", counts.covered());
  write("supported", counts.supported());
  write("passed", counts.passed);
  write("undecided", counts.undecided);
  write("failing", counts.failing);
  write("refused", counts.refused);
  json.end_object();
}

void write_cells(JsonWriter& json, const Coverage& coverage) {
  json.begin_array();
  for (std::size_t b = 1; b < coverage.axes.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const TupleCounts& counts = coverage.cells[b * (b - 1) / 2 + a];
      if (counts.possible == 0) continue;
      json.begin_object();
      json.key("axes").texts({coverage.axes[a], coverage.axes[b]});
      json.key("pairs");
      write_counts(json, counts);
      json.end_object();
    }
  }
  json.end_array();
}

}  // namespace

std::string render_coverage(const ReportData& data) {
  JsonWriter json;
  json.begin_array();
  for (const Coverage& coverage : data.coverage) {
    json.begin_object();
    json.key("engine").text(coverage.engine);
    json.key("operator").text(name(coverage.op));
    json.key("pairs");
    write_counts(json, coverage.pairs);
    json.key("pairs_of_supported").integer(static_cast<std::int64_t>(coverage.pairs_of_supported));
    json.key("triples");
    write_counts(json, coverage.triples);
    json.key("by_axes");
    write_cells(json, coverage);
    json.end_object();
  }
  json.end_array();
  return json.result() + "\n";
}

}  // namespace cellproof::reports
