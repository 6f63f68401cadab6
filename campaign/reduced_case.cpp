#include "campaign/reduced_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <vector>

#include "campaign/export_case.hpp"
#include "campaign/issue_text.hpp"
#include "campaign/run.hpp"
#include "campaign/run_script.hpp"
#include "engines/one_line.hpp"
#include "oracle/minimise_numbers.hpp"
#include "reports/grouping.hpp"
#include "spec/case_text.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;

std::string needs_of(const Reduction& reduction) {
  const std::string passes = reduction.passing ? "; it passes " + difference_text(*reduction.passing) : "";
  if (reduction.guilty.empty()) return "nothing but the defaults" + passes;
  std::vector<std::string> values;
  for (const auto& [axis, value] : reduction.guilty) values.push_back(fmt::format("{}={}", axis, value));
  return fmt::format("{}{}{}", fmt::join(values, ", "),
                     reduction.complete ? "" : " (perhaps less: stopped before that was known)", passes);
}

std::string file_name_of(const std::string& engine) {
  std::string name = engine;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; }, '_');
  return name;
}

std::string first_wrong_element(const Finding& finding) {
  const std::optional<FirstViolation>& first = finding.reduction->first;
  if (!first) return "none: it is no matter of values";
  if (first->index.empty()) return expected_text(*first);  // an output as a whole
  std::string text = place_name(*first);
  if (first->step) text += fmt::format(", step {}", *first->step);
  if (first->direction) text += fmt::format(", {}", name(*first->direction));
  return text + ": " + both_values(finding.judgement, *first);
}

/// The case line has numbers as bytes: what a person can take in stands here.
std::string numbers_of(const Case& c) {
  constexpr std::int64_t most_shown = 24;
  const oracle::NumberCount count = oracle::count_numbers(c);
  std::string text = fmt::format("T={} N={} I={} H={}; {} numbers in X, W and R, {} of them not 0", c.T, c.N, c.I, c.H,
                                 count.all, count.not_zero);
  if (count.all > most_shown) return text;
  const Problem problem = make_problem(c);
  for (const std::size_t position : {input::X, input::W, input::R}) {
    const Tensor* tensor = problem.input(position);
    if (tensor == nullptr || tensor->size() == 0) continue;
    text += fmt::format("; {} is", input_names(c.version.op)[position]);
    for (std::size_t i = 0; i < tensor->size(); ++i) text += fmt::format(" {}", tensor->value(i));
  }
  return text;
}

std::string_view what_is_expected(const Finding& finding) {
  return finding.expectation.kind == Expectation::Kind::Refuse ? "the model is not valid: it must be refused"
                                                               : "the outputs are what the specification asks for";
}

std::string replay_of(const Finding& finding, const std::string& engine_argument) {
  Finding smallest = finding;
  smallest.case_line = finding.reduction->case_line;
  return reports::replay_command(smallest, engine_argument);
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::system_error(errno, std::generic_category(), file.string());
}

/// Facts of this machine, read once.
const RunMetadata& machine() {
  static const RunMetadata metadata = metadata_of_machine("");
  return metadata;
}

/// A folder under a name of its own that is gone again unless it is moved to its final one.
class Draft {
 public:
  explicit Draft(const fs::path& target)
      : target_(target), path_(target.parent_path() / fmt::format(".{}.{}", target.filename().string(), getpid())) {
    fs::remove_all(path_);
  }
  ~Draft() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const fs::path& path() const { return path_; }
  void replace_target() const {
    fs::remove_all(target_);
    fs::rename(path_, target_);
  }

 private:
  fs::path target_;
  fs::path path_;
};

}  // namespace

std::string describe_reduced_case(const Finding& finding, const Case& smallest, const std::string& engine_argument) {
  const Reduction& reduction = *finding.reduction;
  return fmt::format(
      "# {0} {1}: {2} on {3}\n\n"
      "- It says: {4}\n"
      "- First wrong element: {5}\n"
      "- It needs: {6} ({7})\n"
      "- Run it with nothing but the runtime's own Python package: {8}; `ISSUE.md` is the text of an issue with it\n"
      "- `model.onnx` and `test_data_set_0` are an ONNX backend test; {9}\n"
      "- Run it again and judge it: `{10}`\n"
      "- Judge outputs of your own, in `OUTPUTS/test_data_set_0/output_0.pb` and so on: `./cellproof check . --outputs "
      "OUTPUTS`\n"
      "- Made smaller in {11} engine calls from `{12}` ({13} number {14}){15}\n",
      finding.engine, finding.engine_version, result_name(finding), to_string(smallest.version),
      engines::one_line(reduction.message), first_wrong_element(finding), needs_of(reduction), numbers_of(smallest),
      run_script(make_problem(smallest), finding).how, what_is_expected(finding), replay_of(finding, engine_argument),
      reduction.runs, finding.case_line, finding.suite, finding.number,
      reduction.complete ? "" : "; stopped early: `./cellproof reduce` goes on from its case line");
}

void write_reduced_folder(const Finding& finding, const Case& smallest, const std::string& engine_argument,
                          const fs::path& folder) {
  if (!folder.parent_path().empty()) fs::create_directories(folder.parent_path());
  const Draft draft(folder);
  export_case(smallest, draft.path());
  to_text(smallest, draft.path());  // tensors that the line only names
  write_text(draft.path() / "README.md", describe_reduced_case(finding, smallest, engine_argument));
  write_text(draft.path() / "run.py", run_script(make_problem(smallest), finding).text);
  write_text(draft.path() / "ISSUE.md", issue_text(finding, smallest, nullptr, machine()));
  draft.replace_target();
}

void name_issue(const Finding& finding, const Cause& cause, const fs::path& folder) {
  const Case smallest = parse_case(finding.reduction->case_line);
  // A store may have been taken along without its folders; the engine's name is all that it says of its command.
  if (!fs::exists(folder)) write_reduced_folder(finding, smallest, finding.engine, folder);
  write_text(folder / "ISSUE.md", issue_text(finding, smallest, &cause, machine()));
}

std::string write_reduced_case(const Finding& finding, const std::string& engine_argument, const fs::path& report) {
  const Case smallest = parse_case(finding.reduction->case_line);
  const fs::path relative = fs::path("reduced") / (file_name_of(finding.engine) + "-" + case_hash(smallest));
  write_reduced_folder(finding, smallest, engine_argument, report / relative);
  return relative.generic_string();
}

}  // namespace cellproof::campaign
