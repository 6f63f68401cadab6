#include "oracle/signature.hpp"

#include <fmt/format.h>

namespace cellproof::oracle {
namespace {

std::string hypothesis(const Judgement& judgement) {
  std::vector<std::string> parts = judgement.readings;
  if (judgement.verdict == Verdict::Precision) parts.emplace_back(name(judgement.contract));
  if (!judgement.faults.empty()) parts.push_back(judgement.faults.front());
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace

std::string signature_key(std::string_view engine, Operator op, const Judgement& judgement) {
  const std::string verdict = judgement.verdict ? std::string(name(*judgement.verdict)) : "-";
  const std::string output = judgement.first && !judgement.first->output.empty() ? judgement.first->output : "-";
  const std::string kind = judgement.kind.empty() ? "-" : judgement.kind;
  return fmt::format("({}, {}, {}, {}, {}, {}", engine, name(op), verdict, output, kind, hypothesis(judgement));
}

std::string signature(std::string_view engine, Operator op, const Judgement& judgement, const AxisValues& guilty) {
  std::string axes;
  for (const auto& [axis, value] : guilty) axes += fmt::format("{}{}={}", axes.empty() ? "" : " ", axis, value);
  return fmt::format("v1:{}, {})", signature_key(engine, op, judgement), axes.empty() ? "-" : axes);
}

}  // namespace cellproof::oracle
