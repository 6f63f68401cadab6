#include "reports/html/first_violation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::reports::html {
namespace {

std::string row(std::string_view term, const std::string& markup) {
  return markup.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>", term, markup);
}

/// A value as people write it: the sign of a NaN says nothing, nor does an error beside it.
std::string spoken(const std::string& value) {
  const std::string_view unsigned_value = std::string_view(value).substr(value.starts_with('-') ? 1 : 0);
  return unsigned_value == "nan" || unsigned_value.starts_with("nan +-") ? "NaN" : value;
}

/// The value with what it has in common with the other one in a quiet colour, so that the eye falls on the first digit
/// that differs.
std::string compared(const std::string& value, const std::string& other) {
  const auto differs = std::mismatch(value.begin(), value.end(), other.begin(), other.end()).first;
  const std::string same(value.begin(), differs);
  const std::string rest(differs, value.end());
  return fmt::format("<code><span class=\"same\">{}</span><b>{}</b></code>", html_escape(same), html_escape(rest));
}

std::string position(const FirstViolation& first) {
  const std::string index = first.index.empty() ? "" : fmt::format("[{}]", fmt::join(first.index, ", "));
  return !first.output && index.empty() ? "" : code(std::string(output_name(first)) + index);
}

std::string moment(const FirstViolation& first) {
  std::string words = first.step ? fmt::format("step {}", *first.step) : "";
  if (first.direction) words += fmt::format("{}{}", words.empty() ? "" : ", ", name(*first.direction));
  return words;
}

/// A multiple, as far as its size means something: beside a bound or a number near 0 it is only "many".
std::string times(double multiple) {
  constexpr double most = 1e9;
  return std::isfinite(multiple) && multiple > most ? "over " + number(most) : number(multiple);
}

std::string error(const FirstViolation& first) {
  if (!first.error || !first.bound) return "";
  if (!(*first.bound > 0)) return fmt::format("{} where the value is exact", number(*first.error));
  return fmt::format("{} <span class=\"times\">= {} × the bound</span> of {}", number(*first.error),
                     times(*first.error / *first.bound), number(*first.bound));
}

std::string gates(const FirstViolation& first) {
  std::string out;
  for (const GateValue& gate : first.gates) {
    std::string text = html_escape(spoken(value_text(gate)));
    if (const std::size_t sign = text.find("+-"); sign != std::string::npos) text.replace(sign, 2, "±");
    out += fmt::format("<span class=\"gate\"><code>{}</code> {}</span>", html_escape(gate.name), text);
  }
  return out;
}

}  // namespace

std::string first_violation(const Finding& finding) {
  const FirstViolation& first = *finding.judgement.first;
  const ValueNames names = value_names(finding.judgement);
  const std::string expected = spoken(expected_text(first)), actual = spoken(actual_text(first));
  const std::string ulp =
      finding.judgement.max_ulp ? times(*finding.judgement.max_ulp) + " ULP at its worst element" : std::string();
  const int bits = finding.judgement.bits;
  const std::string decided = bits > 53 ? fmt::format("in {} bits", bits) : bits > 0 ? "in double arithmetic" : "";
  return fmt::format("<dl class=\"violation\">{}{}{}{}{}{}{}{}</dl>", row(names.first, position(first)),
                     row("at", moment(first)), row(names.expected, compared(expected, actual)),
                     row(names.actual, compared(actual, expected)), row("error", error(first)),
                     row("gates", gates(first)), row("distance", ulp), row("decided", decided));
}

}  // namespace cellproof::reports::html
