#include "campaign/reduced_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <vector>

#include "campaign/export_case.hpp"
#include "engines/one_line.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;

std::string needs_of(const Reduction& reduction) {
  if (reduction.guilty.empty()) return "nothing but the defaults";
  std::vector<std::string> values;
  for (const auto& [axis, value] : reduction.guilty) values.push_back(fmt::format("{}={}", axis, value));
  return fmt::format("{}{}", fmt::join(values, ", "),
                     reduction.complete ? "" : " (perhaps less: stopped before that was known)");
}

std::string file_name_of(const std::string& engine) {
  std::string name = engine;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; }, '_');
  return name;
}

}  // namespace

std::string describe_reduced_case(const Finding& finding, const std::string& engine_argument) {
  const Reduction& reduction = *finding.reduction;
  const std::string verdict(finding.judgement.verdict ? name(*finding.judgement.verdict) : name(finding.outcome));
  return fmt::format(
      "# {0} {1}: {2} on {3}\n\n"
      "- It says: {4}\n"
      "- It needs: {5}\n"
      "- `model.onnx` and `test_data_set_0` are an ONNX backend test; the outputs are what the specification asks "
      "for.\n"
      "- Run it again: `./cellproof replay '{6}' --engine '{7}'`\n"
      "- Judge outputs of your own, in `OUTPUTS/test_data_set_0/output_0.pb` and so on: `./cellproof check . --outputs "
      "OUTPUTS`\n"
      "- Made smaller in {8} runs from `{9}` ({10} number {11})\n",
      finding.engine, finding.engine_version, verdict, to_string(finding.version), engines::one_line(reduction.message),
      needs_of(reduction), reduction.case_line, engine_argument, reduction.runs, finding.case_line, finding.suite,
      finding.number);
}

std::string write_reduced_case(const Finding& finding, const std::string& engine_argument, const fs::path& report) {
  const Case c = parse_case(finding.reduction->case_line);
  const fs::path relative = fs::path("reduced") / (file_name_of(finding.engine) + "-" + case_hash(c));
  const fs::path folder = report / relative;
  fs::create_directories(folder.parent_path());
  fs::remove_all(folder);
  export_case(c, folder);
  std::ofstream readme(folder / "README.md");
  readme << describe_reduced_case(finding, engine_argument);
  readme.close();
  if (!readme) throw std::system_error(errno, std::generic_category(), (folder / "README.md").string());
  return relative.generic_string();
}

}  // namespace cellproof::campaign
