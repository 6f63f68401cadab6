#include "lab/bench/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "lab/bench/agreement.hpp"
#include "lab/bench/limit.hpp"
#include "lab/bench/statistics.hpp"
#include "lab/bench/subject_process.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab::bench {
namespace {

/// Libraries' threads spin for a while after their last work; the next subject must not share its core with them.
constexpr std::chrono::milliseconds settling_time{15};

double figure(const Figures& figures, std::string_view name) {
  for (const auto& [key, value] : figures)
    if (key == name) return value;
  throw BrokeDown(fmt::format("its answer has no figure '{}'", name));
}

/// A subject's place in a row; the process is gone once it is out of the contest.
struct Entrant {
  BenchSubject record;
  std::unique_ptr<SubjectProcess> process;
  std::vector<Figures> figures;

  void fails(const std::string& how) {
    record.failed = true;
    record.remark = how;
    process.reset();
  }
};

Entrant enter(const std::string& name, const std::string& case_line, int threads) {
  Entrant entrant;
  entrant.record.name = name;
  try {
    entrant.process = std::make_unique<SubjectProcess>(name, case_line, threads);
    entrant.record.version = entrant.process->version();
  } catch (const Unavailable& reason) {
    entrant.record.missing = reason.what();
    entrant.process.reset();
  } catch (const BrokeDown& how) {
    entrant.fails(how.what());
  }
  return entrant;
}

void run_round(std::vector<Entrant>& entrants, int round, double seconds) {
  for (const std::size_t place : order_in_round(entrants.size(), round)) {
    Entrant& entrant = entrants[place];
    if (!entrant.process) continue;
    std::this_thread::sleep_for(settling_time);
    try {
      entrant.figures.push_back(entrant.process->measure(seconds));
    } catch (const BrokeDown& how) {
      entrant.fails(how.what());
    }
  }
}

/// Outputs that have been judged already, of this row: whoever has the same bits under the same contract has the
/// same verdict.
struct Judged {
  Outputs outputs;
  std::optional<ContractId> declared;
  Agreement agreement;
};

void compare_outputs(std::vector<Entrant>& entrants, const Problem& problem, int jobs, std::vector<Judged>& judged) {
  Outputs first;
  for (Entrant& entrant : entrants) {
    if (!entrant.process) continue;
    Outputs outputs;
    try {
      outputs = entrant.process->outputs(problem);
    } catch (const BrokeDown& how) {
      entrant.fails(how.what());
      continue;
    }
    if (outputs.empty()) continue;
    const auto declared = declared_contract(entrant.record.name, problem.input(input::X)->type());
    auto known =
        std::ranges::find_if(judged, [&](const Judged& j) { return j.outputs == outputs && j.declared == declared; });
    if (known == judged.end()) {
      judged.push_back({outputs, declared, judge_outputs(problem, outputs, declared, jobs)});
      known = judged.end() - 1;
    }
    entrant.record.verdict = known->agreement.verdict;
    entrant.record.failed = !known->agreement.holds;
    entrant.record.remark = known->agreement.complaint;
    if (first.empty())
      first = std::move(outputs);
    else
      entrant.record.difference = largest_difference(outputs, first);
  }
}

/// Times and ratios of those that are still there after the last round.
void conclude(std::vector<Entrant>& entrants) {
  const std::vector<double>* first = nullptr;
  for (Entrant& entrant : entrants) {
    if (entrant.process == nullptr) continue;
    for (const Figures& figures : entrant.figures) entrant.record.rounds.push_back(figure(figures, "seconds"));
    entrant.record.seconds = spread_of(entrant.record.rounds);
    if (first == nullptr) first = &entrant.record.rounds;
    entrant.record.ratio = spread_of_ratios(entrant.record.rounds, *first);
  }
}

void set_limit(BenchRow& row, const Entrant& machine, const Problem& problem) {
  if (!machine.record.missing.empty() || machine.record.failed) {
    row.limit_missing = machine.record.missing + machine.record.remark;
    return;
  }
  const Work work = work_of(problem);
  std::vector<double> seconds, meetings;
  std::vector<Rates> all;
  for (const Figures& figures : machine.figures) {
    all.push_back({figure(figures, "multiply_adds"), figure(figures, "bytes_read"), figure(figures, "sigmoids"),
                   figure(figures, "tanhs")});
    seconds.push_back(limit_of(work, all.back()));
    if (row.threads > 1) meetings.push_back(1 / figure(figures, "meetings"));
  }
  if (row.threads > 1) row.meeting = spread_of(meetings);
  const auto middle = [&](double Rates::*rate) {
    std::vector<double> values;
    for (const Rates& rates : all) values.push_back(rates.*rate);
    return quantile_of(std::move(values), 0.5);
  };
  const Rates middle_rates{middle(&Rates::multiply_adds), middle(&Rates::bytes_read), middle(&Rates::sigmoids),
                           middle(&Rates::tanhs)};
  row.limit = {spread_of(seconds), std::nullopt, formula_of(work, middle_rates)};
  for (const BenchSubject& c : row.subjects) {
    if (!c.ratio) continue;
    row.limit->ratio = spread_of_ratios(seconds, c.rounds);
    break;
  }
}

BenchRow contest_of(const Row& row, const Problem& problem, int threads, const ContestOptions& options,
                    std::vector<Judged>& judged) {
  BenchRow result{row.name, to_text(row.c), threads, {}, std::nullopt, "", std::nullopt};
  std::vector<Entrant> entrants;
  for (const std::string& name : options.subjects) entrants.push_back(enter(name, result.case_line, threads));
  if (options.with_limit) entrants.push_back(enter(std::string(machine_subject), result.case_line, threads));
  for (int round = 0; round < options.rounds; ++round) run_round(entrants, round, options.seconds);
  std::optional<Entrant> machine;
  if (options.with_limit) {
    machine = std::move(entrants.back());
    entrants.pop_back();
  }
  compare_outputs(entrants, problem, options.judging_jobs, judged);
  conclude(entrants);
  for (Entrant& entrant : entrants) result.subjects.push_back(std::move(entrant.record));
  if (machine) set_limit(result, *machine, problem);
  return result;
}

}  // namespace

std::vector<std::size_t> order_in_round(std::size_t count, int round) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = (i + static_cast<std::size_t>(round)) % count;
  return order;
}

std::vector<BenchRow> hold_contest(const std::vector<Row>& rows, const ContestOptions& options) {
  std::vector<BenchRow> results;
  std::size_t number = 0;
  for (const Row& row : rows) {
    ++number;
    const Problem problem = make_problem(row.c);
    std::vector<Judged> judged;
    for (const int threads : options.threads) {
      if (options.progress)
        options.progress(fmt::format("row {} of {}: {}, threads: {}", number, rows.size(), row.name, threads));
      results.push_back(contest_of(row, problem, threads, options, judged));
    }
  }
  return results;
}

bool all_is_well(const std::vector<BenchRow>& rows) {
  for (const BenchRow& row : rows)
    for (const BenchSubject& c : row.subjects)
      if (c.failed) return false;
  return true;
}

bool anybody_ran(const std::vector<BenchRow>& rows) {
  for (const BenchRow& row : rows)
    for (const BenchSubject& c : row.subjects)
      if (c.seconds) return true;
  return false;
}

}  // namespace cellproof::lab::bench
