#include "reports/check_json.hpp"

#include "reports/json_values.hpp"
#include "reports/plain_text.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::reports {
namespace {

Json texts(const std::vector<std::string>& list) {
  Json array = Json::array();
  for (const std::string& text : list) array.push_back(repaired_utf8(text));
  return array;
}

Json first_violation(const std::optional<FirstViolation>& first) {
  if (!first) return nullptr;
  return {{"output", output_name(*first)},
          {"index", first->index},
          {"step", first->step ? Json(*first->step) : Json()},
          {"direction", first->direction ? name(*first->direction) : ""},
          {"expected", repaired_utf8(expected_text(*first))},
          {"actual", actual_text(*first)}};
}

Json element_counts(const Judgement& judgement) {
  Json counts = Json::object();
  for (int c = 0; c < element_class_count; ++c)
    counts[std::string(name(ElementClass(c)))] = judgement.elements[static_cast<std::size_t>(c)];
  return counts;
}

}  // namespace

std::string check_json_line(const std::string& path, std::optional<std::int64_t> data_set,
                            std::optional<std::int64_t> opset, const Finding& finding) {
  const Judgement& judgement = finding.judgement;
  const bool unknown_model = judgement.verdict == Verdict::Unreadable && !opset;
  const OperatorVersion version = finding.version;
  const std::string sentence = sentence_of(judgement);
  const Json line = {{"path", repaired_utf8(path)},
                     {"data_set", data_set ? Json(*data_set) : Json()},
                     {"operator", unknown_model ? Json() : Json(std::string(name(version.op)))},
                     {"domain", unknown_model ? Json() : Json(std::string(domain(version.op)))},
                     {"opset", opset ? Json(*opset) : Json()},
                     {"version", unknown_model ? Json() : Json(version.since_version)},
                     {"verdict", judgement.verdict ? Json(std::string(name(*judgement.verdict))) : Json()},
                     {"reading", texts(judgement.readings.differences())},
                     {"contract", std::string(name(judgement.contract))},
                     {"bits", judgement.bits},
                     {"fault", texts(judgement.faults)},
                     {"first", first_violation(judgement.first)},
                     {"elements", element_counts(judgement)},
                     {"worst_ratio", number_to_json(judgement.worst_ratio)},
                     {"max_ulp", number_to_json(judgement.max_ulp)},
                     {"message", repaired_utf8(sentence.empty() ? finding.outcome_message : sentence)}};
  return line.dump();
}

}  // namespace cellproof::reports
