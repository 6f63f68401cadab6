#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "campaign/judged_search.hpp"
#include "campaign/needs.hpp"
#include "campaign/stop.hpp"
#include "cli/case_line.hpp"
#include "cli/command.hpp"
#include "cli/known_of_engine.hpp"
#include "cli/presence.hpp"
#include "cli/seconds.hpp"
#include "cli/worker_options.hpp"
#include "engines/fresh_memory.hpp"
#include "engines/registry.hpp"
#include "engines/threaded_engines.hpp"
#include "fuzz/broken_case.hpp"
#include "fuzz/law.hpp"
#include "fuzz/law_breach.hpp"
#include "fuzz/law_case.hpp"
#include "fuzz/small_case.hpp"
#include "fuzz/steering/steering.hpp"
#include "reports/plain_text.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::cli {
namespace {

using fuzz::Law;
using fuzz::LawResult;
using Kind = LawResult::Kind;

struct FuzzArguments {
  std::vector<std::string> engines;
  std::vector<std::string> laws;
  std::vector<std::string> contracts;
  WorkerArguments worker;
  double seconds = 60;
  std::uint64_t seed = 0;
  std::uint64_t steered = 50;
  std::optional<std::string> line;  ///< of the only case; an empty one is none that can be read
};

/// Stand among the laws for what the oracle says of a case by itself: a valid one, and one that breaks a rule.
constexpr std::string_view judged = "judged";
constexpr std::string_view invalid = "invalid";

/// One case in so many gets a rule broken, too.
constexpr std::uint64_t one_in_is_broken = 4;

/// Beside each case that is judged so many laws are tried, whose turn it is: about as much time goes to either. Counted
/// and not measured, so that the seed alone says what is tried.
constexpr std::size_t laws_beside_a_judged_case = 4;

const Law& law_asked_for(const std::string& id) {
  const auto found = std::ranges::find(fuzz::laws(), id, &Law::id);
  if (found != fuzz::laws().end()) return *found;
  std::vector<std::string_view> known{judged, invalid};
  for (const Law& law : fuzz::laws()) known.push_back(law.id);
  throw std::invalid_argument(fmt::format("no law '{}', expected one of {}", id, fmt::join(known, ", ")));
}

std::vector<const Law*> laws_of(const FuzzArguments& arguments) {
  std::vector<const Law*> list;
  for (const std::string& id : arguments.laws) {
    if (id != judged && id != invalid) list.push_back(&law_asked_for(id));
  }
  if (arguments.laws.empty()) {
    for (const Law& law : fuzz::laws()) list.push_back(&law);
  }
  return list;
}

bool asks_for(const FuzzArguments& arguments, std::string_view law) {
  return arguments.laws.empty() || std::ranges::find(arguments.laws, law) != arguments.laws.end();
}

/// What one law came to on one engine.
struct LawTally {
  /// A breach that has been printed, and the axis values without which it does not come.
  struct Told {
    Operator op = Operator::LSTM;
    Kind kind = Kind::Broken;
    campaign::AxisValues needs;
  };
  std::map<Kind, std::int64_t> results;
  std::vector<Told> told;

  bool has_told(Operator op, Kind kind, const campaign::AxisValues& axes) const {
    return std::ranges::any_of(
        told, [&](const Told& one) { return one.op == op && one.kind == kind && campaign::has_all(axes, one.needs); });
  }
};

/// One engine for its share of the time: the oracle over one case after the other, and laws over others.
class LawSearch {
 public:
  LawSearch(const FuzzArguments& arguments, std::string engine)
      : arguments_(arguments),
        argument_(std::move(engine)),
        engine_(engines::make_engine(argument_, worker_options_of(arguments.worker))),
        threaded_(argument_, worker_options_of(arguments.worker)) {
    const engines::EngineDescription description = engine_->describe();
    under_test_ = campaign::engine_under_test(description, parse_contracts(arguments.contracts));
    other_memory_ = engines::make_engine(argument_, engines::with_other_memory(worker_options_of(arguments.worker)));
    under_test_.other_memory = [this](const Problem& problem) { return other_memory_->run(problem); };
    if (description.takes_threads)
      ask_threaded_ = [this](const Problem& problem, int threads) { return threaded_.run(problem, threads); };
  }

  Presence presence() { return presence_of(*engine_, argument_); }

  void replay(const Case& c) {
    const bool judges = asks_for(arguments_, judged);
    if (judges || asks_for(arguments_, invalid)) {
      fmt::print("{}: {}\n", judges ? judged : invalid, reports::visible_text(judged_search().judge(c)));
    }
    for (const Law* law : laws_of(arguments_)) {
      const LawResult result = attempt(*law, c);
      fmt::print("{}: {}{}{}\n", law->id, name(result.kind), result.message.empty() ? "" : ": ",
                 reports::visible_text(result.message));
      ++tallies_[law].results[result.kind];
    }
  }

  void search(double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    const auto over = [end] { return campaign::stop_is_requested() || std::chrono::steady_clock::now() >= end; };
    // What was found at the end of the time is still to become small, but not for ever.
    late_ = [last = end + std::chrono::seconds(10)] {
      return campaign::stop_is_requested() || std::chrono::steady_clock::now() >= last;
    };
    const bool judges = asks_for(arguments_, judged), breaks = asks_for(arguments_, invalid);
    const std::vector<const Law*> laws = laws_of(arguments_);
    const std::size_t tried = judges || breaks ? std::min(laws.size(), laws_beside_a_judged_case) : laws.size();
    fuzz::Steering steering(arguments_.seed);
    for (std::uint64_t index = 0; !over(); ++index) {
      if (judges) judge_next(index, steering);
      if (breaks && (!judges || index % one_in_is_broken == 0)) judge_broken(index);
      const Case c = fuzz::case_of(fuzz::drawn_recipe(arguments_.seed, index));
      for (std::size_t k = 0; k < tried; ++k) {
        if (over()) break;
        const Law& law = *laws[(index * tried + k) % laws.size()];
        const LawResult result = attempt(law, c);
        ++tallies_[&law].results[result.kind];
        if (result.kind == Kind::Broken || result.kind == Kind::Died) tell(law, c, result);
      }
    }
  }

  /// A line for each law; whether one was broken, or at least one tried.
  ExitCode summary() const {
    bool broken = judged_ && judged_->any_failed();
    bool tried = judged_ && judged_->any_passed();
    if (judged_) {
      fmt::print("{}", judged_->summary());
      fmt::print("{}, judged:", argument_);
      for (const auto& [result, count] : judged_->results()) fmt::print(" {} {}", count, result);
      fmt::print("\n");
    }
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
    if (judged_ && judged_->any_harness_error()) return harness_error;
    return broken ? unexpected : tried ? ok : nothing_ran;
  }

 private:
  /// Made when something is judged: without it the summary has no line of it.
  campaign::JudgedSearch& judged_search() {
    if (!judged_) {
      judged_.emplace(
          under_test_,
          [this](const Finding& finding, const std::string& signature) { print_failure(finding, signature); },
          [this](const Problem& problem) { return engine_->run(problem); }, late_);
    }
    return *judged_;
  }

  void print_failure(const Finding& finding, const std::string& signature) const {
    const std::string& message = finding.reduction ? finding.reduction->message : finding.judgement.message;
    const std::string& line = finding.reduction ? finding.reduction->case_line : finding.case_line;
    fmt::print("{}\n  {}\n  cellproof replay {} --engine {}\n", reports::visible_text(signature),
               reports::visible_text(message.empty() ? finding.outcome_message : message), reports::shell_quoted(line),
               reports::shell_quoted(argument_));
  }

  void judge_next(std::uint64_t index, fuzz::Steering& steering) {
    const auto number = static_cast<std::int64_t>(index);
    if (index * 37 % 100 >= arguments_.steered) {
      judged_search().attempt(number, fuzz::small_case(fuzz::drawn_small_recipe(arguments_.seed, index)));
      return;
    }
    const campaign::JudgedSearch::Attempt made = judged_search().attempt(number, steering.next());
    steering.learn(made.outcome, made.ratio);
  }

  void judge_broken(std::uint64_t index) {
    const fuzz::CaseRecipe recipe = fuzz::drawn_small_recipe(arguments_.seed, index);
    const auto broken = fuzz::broken_case({recipe, static_cast<std::uint32_t>(recipe.seed)});
    if (broken) judged_search().attempt(static_cast<std::int64_t>(index), broken->c);
  }

  LawResult attempt(const Law& law, const Case& c) {
    return fuzz::try_law(
        law, make_problem(c), [&](const Problem& problem) { return engine_->run(problem); }, ask_threaded_,
        under_test_.declared);
  }

  /// Of each law and operator what is broken and why: made smaller, and not told again where a case has what it needs.
  /// NaN in all runs is told of the first law that finds it: the other thirty find the same.
  void tell(const Law& law, const Case& c, const LawResult& found) {
    LawTally& tally = found.agree_on_nan ? agreed_on_nan_ : tallies_[&law];
    const Operator op = c.version.op;
    if (tally.has_told(op, found.kind, axis_values(c))) return;
    const fuzz::LawBreach breach = fuzz::reduce_breach(
        c, found, [&](const Case& smaller) { return attempt(law, smaller); }, late_);
    if (tally.has_told(op, found.kind, breach.needs)) return;
    tally.told.push_back({op, found.kind, breach.needs});
    std::string needs;
    for (const auto& [axis, value] : breach.needs)
      needs += fmt::format("{}{}={}", needs.empty() ? "" : ", ", axis, value);
    fmt::print("{}: {}\n  {} {}, needs {}\n  cellproof fuzz --law {} --engine {} {}\n", law.what,
               reports::visible_text(breach.message), name(op), name(found.kind),
               needs.empty() ? "nothing but the defaults" : needs, law.id, reports::shell_quoted(argument_),
               reports::shell_quoted(to_text(breach.smallest)));
  }

  const FuzzArguments& arguments_;
  std::string argument_;
  std::unique_ptr<engines::WorkerEngine> engine_;
  std::unique_ptr<engines::WorkerEngine> other_memory_;  ///< the same, its fresh memory filled otherwise
  campaign::EngineUnderTest under_test_;
  engines::ThreadedEngines threaded_;
  fuzz::ThreadedProbe ask_threaded_;  ///< empty: it cannot be told how many
  std::optional<campaign::JudgedSearch> judged_;
  std::map<const Law*, LawTally> tallies_;
  LawTally agreed_on_nan_;  ///< what has been told; its results are not used
  std::function<bool()> late_;
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
  parse_contracts(arguments.contracts);  // refuses an unknown one before anything is started
  // What cannot be read is refused before anything is started.
  laws_of(arguments);
  check_seconds("--time", arguments.seconds);
  worker_options_of(arguments.worker);
  std::optional<Case> only;
  if (arguments.line) only = case_of_line(*arguments.line);
  const std::vector<std::string> engines = engines_of(arguments);
  std::set<ExitCode> codes;
  bool cannot_start = false;
  const campaign::StopOnSignal stopping;
  for (const std::string& engine : engines) {
    if (campaign::stop_is_requested()) break;
    LawSearch search(arguments, engine);
    const Presence presence = search.presence();
    cannot_start = cannot_start || presence == Presence::CannotStart;
    if (presence != Presence::Here) continue;
    if (only) {
      search.replay(*only);
    } else {
      search.search(arguments.seconds / static_cast<double>(engines.size()));
    }
    codes.insert(search.summary());
  }
  // A find counts, whoever made it; an engine on which no law could be tried does not make the others' result bad.
  for (const ExitCode code : {harness_error, unexpected, ok}) {
    if (codes.contains(code)) return campaign::unless_stopped(campaign::with_failed_start(code, cannot_start));
  }
  fmt::print(stderr, "cellproof fuzz: no law could be tried\n");
  return campaign::unless_stopped(nothing_ran);
}

}  // namespace

void add_fuzz(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<FuzzArguments>();
  CLI::App* command = app.add_subcommand("fuzz", "Search for failures: endless cases, judged, and laws");
  command->add_option("CASE", arguments->line, "Re-run one case, as printed with a finding")->option_text(" ");
  command->add_option("--engine", arguments->engines, "Search this engine; repeatable (default: all present)")
      ->option_text("NAME[=COMMAND]")
      ->allow_extra_args(false);
  command->add_option("--law", arguments->laws, "Try this law, `judged` or `invalid`; repeatable")
      ->option_text("NAME")
      ->allow_extra_args(false);
  command->add_option("--time", arguments->seconds, "Search this long, all engines together")
      ->option_text("SECONDS")
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "Set the random seed")->option_text("N")->capture_default_str();
  command->add_option("--steer", arguments->steered, "Guide this share of judged cases")
      ->option_text("PERCENT")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command->add_option("--contract", arguments->contracts, "Judge an engine under this contract; repeatable")
      ->option_text("ENGINE=ID")
      ->allow_extra_args(false);
  add_worker_options(*command, arguments->worker);
  command->footer(
      "Examples:\n  cellproof fuzz --engine onnxruntime --time 120\n"
      "  cellproof fuzz --law batch-split --engine 'mine=python3 my_worker.py'");
  command->callback([arguments, &work] { work = [arguments] { return fuzz_engines(*arguments); }; });
}

}  // namespace cellproof::cli
