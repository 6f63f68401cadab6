#include "reports/sample_findings.hpp"

#include <fmt/format.h>

#include <csignal>
#include <limits>

namespace cellproof::reports {
namespace {

using Axes = std::vector<std::pair<std::string, std::string>>;

bool has(const Finding& f, std::string_view axis, std::string_view value = "") {
  for (const auto& [a, v] : f.axes)
    if (a == axis && (value.empty() || v == value)) return true;
  return false;
}

Finding plain(OperatorVersion version, std::string type, Axes axes, std::int64_t number) {
  Finding f;
  f.suite = "smoke";
  f.number = number;
  f.version = version;
  f.type = std::move(type);
  f.axes = std::move(axes);
  f.case_line = fmt::format("cellproof-case/1 op={} type={} T=5 N=2 I=3 H=4", to_string(version), f.type);
  for (const auto& [axis, value] : f.axes) f.case_line += fmt::format(" {}={}", axis, value);
  f.case_line += fmt::format(" seed={}", 1000 + number);
  f.case_hash = fmt::format("{:016x}", 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(number + 1));
  f.outcome = OutcomeKind::Ran;
  f.timings = {0.00041, 0.00006, 0.00002};
  f.judgement.verdict = Verdict::Conforms;
  f.judgement.bits = f.type == "double" ? 128 : 53;
  f.judgement.elements = {11, 117, 0, 0, 0, 0, 0};
  f.judgement.worst_ratio = 0.125 + 0.0625 * static_cast<double>(number % 7);
  f.judgement.max_ulp = 0.5 * static_cast<double>(number % 4);
  f.pass = true;
  return f;
}

std::vector<Finding> cases() {
  using enum Operator;
  const std::vector<OperatorVersion> versions{
      {LSTM, 1}, {LSTM, 7}, {LSTM, 14}, {LSTM, 22}, {GRU, 14}, {RNN, 14}, {DynamicQuantizeLSTM, 1}};
  const std::vector<Axes> variations{{},
                                     {{"direction", "reverse"}},
                                     {{"direction", "bidirectional"}},
                                     {{"layout", "1"}},
                                     {{"direction", "reverse"}, {"layout", "1"}},
                                     {{"clip", "biting"}},
                                     {{"lengths", "ragged"}},
                                     {{"lengths", "with-zero"}},
                                     {{"direction", "reverse"}, {"lengths", "ragged"}},
                                     {{"activation.f", "Relu"}},
                                     {{"activation.f", "ThresholdedRelu"}},
                                     {{"activation.f", "HardSigmoid"}},
                                     {{"activation.f", "Elu"}, {"clip", "biting"}},
                                     {{"input.B", "initializer"}},
                                     {{"input.initial_h", "graph"}},
                                     {{"outputs", "Y_h"}},
                                     {{"T", "0"}},
                                     {{"input_forget", "1"}},
                                     {{"input.P", "initializer"}},
                                     {{"linear_before_reset", "1"}}};
  std::vector<Finding> list;
  for (const OperatorVersion version : versions) {
    for (const Axes& axes : variations) {
      Finding f = plain(version, "float", axes, static_cast<std::int64_t>(list.size()));
      const bool exists =
          (!has(f, "layout") || version.since_version >= 14) && (!has(f, "input_forget") || version.op == LSTM) &&
          (!has(f, "input.P") || has_cell_state(version.op)) && (!has(f, "linear_before_reset") || version.op == GRU);
      if (exists) list.push_back(f);
    }
  }
  for (const char* type : {"float16", "bfloat16", "double"})
    for (const Axes& axes : {variations[0], variations[1]})
      list.push_back(plain({LSTM, 22}, type, axes, static_cast<std::int64_t>(list.size())));
  return list;
}

void add_series(Judgement& judgement, int steps, int wrong_from, double excess, int direction) {
  for (int t = 0; t < steps; ++t) {
    StepPoint p{t, direction, 0, 2e-7 * (1 + 0.125 * t), 0};
    const int done = direction == 0 ? t - wrong_from : wrong_from - t;
    p.ratio = done < 0 ? 0.25 + 0.125 * (t % 3) : excess / (1 + 0.5 * done);
    p.error = p.ratio * p.bound;
    judgement.series.push_back(p);
  }
}

void diverge(Finding& f, std::string kind, double excess, std::string_view guilty, std::string message) {
  Judgement& j = f.judgement;
  const bool reverse = has(f, "direction", "reverse");
  const int wrong_from = reverse ? 3 : 1;
  j.verdict = Verdict::Diverges;
  j.kind = std::move(kind);
  j.message = std::move(message);
  j.first = FirstViolation{
      "Y",
      {wrong_from, 0, 1, 2},
      wrong_from,
      reverse ? "reverse" : "forward",
      "0.51237547",
      "0.5319482",
      excess * 2.25e-7,
      2.25e-7,
      {{"i", "0.512 +- 3e-08"}, {"o", "0.733 +- 4e-08"}, {"f", "0.281 +- 3e-08"}, {"c", "-0.094 +- 5e-08"}}};
  j.bits = 128;
  j.elements = {3, 61, 0, 64, 0, 0, 0};
  j.worst_ratio = excess;
  j.max_ulp = excess * 4;
  add_series(j, 5, wrong_from, excess, reverse ? 1 : 0);
  f.signature = fmt::format("v1:({}, {}, DIVERGES, Y, {}, -, {})", f.engine, name(f.version.op), j.kind, guilty);
  f.pass = false;
}

void refuse(Finding& f, OutcomeKind outcome, std::string message) {
  f.outcome = outcome;
  f.outcome_message = std::move(message);
  f.judgement = {};
}

void die(Finding& f, OutcomeKind outcome, std::string message, int signal = 0) {
  refuse(f, outcome, std::move(message));
  f.signal = signal;
  f.pass = false;
  f.signature = fmt::format("v1:({}, {}, -, -, -, -, {})", f.engine, name(f.version.op),
                            f.axes.empty() ? "-" : f.axes.front().first + "=" + f.axes.front().second);
}

void read_as(Finding& f, std::vector<std::string> readings) {
  f.judgement.verdict = Verdict::Reading;
  f.judgement.readings = std::move(readings);
  f.judgement.message = "conforms under another listed reading";
}

void undecide(Finding& f, std::string reason) {
  f.judgement = {};
  f.judgement.verdict = Verdict::Undecided;
  f.judgement.elements[static_cast<std::size_t>(ElementClass::Unresolved)] = 128;
  f.judgement.message = std::move(reason);
}

void as_reference(Finding& f) {
  if (f.version.op == Operator::DynamicQuantizeLSTM) undecide(f, "judged later");
}

void as_onnxruntime(Finding& f) {
  if (f.version.since_version < 7 && f.version.op != Operator::DynamicQuantizeLSTM)
    return refuse(
        f, OutcomeKind::Rejected,
        fmt::format("No Op registered for {} with domain_version of {}", name(f.version.op), f.version.since_version));
  if (f.type == "bfloat16" || f.type == "float16")
    return refuse(f, OutcomeKind::Rejected,
                  fmt::format("Could not find an implementation for LSTM(22) node with name '' ({})", f.type));
  if (f.version.op == Operator::DynamicQuantizeLSTM) return undecide(f, "judged later");
  if (has(f, "layout"))
    return refuse(f, OutcomeKind::Rejected, "Batchwise recurrent operations (layout == 1) are not supported.");
  if (has(f, "activation.f", "ThresholdedRelu"))
    return diverge(f, "value", 81250, "activation.f=ThresholdedRelu",
                   "Y departs from step 1 on: a ThresholdedRelu without alpha must use 1.0.");
  if (f.version.op == Operator::GRU && has(f, "direction", "reverse") && has(f, "lengths"))
    return diverge(f, "padding", std::numeric_limits<double>::infinity(), "direction=reverse lengths=ragged",
                   "Y holds values beyond the sequence's length.");
  if (f.version.op == Operator::LSTM && has(f, "clip") && !has(f, "activation.f")) read_as(f, {"clip-scope=gates"});
  if (has(f, "lengths", "with-zero")) read_as(f, {"zero-length-state=zero"});
}

void as_onnx_reference(Finding& f) {
  if (f.version.op == Operator::DynamicQuantizeLSTM)
    return refuse(f, OutcomeKind::NotSupported, "operator of another domain");
  if (has(f, "T", "0")) return refuse(f, OutcomeKind::Rejected, "ValueError: need at least one array to stack");
  if (has(f, "direction", "bidirectional"))
    return refuse(
        f, OutcomeKind::Rejected,
        "NotImplementedError: Unsupported value 2 for num_directions and operator " + std::string(name(f.version.op)));
  if (has(f, "lengths"))
    diverge(f, "padding", 2.5e6, "lengths=any", "Y runs on through the padding: sequence_lens has no effect.");
  else if (has(f, "activation.f"))
    diverge(f, "value", 1.3e5, "activation=any", "Y departs from the first step on: the activations have no effect.");
  else if (has(f, "clip"))
    diverge(f, "value", 4100, "clip=biting", "Y departs where a gate's input leaves [-0.5, 0.5]: clip has no effect.");
  else if (has(f, "input_forget"))
    diverge(f, "value", 9.1e5, "input_forget=1", "Y departs from the first step on: input_forget has no effect.");
  else if (has(f, "direction", "reverse"))
    diverge(f, "value", 77000, "direction=reverse", "Y is in processing order, not aligned with the input's time.");
  if (f.judgement.verdict == Verdict::Diverges && f.judgement.kind == "value")
    f.judgement.faults = {"attribute-ignored"};
  // Every case would have one: which of a group's is shown is the grouping's choice.
  if (has(f, "clip") && f.judgement.verdict == Verdict::Diverges)
    f.reduction =
        Reduction{fmt::format("cellproof-case/1 op={} type=float T=1 N=1 I=1 H=1 clip=biting", to_string(f.version)),
                  {{"clip", "biting"}},
                  "Y[0,0,0,0] is 0.75, expected 0.5; behaves like attribute-ignored",
                  FirstViolation{"Y", {0, 0, 0, 0}, 0, "forward", "0.5", "0.75", {}, {}, {}},
                  "reduced/onnx-reference-0123456789abcdef",
                  23,
                  f.version.op != Operator::GRU};
}

void as_npu(Finding& f) {
  if (has(f, "linear_before_reset")) return die(f, OutcomeKind::Crashed, "worker died by signal 11", SIGSEGV);
  if (has(f, "T", "0")) return die(f, OutcomeKind::TimedOut, "no answer within 10 s");
  if (has(f, "outputs", "Y_h") && f.version.op == Operator::RNN)
    return die(f, OutcomeKind::OutOfMemory, "beyond 2 GiB");
  if (f.version.op == Operator::DynamicQuantizeLSTM)
    return refuse(f, OutcomeKind::NotSupported, "op type not in table");
  if (f.type == "double") {
    f.judgement.verdict = Verdict::Precision;
    f.judgement.contract = ContractId::F64ViaF32;
    f.given_contract = ContractId::F64;
    f.judgement.message = "conforms only as a double tensor computed in f32";
    f.signature = fmt::format("v1:(npu, LSTM, PRECISION, Y, value, f64-via-f32, type=double)");
    f.pass = false;
  } else if (has(f, "layout")) {
    f.misconduct = {Misconduct::ChangedInputs};
    f.signature = fmt::format("v1:(npu, {}, CONFORMS, -, -, -, layout=1)", name(f.version.op));
    f.pass = false;
  } else if (has(f, "input.initial_h")) {
    f.misconduct = {Misconduct::DiffersOnRepeat};
    f.signature = fmt::format("v1:(npu, {}, CONFORMS, -, repeat, -, input.initial_h=graph)", name(f.version.op));
    f.pass = false;
  } else if (has(f, "input.P")) {
    diverge(f, "value", 1.75, "input.P=initializer",
            "Y is beyond what usual orders of summation reach, within what any could.");
    f.judgement.verdict = Verdict::Suspect;
    f.signature = "v1:(npu, LSTM, SUSPECT, Y, value, -, input.P=initializer)";
  } else if (has(f, "clip")) {
    f.known_readings = {"clip-scope=gates", "padding-of-y=carry"};
    undecide(f, "the clause clip-scope has no executable reading for this activation");
  } else if (has(f, "input.B") && f.version.op == Operator::GRU) {
    die(f, OutcomeKind::HarnessError, "the reference and the judge disagree");
  }
}

void add_invalid(std::vector<Finding>& out, const std::string& engine, const std::string& version) {
  std::int64_t number = 0;
  for (const char* rule : {"attribute-unknown", "shape-of-W", "type-of-sequence_lens", "too-many-inputs"}) {
    Finding f = plain({Operator::LSTM, 14}, "float", {}, number++);
    f.engine = engine;
    f.engine_version = version;
    f.suite = "invalid";
    f.case_name = fmt::format("lstm_14_{}", rule);
    f.case_line += fmt::format(" invalid={}", rule);
    f.expectation.kind = Expectation::Kind::Refuse;
    f.expectation.violations = {{rule, "LSTM-14: inputs", fmt::format("the model breaks the rule {}", rule)}};
    f.judgement = {};
    f.judgement.verdict = Verdict::RefusedAsExpected;
    f.outcome = OutcomeKind::Rejected;
    f.outcome_message = "invalid model";
    if (engine == "npu" && number < 4) {
      f.judgement.verdict = Verdict::AcceptedInvalid;
      f.judgement.message = fmt::format("ran although the model breaks the rule {}", rule);
      f.outcome = OutcomeKind::Ran;
      f.signature = fmt::format("v1:(npu, LSTM, ACCEPTED_INVALID, -, -, -, -)");
      f.pass = false;
    }
    out.push_back(f);
  }
}

/// What engines would show of themselves in a few cases of suite readings.
void add_readings(std::vector<Finding>& out, const std::string& engine, const std::string& version) {
  const bool own = engine == "reference";
  const std::vector<Evidence> shown{only(Clause::ClipScope, own ? "gates+h" : "gates"),
                                    engine == "npu" ? none(Clause::InputForget) : only(Clause::InputForget, "f=1-i"),
                                    {Clause::ClipZero, {"clamp", "off"}, {"refuse"}},
                                    {Clause::LayoutOther, {}, {}},
                                    only(Clause::RTransposed, engine == "npu" ? "broken" : "kept")};
  std::int64_t number = 0;
  for (const Evidence& evidence : shown) {
    Finding f = plain({Operator::LSTM, 22}, "float", {}, number++);
    f.engine = engine;
    f.engine_version = version;
    f.suite = "readings";
    f.case_name = fmt::format("LSTM-22/{}/plain", info(evidence.clause).id);
    f.evidence = {evidence};
    out.push_back(f);
    f.version = {Operator::RNN, 22};
    f.number = number++;
    f.case_name = fmt::format("RNN-22/{}/plain", info(evidence.clause).id);
    f.evidence = {only(evidence.clause, answers(evidence.clause).front())};
    out.push_back(f);
  }
}

struct SampleEngine {
  const char* name;
  const char* version;
  void (*behave)(Finding&);
};

constexpr SampleEngine engines[]{{"reference", "0.1.0", as_reference},
                                 {"onnxruntime", "1.31.1", as_onnxruntime},
                                 {"onnx-reference", "1.23.2", as_onnx_reference},
                                 {"npu", "0.3-rc2", as_npu}};

/// The pairs of a small operator, as if it had four axes.
Coverage sample_coverage(const std::string& engine, Operator op, std::size_t failing) {
  Coverage coverage{engine, op, {"version", "direction", "layout", "clip"}, {}, {}, {}};
  coverage.cells = {{.possible = 12, .passed = 12},
                    {.possible = 6, .passed = 2, .failing = 0, .refused = 4},
                    {.possible = 9, .passed = 5, .failing = 0, .refused = 3},
                    {.possible = 16, .passed = 16 - failing, .failing = failing},
                    {.possible = 12, .passed = 12},
                    {.possible = 12, .passed = 3, .failing = 0, .refused = 8}};
  for (const TupleCounts& cell : coverage.cells) {
    coverage.pairs.possible += cell.possible;
    coverage.pairs.passed += cell.passed;
    coverage.pairs.failing += cell.failing;
    coverage.pairs.refused += cell.refused;
  }
  coverage.triples = {.possible = 1234, .passed = 700 - failing, .failing = failing, .refused = 99};
  return coverage;
}

}  // namespace

ReportData sample_report() {
  ReportData data;
  data.title = "tier quick";
  data.passport = {{"started", "2026-11-21T20:38:00Z"},
                   {"command", "./cellproof run"},
                   {"cellproof", "0.1.0"},
                   {"suites", "onnx-backend, smoke, invalid"},
                   {"corpus hash", "6f1d2c90a7b3e845"},
                   {"seed", "0"},
                   {"cpu", "AMD EPYC 9B14, 2 cores, AVX-512"},
                   {"compiler", "gcc 12.2.0 -O2 -ffp-contract=off"},
                   {"wall time", "41.3 s"}};
  data.engines = {
      {"reference", {{"version", "0.1.0"}, {"contract", "f32-strict"}}},
      {"onnxruntime", {{"version", "1.31.1"}}},
      {"onnx-reference", {{"version", "1.23.2"}}},
      {"npu",
       {{"version", "0.3-rc2"}, {"argument", "npu=python3 npu_worker.py"}, {"log", "npu: warming up\nnpu: ready"}}},
      {"onnxruntime-1.20.1", {{"absent", "libonnxruntime.so.1.20.1 is not installed"}}}};
  for (const SampleEngine& engine : engines) {
    for (Finding f : cases()) {
      f.engine = engine.name;
      f.engine_version = engine.version;
      engine.behave(f);
      data.findings.push_back(std::move(f));
    }
    add_invalid(data.findings, engine.name, engine.version);
    add_readings(data.findings, engine.name, engine.version);
  }
  data.coverage = {sample_coverage("onnxruntime", Operator::LSTM, 5), sample_coverage("onnxruntime", Operator::GRU, 0),
                   sample_coverage("npu", Operator::LSTM, 16)};
  return data;
}

ReportData hostile_report() {
  const std::string nasty =  // what is misleading in it is meant to be: NOLINTNEXTLINE(misc-misleading-bidirectional)
      "\"><script>alert('x')</script><!-- ]]> & %s {} \x1b[31m \x01 \xff\xfe \xc3( \xe2\x80\xae' </style></title>";
  ReportData data;
  data.title = nasty;
  data.passport = {{nasty, nasty}};
  data.engines = {{nasty, {{"version", nasty}, {nasty, nasty}}}, {"gone" + nasty, {{"absent", nasty}}}};
  data.coverage = {{nasty, Operator::LSTM, {nasty, nasty}, {}, {}, {{.possible = 2, .failing = 1}}}};
  for (const OutcomeKind outcome :
       {OutcomeKind::Ran, OutcomeKind::Rejected, OutcomeKind::Crashed, OutcomeKind::HarnessError}) {
    Finding f = plain({Operator::LSTM, 14}, nasty, {{nasty, nasty}}, static_cast<std::int64_t>(data.findings.size()));
    f.engine = f.engine_version = f.suite = f.case_name = f.case_line = f.case_hash = nasty;
    diverge(f, nasty, std::numeric_limits<double>::quiet_NaN(), nasty,
            fmt::format("{0}{1}{0}", nasty, std::string(100'000, 'm')));
    f.judgement.first = FirstViolation{nasty, {-1}, -7, nasty, nasty, nasty + "1", 1.0, 0.0, {{nasty, nasty}}};
    f.judgement.series = {
        {std::numeric_limits<std::int64_t>::max(), 0, 1e300, 0, std::numeric_limits<double>::infinity()},
        {std::numeric_limits<std::int64_t>::min(), 7, -1, -1, -1},
        {0, 1, std::numeric_limits<double>::quiet_NaN(), 5e-324, std::numeric_limits<double>::quiet_NaN()}};
    f.judgement.readings = f.judgement.faults = {nasty};
    f.outcome = outcome;
    f.outcome_message = nasty;
    f.signal = 9999;
    f.signature = nasty;
    data.findings.push_back(f);
    f.judgement.verdict = outcome == OutcomeKind::Ran ? Verdict::Reading : Verdict::Undecided;
    f.pass = true;
    f.number += 100;
    data.findings.push_back(f);
  }
  return data;
}

ReportData large_report(std::size_t findings) {
  const ReportData sample = sample_report();
  ReportData data = sample;
  data.findings.clear();
  for (std::size_t i = 0; i < findings; ++i) {
    Finding f = sample.findings[i % sample.findings.size()];
    f.number = static_cast<std::int64_t>(i);
    f.case_line += fmt::format(" copy={}", i / sample.findings.size());
    if (!f.judgement.series.empty()) {
      f.judgement.series.clear();
      add_series(f.judgement, 500, 100, 2000, f.judgement.first->direction == "reverse" ? 1 : 0);
    }
    data.findings.push_back(std::move(f));
  }
  return data;
}

}  // namespace cellproof::reports
