// A store as `report` reads it: the bytes are its SQLite file or, where they are none, the records of its findings, one
// a line. It is refused with a reason, or every report of it is rendered. What the findings of searching suites cover
// is not counted: that takes as long as hundreds of other inputs.

#include "reports/store.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "lab/fuzz_targets/target.hpp"
#include "reports/finding_json.hpp"
#include "reports/render.hpp"

using namespace cellproof;

namespace {

reports::ReportData data_of_file(std::string_view bytes) {
  const std::string file = fuzz::scratch_folder() + "/run.sqlite";
  std::ofstream(file, std::ios::binary) << bytes;
  return reports::report_data(reports::Store::open_read_only(file));
}

reports::ReportData data_of_records(std::string_view lines) {
  reports::ReportData data;
  for (std::size_t end = 0; !lines.empty(); lines.remove_prefix(std::min(end + 1, lines.size()))) {
    end = std::min(lines.find('\n'), lines.size());
    data.findings.push_back(reports::finding_from_json(lines.substr(0, end)));
    const std::string record = reports::to_json(data.findings.back());
    if (reports::to_json(reports::finding_from_json(record)) != record)
      fuzz::found("a finding that is not read as it was written: " + record);
  }
  return data;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  reports::ReportData read;
  try {
    read = bytes.starts_with("SQLite format 3") ? data_of_file(bytes) : data_of_records(bytes);
  } catch (const reports::StoreError&) {
    return 0;
  } catch (const std::invalid_argument&) {  // no record
    return 0;
  }
  if (reports::render_html(read).empty() || reports::render_junit(read).empty()) fuzz::found("a report that is empty");
  static_cast<void>(reports::render_summary(read));
  static_cast<void>(reports::render_json_lines(read));
  static_cast<void>(reports::render_coverage(read));
  return 0;
}
