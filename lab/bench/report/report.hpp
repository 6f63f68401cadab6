#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cellproof::lab::bench {

/// The middle of some measurements, and the quarters on both sides of it.
struct Spread {
  double median = 0;
  double lower = 0;  ///< a quarter of them is below
  double upper = 0;  ///< a quarter of them is above
};

/// One subject's part in one row of a benchmark.
struct BenchSubject {
  std::string name;
  std::string version;  ///< as it says itself; "" where it was unavailable
  std::string missing;  ///< why it was unavailable: absent, or the row is not for it; "" where it was measured
  bool failed = false;  ///< it died, or computed something else; `remark` says which
  std::string remark;   ///< what the judge, or its end, has to say; "" where nothing
  std::string verdict;  ///< of the judge over the outputs of its last run; "" where there are none to judge
  std::optional<double> difference;  ///< the largest to the first subject's outputs, over all elements
  std::vector<double> rounds;        ///< seconds for one run: each round's median
  std::optional<Spread> seconds;     ///< over the rounds
  std::optional<Spread> ratio;       ///< of its time to the first subject's, round by round
};

/// Limit of the machine, from rates measured in the same rounds.
struct BenchLimit {
  Spread seconds;
  std::optional<Spread> ratio;  ///< to the first subject's time, round by round
  std::string formula;          ///< with the numbers put in
};

/// One row: a case, a number of threads, and everybody's time for it. The first subject is the one that the others
/// are compared with.
struct BenchRow {
  std::string name;
  std::string case_line;
  int threads = 1;
  std::vector<BenchSubject> subjects;
  std::optional<BenchLimit> limit;
  std::string limit_missing;      ///< why there is no limit, where one was asked for
  std::optional<Spread> meeting;  ///< seconds in which the threads can meet, by the same rounds; none for one thread
};

struct BenchData {
  std::string title;
  std::vector<std::pair<std::string, std::string>> passport;  ///< processor, load, command, versions
  std::vector<BenchRow> rows;
};

/// For a terminal: a block of lines for each row.
std::string render_bench_text(const BenchData& data);
/// One JSON object, with every round.
std::string render_bench_json(const BenchData& data);
/// A page of its own that loads nothing: a plot of the ratios, and all the figures.
std::string render_bench_html(const BenchData& data);

/// Seconds for people, in the unit that suits: "708 ns", "1.45 ms".
std::string duration_text(double seconds);

}  // namespace cellproof::lab::bench
