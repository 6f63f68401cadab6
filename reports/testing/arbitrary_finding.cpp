#include "reports/testing/arbitrary_finding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spec/finding_words.hpp"
#include "spec/float_conversion.hpp"
#include "spec/operator.hpp"
#include "spec/readings.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::reports {
namespace {

std::string any_text() {
  return *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
}

std::vector<std::string> any_texts() {
  std::vector<std::string> texts(*rc::gen::inRange<std::size_t>(0, 4));
  for (std::string& text : texts) text = any_text();
  return texts;
}

std::vector<std::pair<std::string, std::string>> any_pairs() {
  std::vector<std::pair<std::string, std::string>> pairs(*rc::gen::inRange<std::size_t>(0, 4));
  for (auto& [key, value] : pairs) {
    key = any_text();
    value = any_text();
  }
  return pairs;
}

/// From bits: every exponent, subnormal numbers, infinities, NaN.
double any_double() {
  return std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
}

std::optional<double> maybe_double() {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return any_double();
}

ContractId any_contract() {
  return *rc::gen::elementOf(std::vector<ContractId>(all_contracts().begin(), all_contracts().end()));
}

std::optional<ElementType> any_type() {
  return *rc::gen::element<std::optional<ElementType>>(std::nullopt, ElementType::Float16, ElementType::BFloat16,
                                                       ElementType::Float, ElementType::Double);
}

Readings any_readings() {
  Readings readings;
  for (const ClauseInfo& row : clauses()) {
    if (!row.readings.empty() && *rc::gen::inRange(0, 8) == 0)
      readings = readings.with(row.clause, *rc::gen::elementOf(reading_ids(row)));
  }
  return readings;
}

Direction any_direction() {
  return *rc::gen::element(Direction::Forward, Direction::Reverse);
}

FirstViolation any_violation(ElementType type) {
  FirstViolation first;
  if (*rc::gen::arbitrary<bool>()) first.output = *rc::gen::inRange(output::Y, output::Y_c + 1);
  first.index = *rc::gen::arbitrary<std::vector<std::int64_t>>();
  if (*rc::gen::arbitrary<bool>()) first.step = *rc::gen::arbitrary<std::int64_t>();
  if (*rc::gen::arbitrary<bool>()) first.direction = any_direction();
  if (*rc::gen::arbitrary<bool>()) {
    first.type = type;
    first.expected = round_to(type, any_double());
    first.actual = round_to(type, any_double());
  } else {
    first.structure = any_text();
  }
  first.error = maybe_double();
  first.bound = maybe_double();
  first.gates.resize(*rc::gen::inRange<std::size_t>(0, 4));
  for (GateValue& gate : first.gates) gate = {any_text(), any_double(), any_double()};
  return first;
}

/// A kind that has a name in the finding.
std::optional<ViolationKind> any_kind(const Finding& finding) {
  const auto kind = ViolationKind(*rc::gen::inRange(0, violation_kind_count));
  return kind_name(kind, finding).empty() ? std::nullopt : std::optional(kind);
}

Judgement any_judgement(ElementType type) {
  Judgement judgement;
  if (*rc::gen::arbitrary<bool>()) judgement.verdict = Verdict(*rc::gen::inRange(0, 9));
  judgement.readings = any_readings();
  judgement.contract = any_contract();
  judgement.bits = *rc::gen::arbitrary<int>();
  judgement.faults = any_texts();
  if (*rc::gen::arbitrary<bool>()) judgement.first = any_violation(type);
  for (std::int64_t& count : judgement.elements) count = *rc::gen::arbitrary<std::int64_t>();
  judgement.worst_ratio = maybe_double();
  judgement.max_ulp = maybe_double();
  judgement.series.resize(*rc::gen::inRange<std::size_t>(0, 5));
  for (StepPoint& p : judgement.series)
    p = {*rc::gen::arbitrary<std::int64_t>(), any_direction(), any_double(), any_double(), any_double()};
  judgement.reason.found = any_text();
  return judgement;
}

Expectation any_expectation() {
  Expectation expectation;
  expectation.kind = Expectation::Kind(*rc::gen::inRange(0, 3));
  expectation.violations.resize(*rc::gen::inRange<std::size_t>(0, 3));
  for (Violation& violation : expectation.violations) violation = {any_text(), any_text(), any_text()};
  expectation.clauses.resize(*rc::gen::inRange<std::size_t>(0, 3));
  for (Clause& clause : expectation.clauses) clause = Clause(*rc::gen::inRange(0, static_cast<int>(clause_count)));
  return expectation;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

/// As few digits as are written.
bool same(const std::vector<GateValue>& a, const std::vector<GateValue>& b) {
  return std::ranges::equal(a, b, [](const GateValue& one, const GateValue& other) {
    return one.name == other.name && value_text(one) == value_text(other);
  });
}

bool same(const FirstViolation& a, const FirstViolation& b) {
  return a.output == b.output && a.index == b.index && a.step == b.step && a.direction == b.direction &&
         expected_text(a) == expected_text(b) && same(a.expected, b.expected) && same(a.actual, b.actual) &&
         (a.type == b.type || !a.expected) && same(a.error, b.error) && same(a.bound, b.bound) &&
         same(a.gates, b.gates);
}

bool same(const std::vector<StepPoint>& a, const std::vector<StepPoint>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].step != b[i].step || a[i].direction != b[i].direction || !same(a[i].error, b[i].error) ||
        !same(a[i].bound, b[i].bound) || !same(a[i].ratio, b[i].ratio))
      return false;
  return true;
}

std::vector<Evidence> any_evidence() {
  std::vector<Evidence> list(*rc::gen::inRange<std::size_t>(0, 3));
  for (Evidence& evidence : list) {
    evidence.clause = Clause(*rc::gen::inRange<std::size_t>(0, clause_count));
    for (Answer answer = 0; answer < answers(evidence.clause).size(); ++answer) {
      if (*rc::gen::arbitrary<bool>()) evidence.fits.push_back(answer);
      if (*rc::gen::arbitrary<bool>()) evidence.excludes.push_back(answer);
    }
  }
  return list;
}

bool same(const Expectation& a, const Expectation& b) {
  if (a.kind != b.kind || a.clauses != b.clauses || a.violations.size() != b.violations.size()) return false;
  for (std::size_t i = 0; i < a.violations.size(); ++i)
    if (a.violations[i].rule != b.violations[i].rule || a.violations[i].clause != b.violations[i].clause ||
        a.violations[i].message != b.violations[i].message)
      return false;
  return true;
}

bool same(const Reduction& a, const Reduction& b) {
  if (a.first.has_value() != b.first.has_value() || (a.first && !same(*a.first, *b.first))) return false;
  return a.case_line == b.case_line && a.guilty == b.guilty && a.message == b.message && a.folder == b.folder &&
         a.runs == b.runs && a.complete == b.complete;
}

bool same(const OtherOutcome& a, const OtherOutcome& b) {
  return a.outcome == b.outcome && a.message == b.message && a.signal == b.signal;
}

std::string first_change_of_judgement(const Judgement& a, const Judgement& b) {
  if (a.verdict != b.verdict) return "verdict";
  if (a.readings != b.readings) return "readings";
  if (a.contract != b.contract) return "contract";
  if (a.bits != b.bits) return "bits";
  if (a.faults != b.faults) return "faults";
  if (a.kind != b.kind) return "kind";
  if (a.first.has_value() != b.first.has_value() || (a.first && !same(*a.first, *b.first))) return "first";
  if (a.elements != b.elements) return "elements";
  if (!same(a.worst_ratio, b.worst_ratio)) return "worst_ratio";
  if (!same(a.max_ulp, b.max_ulp)) return "max_ulp";
  if (!same(a.series, b.series)) return "series";
  return sentence_of(a) == sentence_of(b) ? "" : "reason";
}

}  // namespace

rc::Gen<Finding> arbitrary_finding() {
  return rc::gen::exec([] {
    const auto versions = all_operator_versions();
    Finding f;
    f.engine = any_text();
    f.engine_version = any_text();
    f.suite = any_text();
    f.number = *rc::gen::arbitrary<std::int64_t>();
    f.case_name = any_text();
    f.case_line = any_text();
    f.case_hash = any_text();
    if (*rc::gen::arbitrary<bool>()) f.law = any_text();
    f.version = versions[*rc::gen::inRange<std::size_t>(0, versions.size())];
    f.type = any_type();
    const ElementType type = f.type.value_or(ElementType::Float);
    f.axes = any_pairs();
    f.expectation = any_expectation();
    f.outcome = OutcomeKind(*rc::gen::inRange(0, 8));
    f.outcome_message = any_text();
    f.signal = *rc::gen::arbitrary<int>();
    if (*rc::gen::arbitrary<bool>())
      f.flaky = OtherOutcome{OutcomeKind(*rc::gen::inRange(0, 8)), any_text(), *rc::gen::arbitrary<int>()};
    f.misconduct.resize(*rc::gen::inRange<std::size_t>(0, 3));
    for (Misconduct& m : f.misconduct) m = Misconduct(*rc::gen::inRange(0, 3));
    f.timings = {any_double(), any_double(), any_double()};
    f.judgement = any_judgement(type);
    f.judgement.kind = any_kind(f);
    f.known_readings = any_readings();
    if (*rc::gen::arbitrary<bool>()) f.given_contract = any_contract();
    f.evidence = any_evidence();
    if (*rc::gen::arbitrary<bool>()) {
      f.reduction = Reduction{any_text(),
                              any_pairs(),
                              any_text(),
                              std::nullopt,
                              any_text(),
                              *rc::gen::arbitrary<std::int64_t>(),
                              *rc::gen::arbitrary<bool>()};
      if (*rc::gen::arbitrary<bool>()) f.reduction->first = any_violation(type);
      if (*rc::gen::arbitrary<bool>()) f.reduction->passing = PassingCase{any_text(), any_pairs()};
    }
    f.signature = any_text();
    f.pass = *rc::gen::arbitrary<bool>();
    return f;
  });
}

std::string first_changed_field(const Finding& a, const Finding& b) {
  const auto same_values = [](const auto& x, const auto& y) {
    return x.has_value() == y.has_value() && (!x || same(*x, *y));
  };
  const bool same_timings = same(a.timings.prepare, b.timings.prepare) && same(a.timings.run, b.timings.run) &&
                            same(a.timings.release, b.timings.release);
  const std::string of_judgement = first_change_of_judgement(a.judgement, b.judgement);
  const std::pair<std::string, bool> fields[] = {{"engine", a.engine == b.engine},
                                                 {"engine_version", a.engine_version == b.engine_version},
                                                 {"suite", a.suite == b.suite},
                                                 {"number", a.number == b.number},
                                                 {"case_name", a.case_name == b.case_name},
                                                 {"case_line", a.case_line == b.case_line},
                                                 {"case_hash", a.case_hash == b.case_hash},
                                                 {"law", a.law == b.law},
                                                 {"version", a.version == b.version},
                                                 {"type", a.type == b.type},
                                                 {"axes", a.axes == b.axes},
                                                 {"expectation", same(a.expectation, b.expectation)},
                                                 {"outcome", a.outcome == b.outcome},
                                                 {"outcome_message", a.outcome_message == b.outcome_message},
                                                 {"signal", a.signal == b.signal},
                                                 {"flaky", same_values(a.flaky, b.flaky)},
                                                 {"misconduct", a.misconduct == b.misconduct},
                                                 {"timings", same_timings},
                                                 {of_judgement, of_judgement.empty()},
                                                 {"known_readings", a.known_readings == b.known_readings},
                                                 {"given_contract", a.given_contract == b.given_contract},
                                                 {"evidence", a.evidence == b.evidence},
                                                 {"reduction", same_values(a.reduction, b.reduction)},
                                                 {"signature", a.signature == b.signature},
                                                 {"pass", a.pass == b.pass}};
  const auto changed = std::ranges::find(fields, false, &std::pair<std::string, bool>::second);
  return changed == std::ranges::end(fields) ? "" : changed->first;
}

}  // namespace cellproof::reports
