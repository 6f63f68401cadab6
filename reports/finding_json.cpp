#include "reports/finding_json.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reports/json_values.hpp"

namespace cellproof::reports {
namespace {

Json first_to_json(const FirstViolation& first) {
  const auto& [output, index, step, direction, expected, actual, error, bound, gates] = first;
  return {{"output", text_to_json(output)},      {"index", index},
          {"step", step ? Json(*step) : Json()}, {"direction", text_to_json(direction)},
          {"expected", text_to_json(expected)},  {"actual", text_to_json(actual)},
          {"error", number_to_json(error)},      {"bound", number_to_json(bound)},
          {"gates", pairs_to_json(gates)}};
}

FirstViolation first_from_json(const Json& j) {
  FirstViolation first;
  first.output = text_from_json(j.at("output"));
  first.index = j.at("index").get<std::vector<std::int64_t>>();
  if (!j.at("step").is_null()) first.step = j.at("step").get<std::int64_t>();
  first.direction = text_from_json(j.at("direction"));
  first.expected = text_from_json(j.at("expected"));
  first.actual = text_from_json(j.at("actual"));
  first.error = number_from_json(j.at("error"));
  first.bound = number_from_json(j.at("bound"));
  first.gates = pairs_from_json(j.at("gates"));
  return first;
}

Json series_to_json(const std::vector<StepPoint>& series) {
  Json rows = Json::array();
  for (const auto& [step, direction, error, bound, ratio] : series)
    rows.push_back({step, direction, number_to_json(error), number_to_json(bound), number_to_json(ratio)});
  return rows;
}

std::vector<StepPoint> series_from_json(const Json& j) {
  std::vector<StepPoint> series;
  for (const Json& row : j)
    series.push_back({row.at(0).get<std::int64_t>(), row.at(1).get<int>(), required_number(row.at(2)),
                      required_number(row.at(3)), required_number(row.at(4))});
  return series;
}

Json expectation_to_json(const Expectation& expectation) {
  const auto& [kind, violations, clauses] = expectation;
  Json broken = Json::array();
  for (const auto& [rule, clause, message] : violations)
    broken.push_back(
        {{"rule", text_to_json(rule)}, {"clause", text_to_json(clause)}, {"message", text_to_json(message)}});
  Json ids = Json::array();
  for (Clause clause : clauses) ids.push_back(std::string(info(clause).id));
  return {{"kind", std::string(name(kind))}, {"violations", std::move(broken)}, {"clauses", std::move(ids)}};
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

Json judgement_to_json(const Judgement& judgement) {
  const auto& [verdict, readings, contract, faults, kind, first, elements, worst_ratio, max_ulp, series, message] =
      judgement;
  return {{"verdict", verdict ? Json(std::string(name(*verdict))) : Json()},
          {"readings", texts_to_json(readings)},
          {"contract", std::string(name(contract))},
          {"faults", texts_to_json(faults)},
          {"kind", text_to_json(kind)},
          {"first", first ? first_to_json(*first) : Json()},
          {"elements", elements},
          {"worst_ratio", number_to_json(worst_ratio)},
          {"max_ulp", number_to_json(max_ulp)},
          {"series", series_to_json(series)},
          {"message", text_to_json(message)}};
}

Judgement judgement_from_json(const Json& j) {
  Judgement judgement;
  if (!j.at("verdict").is_null()) judgement.verdict = named(j.at("verdict"), verdict_named, "a verdict");
  judgement.readings = texts_from_json(j.at("readings"));
  judgement.contract = named(j.at("contract"), contract_named, "a contract");
  judgement.faults = texts_from_json(j.at("faults"));
  judgement.kind = text_from_json(j.at("kind"));
  if (!j.at("first").is_null()) judgement.first = first_from_json(j.at("first"));
  judgement.elements = j.at("elements").get<decltype(judgement.elements)>();
  judgement.worst_ratio = number_from_json(j.at("worst_ratio"));
  judgement.max_ulp = number_from_json(j.at("max_ulp"));
  judgement.series = series_from_json(j.at("series"));
  judgement.message = text_from_json(j.at("message"));
  return judgement;
}

std::string_view misconduct_id(Misconduct misconduct) {
  return misconduct == Misconduct::ChangedInputs ? "changed-inputs" : "differs-on-repeat";
}

Json misconduct_to_json(const std::vector<Misconduct>& list) {
  Json ids = Json::array();
  for (Misconduct m : list) ids.push_back(std::string(misconduct_id(m)));
  return ids;
}

Finding read(const Json& j) {
  Finding f;
  f.engine = text_from_json(j.at("engine"));
  f.engine_version = text_from_json(j.at("engine_version"));
  f.suite = text_from_json(j.at("suite"));
  f.number = j.at("number").get<std::int64_t>();
  f.case_name = text_from_json(j.at("case_name"));
  f.case_line = text_from_json(j.at("case"));
  f.case_hash = text_from_json(j.at("case_hash"));
  f.version = named(j.at("operator"), operator_version_named, "an operator version");
  f.type = text_from_json(j.at("type"));
  f.axes = pairs_from_json(j.at("axes"));
  f.expectation = expectation_from_json(j.at("expectation"));
  f.outcome = named(j.at("outcome"), outcome_kind_named, "an outcome");
  f.outcome_message = text_from_json(j.at("outcome_message"));
  f.signal = j.at("signal").get<int>();
  for (const Json& m : j.at("misconduct"))
    f.misconduct.push_back(among(m, {Misconduct::ChangedInputs, Misconduct::DiffersOnRepeat}, misconduct_id));
  const Json& timings = j.at("timings");
  f.timings = {required_number(timings.at("prepare")), required_number(timings.at("run")),
               required_number(timings.at("release"))};
  f.judgement = judgement_from_json(j.at("judgement"));
  f.signature = text_from_json(j.at("signature"));
  f.pass = j.at("pass").get<bool>();
  return f;
}

}  // namespace

// The structured bindings are there for what they do when a record gets a new field: this file no longer compiles.
std::string to_json(const Finding& finding) {
  const auto& [engine, engine_version, suite, number, case_name, case_line, case_hash, version, type, axes, expectation,
               outcome, outcome_message, signal, misconduct, timings, judgement, signature, pass] = finding;
  const auto& [prepare, run, release] = timings;
  const Json record = {
      {"engine", text_to_json(engine)},
      {"engine_version", text_to_json(engine_version)},
      {"suite", text_to_json(suite)},
      {"number", number},
      {"case_name", text_to_json(case_name)},
      {"case", text_to_json(case_line)},
      {"case_hash", text_to_json(case_hash)},
      {"operator", to_string(version)},
      {"type", text_to_json(type)},
      {"axes", pairs_to_json(axes)},
      {"expectation", expectation_to_json(expectation)},
      {"outcome", std::string(name(outcome))},
      {"outcome_message", text_to_json(outcome_message)},
      {"signal", signal},
      {"misconduct", misconduct_to_json(misconduct)},
      {"timings",
       {{"prepare", number_to_json(prepare)}, {"run", number_to_json(run)}, {"release", number_to_json(release)}}},
      {"judgement", judgement_to_json(judgement)},
      {"signature", text_to_json(signature)},
      {"pass", pass}};
  return record.dump();
}

Finding finding_from_json(std::string_view text) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(std::string("not a finding: ") + error.what());
  }
}

}  // namespace cellproof::reports
