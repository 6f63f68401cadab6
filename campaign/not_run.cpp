#include "campaign/not_run.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "engines/registry.hpp"

namespace cellproof::campaign {

std::vector<NotRun> not_run(const RunOptions& options, const std::vector<Finding>& findings,
                            const std::vector<std::string>& absent) {
  std::set<std::tuple<std::string, std::string, std::int64_t>> done;
  for (const Finding& finding : findings) done.emplace(finding.engine, finding.suite, finding.number);
  std::vector<NotRun> list;
  for (const std::string& argument : options.engines) {
    const std::string engine = engines::name_of_argument(argument);
    if (std::ranges::find(absent, engine) != absent.end()) continue;
    for (const corpus::Suite& suite : options.suites) {
      NotRun left{engine, suite.name, 0, 0, ""};
      for (std::int64_t number = 0; number < static_cast<std::int64_t>(suite.cases.size()); ++number) {
        if (!options.shard.contains(number)) continue;
        ++left.asked;
        if (done.contains({engine, suite.name, number})) continue;
        if (left.cases++ == 0) left.first = suite.cases[static_cast<std::size_t>(number)].name;
      }
      if (left.cases > 0) list.push_back(std::move(left));
    }
  }
  return list;
}

}  // namespace cellproof::campaign
