#include "campaign/data_of_stores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "reports/store.hpp"

namespace cellproof::campaign {

reports::ReportData data_of_stores(const std::vector<std::string>& files) {
  reports::ReportData all;
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::string> held_by;
  for (const std::string& file : files) {
    reports::ReportData data = reports::report_data(reports::Store::open_read_only(file));
    if (all.title.empty()) all.title = data.title;
    all.runs.emplace_back(files.size() > 1 ? file : "", std::move(data.runs.front().second));
    for (const Finding& finding : data.findings) {
      const auto [holder, is_new] = held_by.emplace(std::tuple(finding.engine, finding.suite, finding.number), file);
      if (is_new) continue;
      throw std::invalid_argument(
          fmt::format("{}: holds {} number {} on {}, and so does {}: nothing is counted twice; "
                      "to compare two versions of an engine, name the older one's store "
                      "with --baseline",
                      file, finding.suite, finding.number, finding.engine, holder->second));
    }
    all.damage.insert(all.damage.end(), data.damage.begin(), data.damage.end());
    all.engines.insert(all.engines.end(), data.engines.begin(), data.engines.end());
    if (all.findings.empty())
      all.findings = std::move(data.findings);
    else
      std::ranges::move(data.findings, std::back_inserter(all.findings));
  }
  return all;
}

}  // namespace cellproof::campaign
