#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "fuzz/law.hpp"
#include "fuzz/suites.hpp"
#include "lab/mutation/commands.hpp"
#include "lab/mutation/mutation.hpp"
#include "oracle/faults/every_fault.hpp"

namespace cellproof::lab {
namespace {

using Json = nlohmann::ordered_json;

/// Law x mutant: what each law finds on its cases of suite laws. A law that finds nothing is worth nothing.
int print_laws(bool as_json) {
  const MutationScore score = score_mutants(fuzz::load_suite("laws").cases, true);
  std::map<std::string, std::set<std::string>> killed;
  for (const MutantScore& row : score.rows) {
    for (const std::string& kill : row.kills) killed[kill.substr(0, kill.find('/'))].insert(row.id);
  }
  std::size_t nothing = 0;
  Json table = Json::object();
  for (const fuzz::Law& law : fuzz::laws()) {
    const std::set<std::string>& ids = killed[std::string(law.id)];
    nothing += ids.empty();
    table[std::string(law.id)] = ids;
    if (!as_json) fmt::print("{:<40} {:>4}  {}\n", law.id, ids.size(), fmt::join(ids, " "));
  }
  if (as_json) {
    fmt::print("{}\n", Json{{"mutants", oracle::faults().size()}, {"laws", table}}.dump(2));
  } else {
    fmt::print("{} laws, {} mutants; {} laws kill nothing\n", fuzz::laws().size(), oracle::faults().size(), nothing);
  }
  return nothing == 0 ? ok : unexpected;
}

}  // namespace

void add_laws(CLI::App& mutants, Work& work) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* command = mutants.add_subcommand("laws", "List the mutants that each law kills; fail if a law kills none");
  command->add_flag("--json", *as_json, "As one JSON object");
  command->callback([as_json, &work] { work = [as_json] { return print_laws(*as_json); }; });
}

}  // namespace cellproof::lab
