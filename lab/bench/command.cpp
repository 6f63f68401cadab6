#include "lab/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "campaign/run.hpp"
#include "cli/command_line.hpp"
#include "lab/bench/contest.hpp"
#include "lab/bench/subject.hpp"
#include "lab/bench/subject_process.hpp"
#include "lab/gpu/bench.hpp"
#include "spec/case_text.hpp"
#include "spec/files/output_file.hpp"

namespace cellproof::lab {
namespace {

struct BenchArguments {
  std::vector<std::string> rows;
  std::vector<std::string> cases;
  std::vector<std::string> subjects;
  std::vector<int> threads{1};
  int rounds = 9;
  double seconds = 0.15;
  std::string json, html;
};

int cores_of_this_process() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

void check(const BenchArguments& arguments) {
  for (const int threads : arguments.threads) {
    if (threads < 1) throw std::invalid_argument(fmt::format("--threads {}: expected 1 or more", threads));
    if (threads > cores_of_this_process())
      throw std::invalid_argument(
          fmt::format("--threads {}: this process may use {} cores", threads, cores_of_this_process()));
  }
  if (arguments.rounds < 1)
    throw std::invalid_argument(fmt::format("--rounds {}: expected 1 or more", arguments.rounds));
  if (!(arguments.seconds > 0 && arguments.seconds <= 60))
    throw std::invalid_argument(fmt::format("--seconds {}: expected more than 0, at most 60", arguments.seconds));
}

/// Those that are named, in the order of the lists; all of the first one where none is.
std::vector<std::string> chosen_subjects(const std::vector<std::string>& named,
                                         std::span<const std::string_view> by_default,
                                         std::span<const std::string_view> on_request) {
  std::vector<std::string> known(by_default.begin(), by_default.end());
  if (named.empty()) return known;
  known.insert(known.end(), on_request.begin(), on_request.end());
  for (const std::string& name : named)
    if (std::ranges::find(known, name) == known.end())
      throw std::invalid_argument(
          fmt::format("--subject: there is no '{}': expected one of {}", name, fmt::join(known, ", ")));
  std::erase_if(known, [&](const std::string& name) { return std::ranges::find(named, name) == named.end(); });
  return known;
}

std::vector<bench::Row> chosen_rows(const BenchArguments& arguments, const std::vector<bench::Row>& known) {
  std::vector<bench::Row> rows;
  if (arguments.cases.empty() || !arguments.rows.empty()) rows = bench::rows_named(known, arguments.rows);
  for (const std::string& line : arguments.cases) {
    const Case c = parse_case(line);
    rows.push_back({fmt::format("case-{}", case_hash(c)), "case", c});
  }
  return rows;
}

std::string load_average() {
  double loads[3] = {};
  return getloadavg(loads, 3) == 3 ? fmt::format("{:.2f} {:.2f} {:.2f}", loads[0], loads[1], loads[2]) : "unknown";
}

void warn_of_a_busy_machine() {
  constexpr double idle = 0.5;
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load > idle)
    fmt::print(stderr, "cellproof: this machine is busy (load average {:.2f}): the figures are not to be kept\n", load);
}

int hold(const BenchArguments& arguments, const std::vector<bench::Row>& known,
         std::span<const std::string_view> subjects, bool engines) {
  check(arguments);
  const std::vector<bench::Row> rows = chosen_rows(arguments, known);
  if (const auto program = bench::subject_program(); !std::filesystem::exists(program)) {
    fmt::print(stderr, "cellproof: {} is missing: `./cellproof lab bench` builds it\n", program.string());
    return nothing_ran;
  }
  bench::ContestOptions options;
  options.subjects = chosen_subjects(arguments.subjects, subjects,
                                     engines ? bench::path_subjects() : std::span<const std::string_view>());
  options.threads = arguments.threads;
  options.rounds = arguments.rounds;
  options.seconds = arguments.seconds;
  options.judging_jobs = cores_of_this_process();
  options.with_limit = engines;
  options.progress = [](const std::string& line) { fmt::print(stderr, "cellproof: {}\n", line); };
  warn_of_a_busy_machine();
  bench::BenchData data{
      engines ? "engines" : "the judge", rows_of(campaign::metadata_of_machine(cli::command_line())), {}};
  data.passport.emplace_back("rounds", fmt::format("{}, {} s each", arguments.rounds, arguments.seconds));
  data.passport.emplace_back("load before", load_average());
  data.rows = bench::hold_contest(rows, options);
  data.passport.emplace_back("load after", load_average());

  const bool json_on_stdout = arguments.json == "-";
  if (!json_on_stdout) fmt::print("{}", bench::render_bench_text(data));
  if (json_on_stdout) fmt::print("{}", bench::render_bench_json(data));
  if (!arguments.json.empty() && !json_on_stdout) write_file(arguments.json, bench::render_bench_json(data));
  if (!arguments.html.empty()) write_file(arguments.html, bench::render_bench_html(data));
  if (!bench::all_is_well(data.rows)) return unexpected;
  if (bench::anybody_ran(data.rows)) return ok;
  fmt::print(stderr, "cellproof: nobody could run; the lines above say why\n");
  return nothing_ran;
}

int list_rows() {
  for (const auto* const rows : {&bench::engine_rows(), &bench::judge_rows()})
    for (const bench::Row& row : *rows) fmt::print("{:<16} {:<48} {}\n", row.group, row.name, to_text(row.c));
  return ok;
}

void add_common_options(CLI::App& command, BenchArguments& arguments) {
  command
      .add_option("--row", arguments.rows,
                  "A row or a group of rows by name (`cellproof lab bench rows`); may be repeated")
      ->allow_extra_args(false);
  command.add_option("--case", arguments.cases, "A case line as a row of its own; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--subject", arguments.subjects, "Only these; may be repeated")->allow_extra_args(false);
  command.add_option("--rounds", arguments.rounds, "How often everybody is measured")->capture_default_str();
  command.add_option("--seconds", arguments.seconds, "For how long each in a round")->capture_default_str();
  command.add_option("--json", arguments.json, "Write all figures, every round too; - for stdout instead of the table");
  command.add_option("--html", arguments.html, "Write a page with a plot");
}

}  // namespace

void add_bench(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure how fast the engines and the judge are (docs/performance.md)");
  command->require_subcommand(1);
  CLI::App* engines = command->add_subcommand(
      "engines",
      "Our CPU implementation beside ONNX Runtime, OpenVINO, oneDNN and OpenBLAS, and what the machine cannot beat");
  add_common_options(*engines, *arguments);
  engines->add_option("--threads", arguments->threads, "On how many cores: 1,2 measures with one and with two")
      ->delimiter(',')
      ->capture_default_str();
  engines->footer("Example:\n  cellproof lab bench engines --row short --threads 1,2 --html bench.html");
  engines->callback([arguments, &work] {
    work = [arguments] { return hold(*arguments, bench::engine_rows(), bench::engine_subjects(), true); };
  });
  CLI::App* judge = command->add_subcommand(
      "judge", "The judge in double and in Arb's balls beside the naive reference, on one core");
  add_common_options(*judge, *arguments);
  judge->footer("Example:\n  cellproof lab bench judge --row lstm-T32-N4-I32-H32");
  judge->callback([arguments, &work] {
    work = [arguments] { return hold(*arguments, bench::judge_rows(), bench::judge_subjects(), false); };
  });
  CLI::App* rows = command->add_subcommand("rows", "List the rows: group, name, case");
  rows->callback([&work] { work = list_rows; });
  add_gpu_bench(*command, work);
}

}  // namespace cellproof::lab
