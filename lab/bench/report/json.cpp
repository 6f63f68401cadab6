#include "lab/bench/report/report.hpp"
#include "reports/json_writer.hpp"

namespace cellproof::lab::bench {
namespace {

void write_spread(reports::JsonWriter& json, std::string_view key, const std::optional<Spread>& spread) {
  json.key(key);
  if (!spread) {
    json.null();
    return;
  }
  json.begin_object().key("median").number(spread->median).key("lower").number(spread->lower);
  json.key("upper").number(spread->upper).end_object();
}

void write_subject(reports::JsonWriter& json, const BenchSubject& c) {
  json.begin_object().key("name").text(c.name).key("version").text(c.version);
  json.key("missing").text(c.missing).key("failed").boolean(c.failed).key("remark").text(c.remark);
  json.key("verdict").text(c.verdict).key("difference").number(c.difference);
  write_spread(json, "seconds", c.seconds);
  write_spread(json, "ratio", c.ratio);
  json.key("rounds").begin_array();
  for (const double seconds : c.rounds) json.number(seconds);
  json.end_array().end_object();
}

void write_row(reports::JsonWriter& json, const BenchRow& row) {
  json.begin_object().key("row").text(row.name).key("case").text(row.case_line).key("threads").integer(row.threads);
  json.key("subjects").begin_array();
  for (const BenchSubject& c : row.subjects) write_subject(json, c);
  json.end_array().key("limit");
  if (row.limit) {
    json.begin_object();
    write_spread(json, "seconds", row.limit->seconds);
    write_spread(json, "ratio", row.limit->ratio);
    json.key("formula").text(row.limit->formula).end_object();
  } else {
    json.null();
  }
  json.key("limit_missing").text(row.limit_missing);
  write_spread(json, "meeting", row.meeting);
  json.end_object();
}

}  // namespace

std::string render_bench_json(const BenchData& data) {
  reports::JsonWriter json;
  json.begin_object().key("title").text(data.title).key("passport").pairs(data.passport).key("rows").begin_array();
  for (const BenchRow& row : data.rows) write_row(json, row);
  json.end_array().end_object();
  return json.result() + "\n";
}

}  // namespace cellproof::lab::bench
