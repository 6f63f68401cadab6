#include "lab/gpu/case_lines.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/suites.hpp"
#include "spec/case.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/finding_words.hpp"
#include "spec/outcome.hpp"

namespace cellproof::lab {

DeviceCases read_device_cases(const std::string& output) {
  DeviceCases cases;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('{')) continue;
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("case") || !json.contains("digest")) continue;
    cases[{json["case"].get<std::size_t>(), json.value("thread", std::size_t{0})}] = {
        json.value("kind", ""), json.value("message", ""), json.value("digest", ""), json.value("repeats", false)};
  }
  return cases;
}

std::string first_words(const std::string& output) {
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && !line.starts_with('{') && !line.starts_with("=========")) return line;
  return "";
}

std::vector<std::string> valid_case_lines(const std::string& suite) {
  std::vector<std::string> lines;
  for (const corpus::SuiteCase& one : fuzz::load_suite(suite).cases)
    if (expectation_of(one.c).kind == Expectation::Kind::Accept) lines.push_back(to_text(one.c));
  return lines;
}

std::vector<std::string> spread(const std::vector<std::string>& lines, std::size_t count) {
  if (lines.size() <= count) return lines;
  std::vector<std::string> chosen;
  for (std::size_t k = 0; k < count; ++k) chosen.push_back(lines[k * lines.size() / count]);
  return chosen;
}

std::string flaky_text(const std::string& line, const std::string& text) {
  Finding finding;
  finding.flaky = OtherOutcome{};
  return fmt::format("{}: the engine {}{}{}: {}", result_name(finding), describe(Misconduct::DiffersOnRepeat),
                     text.empty() ? "" : ", ", text, line);
}

std::vector<std::string> disagreements(const DeviceCases& base, const DeviceCases& other,
                                       const std::vector<std::string>& lines, const std::string& text,
                                       bool are_identical) {
  std::vector<std::string> found;
  for (const auto& [place, one] : other) {
    const auto first = base.find({place.first, 0});
    if (first == base.end() || place.first >= lines.size()) continue;
    if (one.kind != first->second.kind)
      found.push_back(
          fmt::format("{} {}, where it was {}: {}", one.kind, text, first->second.kind, lines[place.first]));
    else if (one.digest != first->second.digest)
      found.push_back(are_identical ? flaky_text(lines[place.first], text)
                                    : fmt::format("other bits {}: {}", text, lines[place.first]));
  }
  return found;
}

}  // namespace cellproof::lab
