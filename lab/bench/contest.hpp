#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/bench/report/report.hpp"
#include "lab/bench/rows.hpp"

namespace cellproof::lab::bench {

struct ContestOptions {
  std::vector<std::string> subjects;  ///< the others are compared with the first that takes part
  std::vector<int> threads{1};
  int rounds = 9;
  double seconds = 0.15;                             ///< that each subject is measured for in a round
  int judging_jobs = 1;                              ///< judge so many parts of a batch at once, after the rounds
  bool with_limit = true;                            ///< measure what the machine can do, too
  std::function<void(const std::string&)> progress;  ///< one line for each row; may be empty
};

/// Measures each row with each number of threads: every subject in a process of its own, all of them prepared before
/// the first round; in each round they run one after another, each round beginning with the next one. Afterwards the
/// outputs of everybody's last run are judged.
std::vector<BenchRow> hold_contest(const std::vector<Row>& rows, const ContestOptions& options);

/// Did nobody break down or compute something else?
bool all_is_well(const std::vector<BenchRow>& rows);
/// Was anybody measured at all?
bool anybody_ran(const std::vector<BenchRow>& rows);

/// In which order `count` subjects run in a round: each round begins with the next one, so that nobody always runs
/// behind the same one's heat and cache.
std::vector<std::size_t> order_in_round(std::size_t count, int round);

}  // namespace cellproof::lab::bench
