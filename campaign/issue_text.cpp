#include "campaign/issue_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "campaign/run_script.hpp"
#include "engines/one_line.hpp"
#include "spec/finding_words.hpp"
#include "spec/specification_page.hpp"

namespace cellproof::campaign {
namespace {

constexpr std::size_t longest_script = 12'000;

std::string conditions_of(const Finding& finding) {
  std::string text;
  for (const auto& [axis, value] : finding.reduction->guilty)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", axis, value);
  return text;
}

std::string title_of(const Finding& finding, const Cause* cause) {
  if (cause != nullptr && cause->status != CauseStatus::Unexplained) return cause->title;
  const std::string conditions = conditions_of(finding);
  return failure_text(finding) + (conditions.empty() ? "" : " with " + conditions);
}

/// Expected against actual, and the page that says so.
std::string what_the_text_says(const Finding& finding, const Case& smallest, const Cause* cause) {
  std::string text;
  for (const Violation& broken : finding.expectation.violations)
    text += fmt::format("The model is not valid and must be refused: {} ({}).\n", broken.message, broken.clause);
  const std::optional<FirstViolation>& first = finding.reduction->first;
  if (text.empty() && first) {
    if (first->index.empty()) {
      text = fmt::format("Expected: {}.\n", expected_text(*first));
    } else {
      text = fmt::format("`{}` is the first wrong element: {}.", place_name(*first),
                         both_values(finding.judgement, *first));
      if (!first->gates.empty()) text += " The gates there:";
      for (const GateValue& gate : first->gates) text += fmt::format(" {} = {};", gate.name, value_text(gate));
      if (text.back() == ';') text.back() = '.';
      text += '\n';
    }
  }
  if (text.empty()) text = "The model is valid: it must run and answer.\n";
  if (cause != nullptr && !cause->clause.empty()) text += fmt::format("What the text asks for: {}\n", cause->clause);
  return text + fmt::format("Specification: {}\n", specification_page(smallest.version.op));
}

std::string to_reproduce(const RunScript& script) {
  const std::string text =
      script.text.size() <= longest_script
          ? fmt::format("```python\n{}```\n", script.text)
          : std::string("The script is attached as `run.py`: the model and its inputs are inside.\n");
  return fmt::format(
      "{}{}\n\n{}", script.how,
      script.decides ? " exits with 1 while the defect is there, and else with 0." : " prints the outputs.", text);
}

/// Needs of the smallest case, and what is near it and passes.
std::string what_it_needs(const Finding& finding, const Cause* cause) {
  const std::string conditions = conditions_of(finding);
  const auto& passing = finding.reduction->passing || cause == nullptr ? finding.reduction->passing : cause->passing;
  return fmt::format("{}{}",
                     conditions.empty() ? "It needs nothing but the defaults."
                                        : fmt::format("The smallest case that shows it needs {}.", conditions),
                     passing ? fmt::format(" A case beside it passes {}.", difference_text(*passing)) : "");
}

/// "x86_64" of "Linux 6.1.0 x86_64".
std::string architecture_of(const RunMetadata& machine) {
  return machine.system.substr(machine.system.rfind(' ') + 1);
}

}  // namespace

std::string issue_text(const Finding& finding, const Case& smallest, const Cause* cause, const RunMetadata& machine) {
  const auto line = [](const std::string& text) { return engines::one_line(text); };
  return fmt::format(
      "# {0}: {1} {2}\n\n"
      "### Describe the issue\n\n"
      "{0}-{3} of {1} {4} {2}. {5}\n\n"
      "{6}\n\n{7}\n"
      "### To reproduce\n\n{8}\n"
      "### Urgency\n\nNone known.\n\n"
      "### Platform\n\n{9}\n\n"
      "### OS version\n\n{10}\n\n"
      "### Installation\n\nReleased package\n\n"
      "### Version\n\n{4}\n\n"
      "### API\n\nPython\n\n"
      "### Architecture\n\n{11} ({12})\n\n"
      "### Execution provider\n\nDefault CPU\n",
      name(smallest.version.op), line(finding.engine), line(title_of(finding, cause)), smallest.version.since_version,
      line(finding.engine_version), what_it_needs(finding, cause), line(finding.reduction->message),
      what_the_text_says(finding, smallest, cause), to_reproduce(run_script(make_problem(smallest), finding)),
      machine.system.substr(0, machine.system.find(' ')), machine.system, architecture_of(machine), machine.cpu);
}

}  // namespace cellproof::campaign
