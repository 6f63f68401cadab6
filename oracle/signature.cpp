#include "oracle/signature.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spec/finding_words.hpp"

namespace cellproof::oracle {
namespace {

constexpr std::string_view flaky = "FLAKY";

std::string hypothesis(const Judgement& judgement) {
  std::vector<std::string> parts = judgement.readings.differences();
  if (judgement.verdict == Verdict::Precision) parts.emplace_back(name(judgement.contract));
  if (!judgement.faults.empty()) parts.push_back(judgement.faults.front());
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace

std::string_view flaky_kind(const Finding& finding) {
  if (finding.outcome != OutcomeKind::Ran) return name(finding.outcome);
  if (finding.flaky->outcome != OutcomeKind::Ran) return name(finding.flaky->outcome);
  return finding.law.empty() ? name(ViolationKind::Repeat) : finding.law;
}

std::string signature_key(const Finding& finding) {
  const Judgement& judgement = finding.judgement;
  const std::string_view op = name(finding.version.op);
  if (finding.flaky) return fmt::format("({}, {}, {}, -, {}, -", finding.engine, op, flaky, flaky_kind(finding));
  const std::string verdict = judgement.verdict ? std::string(name(*judgement.verdict)) : "-";
  const std::string_view output = judgement.first && judgement.first->output ? output_name(*judgement.first) : "-";
  const std::string_view kind = judgement.kind ? kind_name(finding) : "-";
  return fmt::format("({}, {}, {}, {}, {}, {}", finding.engine, op, verdict, output, kind, hypothesis(judgement));
}

std::string signature(const Finding& finding, const AxisValues& guilty) {
  std::string axes;
  if (!finding.flaky) {
    for (const auto& [axis, value] : guilty) axes += fmt::format("{}{}={}", axes.empty() ? "" : " ", axis, value);
  }
  return fmt::format("v1:{}, {})", signature_key(finding), axes.empty() ? "-" : axes);
}

bool is_flaky(std::string_view signature) {
  // The engine's name comes first and may hold anything: the fields are counted from the end.
  for (int field = 0; field < 4; ++field)
    signature = signature.substr(0, std::min(signature.rfind(", "), signature.size()));
  return signature.ends_with(fmt::format(", {}", flaky));
}

}  // namespace cellproof::oracle
