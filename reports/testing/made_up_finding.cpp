#include "reports/testing/made_up_finding.hpp"

#include <fmt/format.h>

#include <utility>

namespace cellproof::reports::made_up {

bool has(const Finding& f, std::string_view axis, std::string_view value) {
  for (const auto& [a, v] : f.axes)
    if (a == axis && (value.empty() || v == value)) return true;
  return false;
}

Finding plain(OperatorVersion version, ElementType type, AxisValues axes, std::int64_t number) {
  Finding f;
  f.suite = "smoke";
  f.number = number;
  f.version = version;
  f.type = type;
  f.axes = std::move(axes);
  f.case_line = fmt::format("cellproof-case/1 op={} type={} T=5 N=2 I=3 H=4", to_string(version), onnx_name(type));
  for (const auto& [axis, value] : f.axes) f.case_line += fmt::format(" {}={}", axis, value);
  f.case_line += fmt::format(" seed={}", 1000 + number);
  f.case_hash = fmt::format("{:016x}", 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(number + 1));
  f.outcome = OutcomeKind::Ran;
  f.timings = {0.00041, 0.00006, 0.00002};
  f.judgement.verdict = Verdict::Conforms;
  f.judgement.bits = type == ElementType::Double ? 128 : 53;
  f.judgement.elements = {11, 117, 0, 0, 0, 0, 0};
  f.judgement.worst_ratio = 0.125 + 0.0625 * static_cast<double>(number % 7);
  f.judgement.max_ulp = 0.5 * static_cast<double>(number % 4);
  f.pass = true;
  return f;
}

void add_series(Judgement& judgement, int steps, int wrong_from, double excess, Direction direction) {
  for (int t = 0; t < steps; ++t) {
    StepPoint p{t, direction, 0, 2e-7 * (1 + 0.125 * t), 0};
    const int done = direction == Direction::Forward ? t - wrong_from : wrong_from - t;
    p.ratio = done < 0 ? 0.25 + 0.125 * (t % 3) : excess / (1 + 0.5 * done);
    p.error = p.ratio * p.bound;
    judgement.series.push_back(p);
  }
}

void diverge(Finding& f, ViolationKind kind, double excess, std::string_view guilty, std::string message) {
  Judgement& j = f.judgement;
  const Direction direction = has(f, "direction", "reverse") ? Direction::Reverse : Direction::Forward;
  const int wrong_from = direction == Direction::Reverse ? 3 : 1;
  j.verdict = Verdict::Diverges;
  j.kind = kind;
  j.reason.found = std::move(message);
  j.first = FirstViolation{output::Y,
                           {wrong_from, 0, 1, 2},
                           wrong_from,
                           direction,
                           ElementType::Double,
                           0.51237547,
                           0.5319482,
                           "",
                           excess * 2.25e-7,
                           2.25e-7,
                           {{"i", 0.512, 3e-08}, {"o", 0.733, 4e-08}, {"f", 0.281, 3e-08}, {"c", -0.094, 5e-08}}};
  j.bits = 128;
  j.elements = {3, 61, 0, 64, 0, 0, 0};
  j.worst_ratio = excess;
  j.max_ulp = excess * 4;
  add_series(j, 5, wrong_from, excess, direction);
  f.signature = fmt::format("v1:({}, {}, DIVERGES, Y, {}, -, {})", f.engine, name(f.version.op), name(kind), guilty);
  f.pass = false;
}

void refuse(Finding& f, OutcomeKind outcome, std::string message) {
  f.outcome = outcome;
  f.outcome_message = std::move(message);
  f.judgement = {};
}

void die(Finding& f, OutcomeKind outcome, std::string message, int signal) {
  refuse(f, outcome, std::move(message));
  f.signal = signal;
  f.pass = false;
  f.signature = fmt::format("v1:({}, {}, -, -, -, -, {})", f.engine, name(f.version.op),
                            f.axes.empty() ? "-" : f.axes.front().first + "=" + f.axes.front().second);
}

void by_chance(Finding& f, std::string_view kind, OtherOutcome other) {
  f.flaky = std::move(other);
  f.pass = false;
  f.signature = fmt::format("v1:({}, {}, FLAKY, -, {}, -, -)", f.engine, name(f.version.op), kind);
}

void read_as(Finding& f, Readings readings) {
  f.judgement.verdict = Verdict::Reading;
  f.judgement.readings = readings;
  f.judgement.reason.found = "conforms under another listed reading";
}

void undecide(Finding& f, std::string reason) {
  f.judgement = {};
  f.judgement.verdict = Verdict::Undecided;
  f.judgement.elements[static_cast<std::size_t>(ElementClass::Unresolved)] = 128;
  f.judgement.reason.found = std::move(reason);
}

}  // namespace cellproof::reports::made_up
