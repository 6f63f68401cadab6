#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "engines/registry.hpp"
#include "fuzz/law.hpp"
#include "fuzz/law_case.hpp"
#include "reports/plain_text.hpp"
#include "spec/case_text.hpp"

namespace cellproof::cli {
namespace {

using fuzz::Law;
using fuzz::LawRecipe;
using fuzz::LawResult;
using Kind = LawResult::Kind;

struct FuzzArguments {
  std::vector<std::string> engines;
  std::vector<std::string> laws;
  double seconds = 60;
  std::uint64_t seed = 0;
  std::string line;
};

std::vector<const Law*> laws_of(const FuzzArguments& arguments) {
  std::vector<const Law*> list;
  for (const std::string& id : arguments.laws) list.push_back(&fuzz::law_named(id));
  if (list.empty()) {
    for (const Law& law : fuzz::laws()) list.push_back(&law);
  }
  return list;
}

/// What one law came to on one engine.
struct LawTally {
  std::map<Kind, std::int64_t> results;
  std::set<std::string> told;  ///< what has been printed: each kind of breach once for each operator
};

/// One engine for its share of the time: all laws in turn over one case after the other.
class LawSearch {
 public:
  LawSearch(const FuzzArguments& arguments, std::string engine)
      : arguments_(arguments), argument_(std::move(engine)), engine_(engines::make_engine(argument_)) {}

  std::string absence() { return engine_->absence(); }

  void replay(const Case& c) {
    for (const Law* law : laws_of(arguments_)) {
      const LawResult result = attempt(*law, c);
      fmt::print("{}: {}{}{}\n", law->id, name(result.kind), result.message.empty() ? "" : ": ",
                 reports::visible_text(result.message));
      ++tallies_[law].results[result.kind];
    }
  }

  void search(double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    const std::vector<const Law*> laws = laws_of(arguments_);
    for (std::uint64_t index = 0; std::chrono::steady_clock::now() < end; ++index) {
      const LawRecipe recipe = fuzz::drawn_recipe(arguments_.seed, index);
      for (const Law* law : laws) {
        const LawResult result = attempt(*law, fuzz::case_of(recipe));
        ++tallies_[law].results[result.kind];
        if (result.kind == Kind::Broken || result.kind == Kind::Died) tell(*law, recipe, result.kind);
        if (std::chrono::steady_clock::now() >= end) break;
      }
    }
  }

  /// A line for each law; whether one was broken, or at least one tried.
  ExitCode summary() const {
    bool broken = false;
    bool tried = false;
    fmt::print("{:<40} {:>8} {:>8} {:>8} {:>8} {:>14}\n", argument_, "holds", "broken", "died", "refused",
               "not applicable");
    for (const Law& law : fuzz::laws()) {
      const auto found = tallies_.find(&law);
      if (found == tallies_.end()) continue;
      const auto count = [&](Kind kind) {
        const auto entry = found->second.results.find(kind);
        return entry == found->second.results.end() ? 0 : entry->second;
      };
      fmt::print("{:<40} {:>8} {:>8} {:>8} {:>8} {:>14}{}\n", law.id, count(Kind::Holds), count(Kind::Broken),
                 count(Kind::Died), count(Kind::Refused), count(Kind::NotApplicable),
                 count(Kind::Holds) + count(Kind::Broken) + count(Kind::Died) == 0 ? "  not tried" : "");
      broken = broken || count(Kind::Broken) + count(Kind::Died) > 0;
      tried = tried || count(Kind::Holds) > 0;
    }
    return broken ? unexpected : tried ? ok : nothing_ran;
  }

 private:
  LawResult attempt(const Law& law, const Case& c) {
    return fuzz::try_law(law, make_problem(c), [&](const Problem& problem) { return engine_->run(problem); });
  }

  /// Of each law and operator the first find, made smaller.
  void tell(const Law& law, const LawRecipe& recipe, Kind kind) {
    if (!tallies_[&law].told.insert(fmt::format("{} {}", name(recipe.version.op), name(kind))).second) return;
    const LawRecipe small = fuzz::shrunk(
        recipe, [&](const LawRecipe& shorter) { return attempt(law, fuzz::case_of(shorter)).kind == kind; });
    const Case c = fuzz::case_of(small);
    fmt::print("{}: {}\n  cellproof fuzz --law {} --engine {} {}\n", law.what,
               reports::visible_text(attempt(law, c).message), law.id, reports::shell_quoted(argument_),
               reports::shell_quoted(to_text(c)));
  }

  const FuzzArguments& arguments_;
  std::string argument_;
  std::unique_ptr<engines::WorkerEngine> engine_;
  std::map<const Law*, LawTally> tallies_;
};

std::vector<std::string> engines_of(const FuzzArguments& arguments) {
  if (!arguments.engines.empty()) return arguments.engines;
  std::vector<std::string> present;
  for (const engines::KnownEngine& engine : engines::known_engines()) {
    if (engine.by_default && engine.absent.empty()) present.push_back(engine.name);
  }
  return present;
}

int fuzz_engines(const FuzzArguments& arguments) {
  laws_of(arguments);  // refuses an unknown name before anything is started
  const std::vector<std::string> engines = engines_of(arguments);
  std::set<ExitCode> codes;
  for (const std::string& engine : engines) {
    LawSearch search(arguments, engine);
    if (const std::string absence = search.absence(); !absence.empty()) {
      fmt::print(stderr, "{}: absent: {}\n", engine, absence);
      continue;
    }
    if (arguments.line.empty()) {
      search.search(arguments.seconds / static_cast<double>(engines.size()));
    } else {
      search.replay(parse_case(arguments.line));
    }
    codes.insert(search.summary());
  }
  // A find counts, whoever made it; an engine on which no law could be tried does not make the others' result bad.
  for (const ExitCode code : {unexpected, ok}) {
    if (codes.contains(code)) return code;
  }
  fmt::print(stderr, "cellproof fuzz: no law could be tried\n");
  return nothing_ran;
}

}  // namespace

void add_fuzz(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<FuzzArguments>();
  CLI::App* command = app.add_subcommand("fuzz", "Try laws on engines: relations between runs that need no oracle");
  command->add_option("CASE", arguments->line, "Only this case line, as a find was printed with it");
  command
      ->add_option("--engine", arguments->engines,
                   "As for `run` (default: every engine that is present); may be repeated")
      ->allow_extra_args(false);
  command->add_option("--law", arguments->laws, "Of `cellproof list laws` (default: all); may be repeated")
      ->allow_extra_args(false);
  command->add_option("--time", arguments->seconds, "Seconds, for all engines together")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "Which endless sequence of cases is tried")->capture_default_str();
  command->footer(
      "Examples:\n  cellproof fuzz --engine onnxruntime --time 120\n"
      "  cellproof fuzz --law batch-split --engine 'mine=python3 my_worker.py'");
  command->callback([arguments, &work] { work = [arguments] { return fuzz_engines(*arguments); }; });
}

}  // namespace cellproof::cli
