#include "reports/finding_json.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reports/json_values.hpp"
#include "reports/json_writer.hpp"
#include "reports/passing_json.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"
#include "spec/value_text.hpp"

namespace cellproof::reports {
namespace {

void write(JsonWriter& out, const FirstViolation& first) {
  const auto& [output, index, step, direction, type, expected, actual, structure, error, bound, gates] = first;
  out.begin_object().key("output").text(output_name(first)).key("index").begin_array();
  for (const std::int64_t i : index) out.integer(i);
  out.end_array().key("step");
  step ? out.integer(*step) : out.null();
  out.key("direction").text(direction ? name(*direction) : "");
  out.key("expected").text(expected_text(first)).key("actual").text(actual_text(first));
  out.key("error").number(error).key("bound").number(bound).key("gates").begin_array();
  for (const GateValue& gate : gates) out.begin_array().text(gate.name).text(value_text(gate)).end_array();
  out.end_array().end_object();
}

template <class Lookup>
auto named_or_empty(const Json& j, Lookup lookup, std::string_view what) -> decltype(lookup("")) {
  if (text_from_json(j).empty()) return std::nullopt;
  return named(j, lookup, what);
}

/// `type`: of the values, which the record does not repeat.
void read_values(const Json& j, ElementType type, FirstViolation& first) {
  const std::string expected = text_from_json(j.at("expected")), actual = text_from_json(j.at("actual"));
  if (actual.empty()) {  // an output is wrong as a whole
    first.structure = expected;
    return;
  }
  for (const ElementType its : {type, ElementType::Double}) {  // an output may be of another type than it should be
    first.type = its;
    first.expected = value_of_text(its, expected);
    first.actual = value_of_text(its, actual);
    if (first.expected && first.actual) return;
  }
  throw std::invalid_argument("not a finding: \"" + expected + "\" and \"" + actual + "\" are not both numbers");
}

std::vector<GateValue> gates_from_json(const Json& j) {
  std::vector<GateValue> gates;
  for (auto& [name, text] : pairs_from_json(j)) {
    std::optional<GateValue> gate = gate_value_of(std::move(name), text);
    if (!gate) throw std::invalid_argument("not a finding: \"" + text + "\" is not the value of a gate");
    gates.push_back(*std::move(gate));
  }
  return gates;
}

FirstViolation first_from_json(const Json& j, ElementType type) {
  FirstViolation first;
  first.output = named_or_empty(j.at("output"), output_named, "an output");
  for (const Json& place : j.at("index")) first.index.push_back(integer_from_json<std::int64_t>(place));
  if (!j.at("step").is_null()) first.step = integer_from_json<std::int64_t>(j.at("step"));
  first.direction = named_or_empty(j.at("direction"), direction_named, "a direction");
  read_values(j, type, first);
  first.error = number_from_json(j.at("error"));
  first.bound = number_from_json(j.at("bound"));
  first.gates = gates_from_json(j.at("gates"));
  return first;
}

void write(JsonWriter& out, const std::vector<StepPoint>& series) {
  out.begin_array();
  for (const auto& [step, direction, error, bound, ratio] : series)
    out.begin_array()
        .integer(step)
        .integer(direction == Direction::Reverse ? 1 : 0)
        .number(error)
        .number(bound)
        .number(ratio)
        .end_array();
  out.end_array();
}

Direction direction_from_json(const Json& j) {
  const int number = integer_from_json<int>(j);
  if (number != 0 && number != 1) throw std::invalid_argument("not a finding: a series has the directions 0 and 1");
  return number == 0 ? Direction::Forward : Direction::Reverse;
}

std::vector<StepPoint> series_from_json(const Json& j) {
  std::vector<StepPoint> series;
  for (const Json& row : j)
    series.push_back({integer_from_json<std::int64_t>(row.at(0)), direction_from_json(row.at(1)),
                      required_number(row.at(2)), required_number(row.at(3)), required_number(row.at(4))});
  return series;
}

void write(JsonWriter& out, const Expectation& expectation) {
  const auto& [kind, violations, clauses] = expectation;
  out.begin_object().key("kind").text(name(kind)).key("violations").begin_array();
  for (const auto& [rule, clause, message] : violations)
    out.begin_object().key("rule").text(rule).key("clause").text(clause).key("message").text(message).end_object();
  out.end_array().key("clauses").begin_array();
  for (const Clause clause : clauses) out.text(info(clause).id);
  out.end_array().end_object();
}

Expectation expectation_from_json(const Json& j) {
  using Kind = Expectation::Kind;
  Expectation expectation;
  expectation.kind = among(j.at("kind"), {Kind::Accept, Kind::Refuse, Kind::Either}, [](Kind k) { return name(k); });
  for (const Json& v : j.at("violations"))
    expectation.violations.push_back(
        {text_from_json(v.at("rule")), text_from_json(v.at("clause")), text_from_json(v.at("message"))});
  for (const Json& id : j.at("clauses")) expectation.clauses.push_back(named(id, clause_named, "a clause"));
  return expectation;
}

void write_judgement(JsonWriter& out, const Finding& finding) {
  const auto& [verdict, readings, contract, bits, faults, kind, first, elements, worst_ratio, max_ulp, series, reason] =
      finding.judgement;
  out.begin_object().key("verdict");
  verdict ? out.text(name(*verdict)) : out.null();
  out.key("readings").texts(readings.differences()).key("contract").text(name(contract)).key("bits").integer(bits);
  out.key("faults").texts(faults);
  out.key("kind").text(kind ? kind_name(*kind, finding) : "").key("first");
  first ? write(out, *first) : static_cast<void>(out.null());
  out.key("elements").begin_array();
  for (const std::int64_t count : elements) out.integer(count);
  out.end_array().key("worst_ratio").number(worst_ratio).key("max_ulp").number(max_ulp).key("series");
  write(out, series);
  out.key("message").text(sentence_of(finding.judgement)).end_object();
}

Judgement judgement_from_json(const Json& j, ElementType type) {
  Judgement judgement;
  if (!j.at("verdict").is_null()) judgement.verdict = named(j.at("verdict"), verdict_named, "a verdict");
  judgement.readings = Readings::of_differences(texts_from_json(j.at("readings")));
  judgement.contract = named(j.at("contract"), contract_named, "a contract");
  judgement.bits = integer_from_json<int>(j.at("bits"));
  judgement.faults = texts_from_json(j.at("faults"));
  if (!j.at("first").is_null()) judgement.first = first_from_json(j.at("first"), type);
  const Json& elements = j.at("elements");
  if (elements.size() != judgement.elements.size())
    throw std::invalid_argument("not a finding: \"elements\" does not have a number for each class");
  std::ranges::transform(elements, judgement.elements.begin(), integer_from_json<std::int64_t>);
  judgement.worst_ratio = number_from_json(j.at("worst_ratio"));
  judgement.max_ulp = number_from_json(j.at("max_ulp"));
  judgement.series = series_from_json(j.at("series"));
  judgement.reason.found = text_from_json(j.at("message"));
  return judgement;
}

/// `finding`: all else of the record.
std::optional<ViolationKind> violation_kind_from_json(const Json& j, const Finding& finding) {
  const std::string text = text_from_json(j);
  if (text.empty()) return std::nullopt;
  for (int k = 0; k < violation_kind_count; ++k)
    if (const auto kind = static_cast<ViolationKind>(k); kind_name(kind, finding) == text) return kind;
  throw std::invalid_argument("not a finding: \"" + text + "\" is not a kind of violation");
}

void write(JsonWriter& out, Clause clause, const std::vector<Answer>& answers) {
  out.begin_array();
  for (const std::string_view answer : names(clause, answers)) out.text(answer);
  out.end_array();
}

void write(JsonWriter& out, const std::vector<Evidence>& list) {
  out.begin_array();
  for (const auto& [clause, fits, excludes] : list) {
    out.begin_object().key("clause").text(info(clause).id).key("fits");
    write(out, clause, fits);
    out.key("excludes");
    write(out, clause, excludes);
    out.end_object();
  }
  out.end_array();
}

std::vector<Evidence> evidence_from_json(const Json& j) {
  std::vector<Evidence> list;
  for (const Json& piece : j) {
    const Clause clause = named(piece.at("clause"), clause_named, "a clause");
    const auto answers_under = [&](const char* key) {
      std::vector<Answer> read;
      for (const Json& text : piece.at(key))
        read.push_back(named(text, std::bind_front(answer_named, clause), "an answer of the clause"));
      return read;
    };
    list.push_back({clause, answers_under("fits"), answers_under("excludes")});
  }
  return list;
}

void write(JsonWriter& out, const Reduction& reduction) {
  const auto& [case_line, guilty, message, first, folder, runs, complete, passing] = reduction;
  out.begin_object().key("case").text(case_line).key("guilty").pairs(guilty).key("message").text(message).key("first");
  first ? write(out, *first) : static_cast<void>(out.null());
  out.key("folder").text(folder).key("runs").integer(runs).key("complete").boolean(complete);
  out.key("passing");
  write(out, passing);
  out.end_object();
}

Reduction reduction_from_json(const Json& j, ElementType type) {
  Reduction reduction{text_from_json(j.at("case")),    pairs_from_json(j.at("guilty")),
                      text_from_json(j.at("message")), std::nullopt,
                      text_from_json(j.at("folder")),  integer_from_json<std::int64_t>(j.at("runs")),
                      j.at("complete").get<bool>()};
  // Records of earlier programs do not say it.
  if (j.contains("first") && !j.at("first").is_null()) reduction.first = first_from_json(j.at("first"), type);
  if (j.contains("passing")) reduction.passing = passing_from_json(j.at("passing"));
  return reduction;
}

std::string_view misconduct_id(Misconduct misconduct) {
  switch (misconduct) {
    case Misconduct::ChangedInputs:
      return "changed-inputs";
    case Misconduct::DiffersOnRepeat:
      return "differs-on-repeat";
    case Misconduct::UninitialisedMemory:
      return "uninitialised-memory";
  }
  return "";
}

void write(JsonWriter& out, const OtherOutcome& other) {
  const auto& [outcome, message, signal] = other;
  out.begin_object().key("outcome").text(name(outcome)).key("message").text(message);
  out.key("signal").integer(signal).end_object();
}

OtherOutcome other_outcome_from_json(const Json& j) {
  return {named(j.at("outcome"), outcome_kind_named, "an outcome"), text_from_json(j.at("message")),
          integer_from_json<int>(j.at("signal"))};
}

Finding read(const Json& j) {
  Finding f;
  f.engine = text_from_json(j.at("engine"));
  f.engine_version = text_from_json(j.at("engine_version"));
  f.suite = text_from_json(j.at("suite"));
  f.number = integer_from_json<std::int64_t>(j.at("number"));
  f.case_name = text_from_json(j.at("case_name"));
  f.case_line = text_from_json(j.at("case"));
  f.case_hash = text_from_json(j.at("case_hash"));
  if (j.contains("law")) f.law = text_from_json(j.at("law"));
  f.version = named(j.at("operator"), operator_version_named, "an operator version");
  f.type = named_or_empty(j.at("type"), element_type_named, "an element type");
  const ElementType type = f.type && is_floating_point(*f.type) ? *f.type : ElementType::Float;
  f.axes = pairs_from_json(j.at("axes"));
  f.expectation = expectation_from_json(j.at("expectation"));
  f.outcome = named(j.at("outcome"), outcome_kind_named, "an outcome");
  f.outcome_message = text_from_json(j.at("outcome_message"));
  f.signal = integer_from_json<int>(j.at("signal"));
  // Records of earlier programs do not say it.
  if (j.contains("flaky") && !j.at("flaky").is_null()) f.flaky = other_outcome_from_json(j.at("flaky"));
  for (const Json& m : j.at("misconduct"))
    f.misconduct.push_back(among(
        m, {Misconduct::ChangedInputs, Misconduct::DiffersOnRepeat, Misconduct::UninitialisedMemory}, misconduct_id));
  const Json& timings = j.at("timings");
  f.timings = {required_number(timings.at("prepare")), required_number(timings.at("run")),
               required_number(timings.at("release"))};
  f.judgement = judgement_from_json(j.at("judgement"), type);
  f.judgement.kind = violation_kind_from_json(j.at("judgement").at("kind"), f);
  f.known_readings = Readings::of_differences(texts_from_json(j.at("known_readings")));
  if (!j.at("given_contract").is_null()) f.given_contract = named(j.at("given_contract"), contract_named, "a contract");
  f.evidence = evidence_from_json(j.at("evidence"));
  if (!j.at("reduction").is_null()) f.reduction = reduction_from_json(j.at("reduction"), type);
  f.signature = text_from_json(j.at("signature"));
  f.pass = j.at("pass").get<bool>();
  return f;
}

}  // namespace

// The structured bindings are there for what they do when a record gets a new field: this file no longer compiles.
std::string to_json(const Finding& finding) {
  const auto& [engine, engine_version, suite, number, case_name, case_line, case_hash, law, version, type, axes,
               expectation, outcome, outcome_message, signal, flaky, misconduct, timings, judgement, known_readings,
               given_contract, evidence, reduction, signature, pass] = finding;
  const auto& [prepare, run, release] = timings;
  JsonWriter out;
  out.begin_object();
  out.key("engine").text(engine).key("engine_version").text(engine_version);
  out.key("suite").text(suite).key("number").integer(number);
  out.key("case_name").text(case_name).key("case").text(case_line).key("case_hash").text(case_hash);
  if (!law.empty()) out.key("law").text(law);
  out.key("operator")
      .text(to_string(version))
      .key("type")
      .text(type_name(finding))
      .key("axes")
      .pairs(axes)
      .key("expectation");
  write(out, expectation);
  out.key("outcome").text(name(outcome)).key("outcome_message").text(outcome_message).key("signal").integer(signal);
  out.key("flaky");
  flaky ? write(out, *flaky) : static_cast<void>(out.null());
  out.key("misconduct").begin_array();
  for (const Misconduct m : misconduct) out.text(misconduct_id(m));
  out.end_array().key("timings").begin_object();
  out.key("prepare").number(prepare).key("run").number(run).key("release").number(release).end_object();
  out.key("judgement");
  write_judgement(out, finding);
  out.key("known_readings").texts(known_readings.differences()).key("given_contract");
  given_contract ? static_cast<void>(out.text(name(*given_contract))) : static_cast<void>(out.null());
  out.key("evidence");
  write(out, evidence);
  out.key("reduction");
  reduction ? write(out, *reduction) : static_cast<void>(out.null());
  out.key("signature").text(signature).key("pass").boolean(pass).end_object();
  return out.result();
}

Finding finding_from_json(std::string_view text) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(std::string("not a finding: ") + error.what());
  }
}

}  // namespace cellproof::reports
