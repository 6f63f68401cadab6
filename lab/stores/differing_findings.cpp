#include "lab/stores/differing_findings.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "reports/finding_json.hpp"

namespace cellproof::lab {
namespace {

struct Record {
  std::string case_line;
  nlohmann::json fields;
  bool is_cut_short = false;
};

Record record_of(Finding finding) {
  finding.engine_version.clear();
  finding.timings = {};
  const bool is_cut_short = finding.reduction && !finding.reduction->complete;
  return {finding.case_line, nlohmann::json::parse(reports::to_json(finding)), is_cut_short};
}

std::map<DifferingFinding::Key, Record> records_of(const std::vector<Finding>& findings) {
  std::map<DifferingFinding::Key, Record> records;
  for (const Finding& finding : findings)
    records.insert_or_assign({finding.engine, finding.suite, finding.number}, record_of(finding));
  return records;
}

std::vector<std::string> differing_fields(const Record& before, const Record& after) {
  const bool is_cut_short = before.is_cut_short || after.is_cut_short;
  std::vector<std::string> fields;
  for (const auto& [name, value] : before.fields.items()) {
    if (is_cut_short && (name == "reduction" || name == "signature")) continue;
    if (value != after.fields.at(name)) fields.push_back(name);
  }
  return fields;
}

}  // namespace

std::vector<DifferingFinding> differing_findings(const std::vector<Finding>& before,
                                                 const std::vector<Finding>& after) {
  const auto old_records = records_of(before), new_records = records_of(after);
  std::map<DifferingFinding::Key, DifferingFinding> differing;
  const auto note = [&](const auto& entry, std::vector<std::string> fields) {
    differing.insert_or_assign(entry.first, DifferingFinding{entry.first, entry.second.case_line, std::move(fields)});
  };
  for (const auto& entry : old_records) {
    const auto other = new_records.find(entry.first);
    if (other == new_records.end()) {
      note(entry, {"missing"});
    } else if (auto fields = differing_fields(entry.second, other->second); !fields.empty()) {
      note(entry, std::move(fields));
    }
  }
  for (const auto& entry : new_records) {
    if (!old_records.contains(entry.first)) note(entry, {"missing"});
  }
  std::vector<DifferingFinding> list;
  list.reserve(differing.size());
  for (auto& [key, finding] : differing) list.push_back(std::move(finding));
  return list;
}

}  // namespace cellproof::lab
