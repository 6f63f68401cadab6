#include "spec/signature.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "spec/finding_words.hpp"

namespace cellproof {
namespace {

constexpr std::string_view start = "v1:(", between = ", ", nothing = "-", by_chance = "FLAKY";

std::string hypothesis_of(const Judgement& judgement) {
  std::vector<std::string> parts = judgement.readings.differences();
  if (judgement.verdict == Verdict::Precision) parts.emplace_back(name(judgement.contract));
  if (!judgement.faults.empty()) parts.push_back(judgement.faults.front());
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string_view or_nothing(std::string_view text) {
  return text.empty() ? nothing : text;
}

std::string text_of(const AxisValues& axes) {
  std::string text;
  for (const auto& [axis, value] : axes) text += fmt::format("{}{}={}", text.empty() ? "" : " ", axis, value);
  return text;
}

/// A value may hold blanks, an axis holds none: what has no "=" belongs to the value before.
std::optional<AxisValues> axes_of(std::string_view text) {
  AxisValues axes;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos)
      axes.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    else if (!axes.empty())
      axes.back().second.append(" ").append(word);
    else
      return std::nullopt;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return axes;
}

/// Takes the last of the fields off: the engine's name comes first and may hold anything.
std::optional<std::string_view> take_last(std::string_view& fields) {
  const std::size_t at = fields.rfind(between);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view last = fields.substr(at + between.size());
  fields = fields.substr(0, at);
  return last == nothing ? "" : last;
}

std::optional<Operator> operator_of_name(std::string_view text) {
  const auto all = all_operators();
  const auto found = std::ranges::find(all, text, [](Operator op) { return name(op); });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::string_view flaky_kind(const Finding& finding) {
  if (finding.outcome != OutcomeKind::Ran) return name(finding.outcome);
  if (finding.flaky->outcome != OutcomeKind::Ran) return name(finding.flaky->outcome);
  return finding.law.empty() ? name(ViolationKind::Repeat) : finding.law;
}

Signature Signature::without_axes() const {
  Signature other = *this;
  other.axes.clear();
  return other;
}

bool Signature::is_unattributed() const {
  return axes == unattributed();
}

const AxisValues& unattributed() {
  static const AxisValues marker{{"axes", "unattributed"}};
  return marker;
}

Signature signature_of(const Finding& finding, const AxisValues& guilty) {
  Signature signature;
  signature.engine = finding.engine;
  signature.op = finding.version.op;
  signature.flaky = finding.flaky.has_value();
  if (signature.flaky) {
    signature.kind = flaky_kind(finding);
    return signature;
  }
  const Judgement& judgement = finding.judgement;
  signature.verdict = judgement.verdict;
  if (judgement.first) signature.output = judgement.first->output;
  signature.kind = kind_name(finding);
  signature.hypothesis = hypothesis_of(judgement);
  signature.axes = guilty;
  return signature;
}

std::string to_text(const Signature& s) {
  const std::string_view verdict = s.flaky ? by_chance : s.verdict ? name(*s.verdict) : nothing;
  return fmt::format(
      "{}{})", start,
      fmt::join({std::string_view(s.engine), name(s.op), verdict, s.output ? output_name(*s.output) : nothing,
                 or_nothing(s.kind), or_nothing(s.hypothesis), or_nothing(text_of(s.axes))},
                between));
}

std::optional<Signature> signature_of_text(std::string_view text) {
  if (!text.starts_with(start) || !text.ends_with(')')) return std::nullopt;
  text = text.substr(start.size(), text.size() - start.size() - 1);
  const auto axes = take_last(text), hypothesis = take_last(text), kind = take_last(text), output = take_last(text),
             verdict = take_last(text), op = take_last(text);
  if (!op) return std::nullopt;
  const std::optional<Operator> its_operator = operator_of_name(*op);
  std::optional<AxisValues> its_axes = axes_of(*axes);
  if (!its_operator || !its_axes) return std::nullopt;
  Signature signature{std::string(text),     *its_operator,      *verdict == by_chance,    verdict_named(*verdict),
                      output_named(*output), std::string(*kind), std::string(*hypothesis), *std::move(its_axes)};
  const bool knows_verdict = verdict->empty() || signature.flaky || signature.verdict;
  return knows_verdict && (output->empty() || signature.output) ? std::optional(std::move(signature)) : std::nullopt;
}

bool is_flaky(std::string_view signature) {
  const std::optional<Signature> parts = signature_of_text(signature);
  return parts && parts->flaky;
}

}  // namespace cellproof
