#include "lab/gpu/determinism.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "engines/paths.hpp"
#include "lab/command.hpp"
#include "lab/gpu/case_lines.hpp"
#include "lab/gpu/process.hpp"
#include "lab/gpu/walk.hpp"
#include "spec/files/output_file.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t cases_of_pairs = 150, piece = 100;

struct Variation {
  const char* text;
  std::vector<std::string> arguments;
  bool is_identical = true;  ///< its calls have the same inputs
};

/// Once as the list is, and once in each variation; the seconds are those of all together.
PieceEnd vary(const std::string& engine, const std::vector<std::string>& lines, const fs::path& input, int seconds) {
  static const std::vector<Variation> variations{{"in another order", {"--reverse"}},
                                                 {"with other padding", {"--other-padding"}, false},
                                                 {"on four threads", {"--threads", "4"}}};
  const PartClock clock;
  PieceEnd result;
  const auto run = [&](const std::vector<std::string>& arguments) {
    const double spent = clock.whole() - clock.left();
    std::vector<std::string> words{(engines::worker_directory() / "cellproof-device-cases").string(), engine};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ProcessEnd end = run_bounded(words, input, std::max(1, seconds - static_cast<int>(spent)));
    if (end.exit_code == timed_out_code)
      result.in_time = false;
    else if (end.exit_code != 0)
      result.findings.push_back(fmt::format("exit code {}: {}", end.exit_code, first_words(end.output)));
    return read_device_cases(end.output);
  };
  const DeviceCases base = run({});
  for (const auto& [place, one] : base) {
    if (one.kind == "RAN") ++result.ran;
    if (!one.repeats) result.findings.push_back(flaky_text(lines[place.first]));
  }
  for (const Variation& variation : variations) {
    if (!result.in_time) return result;
    const DeviceCases other = run(variation.arguments);
    for (std::string& finding : disagreements(base, other, lines, variation.text, variation.is_identical))
      result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace

int check_determinism(GpuPart& part) {
  int code = ok;
  std::vector<std::string> lines = valid_case_lines("smoke");
  for (std::string& line : spread(valid_case_lines("pairs"), cases_of_pairs)) lines.push_back(std::move(line));
  for (const std::string& engine : part.present) {
    nlohmann::json& progress = part.disk.record["determinism"][engine];
    const fs::path input = part.disk.folder() / "determinism-cases.txt";
    const bool finished = walk_cases(
        progress, {.lines = lines,
                   .piece = piece,
                   .whole_part = part.clock.whole(),
                   .left = [&] { return part.clock.left(); },
                   .work =
                       [&](std::size_t first, std::size_t count, int seconds) {
                         const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(first);
                         const std::vector<std::string> some(begin, begin + static_cast<std::ptrdiff_t>(count));
                         std::string text;
                         for (const std::string& line : some) text += line + "\n";
                         write_file(input, text);
                         return vary(engine, some, input, seconds);
                       },
                   .save =
                       [&] {
                         part.disk.save();
                         fmt::print("determinism {}: {}\n", engine, progress_text(progress));
                       }});
    fs::remove(input);
    if (!finished) fmt::print("determinism {}: not finished: the same command goes on\n", engine);
    if (!finished || !is_clean(progress)) code = unexpected;
  }
  return code;
}

}  // namespace cellproof::lab
