#include "reports/testing/sample_engines.hpp"

#include <fmt/format.h>

#include <csignal>
#include <limits>
#include <utility>

#include "reports/testing/made_up_finding.hpp"

namespace cellproof::reports {
namespace {

using made_up::by_chance;
using made_up::die;
using made_up::diverge;
using made_up::has;
using made_up::plain;
using made_up::read_as;
using made_up::refuse;
using made_up::undecide;

std::vector<Finding> cases() {
  using enum Operator;
  const std::vector<OperatorVersion> versions{
      {LSTM, 1}, {LSTM, 7}, {LSTM, 14}, {LSTM, 22}, {GRU, 14}, {RNN, 14}, {DynamicQuantizeLSTM, 1}};
  const std::vector<AxisValues> variations{{},
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
    for (const AxisValues& axes : variations) {
      Finding f = plain(version, ElementType::Float, axes, static_cast<std::int64_t>(list.size()));
      const bool exists =
          (!has(f, "layout") || version.since_version >= 14) && (!has(f, "input_forget") || version.op == LSTM) &&
          (!has(f, "input.P") || has_cell_state(version.op)) && (!has(f, "linear_before_reset") || version.op == GRU);
      if (exists) list.push_back(f);
    }
  }
  for (const ElementType type : {ElementType::Float16, ElementType::BFloat16, ElementType::Double})
    for (const AxisValues& axes : {variations[0], variations[1]})
      list.push_back(plain({LSTM, 22}, type, axes, static_cast<std::int64_t>(list.size())));
  return list;
}

void as_reference(Finding& f) {
  if (f.version.op == Operator::DynamicQuantizeLSTM) undecide(f, "judged later");
}

/// Words of onnxruntime where it refuses the case; "" where it does not.
std::string refusal_of_onnxruntime(const Finding& f) {
  const bool is_quantised = f.version.op == Operator::DynamicQuantizeLSTM;
  if (f.version.since_version < 7 && !is_quantised)
    return fmt::format("No Op registered for {} with domain_version of {}", name(f.version.op),
                       f.version.since_version);
  if (f.type == ElementType::BFloat16 || f.type == ElementType::Float16)
    return fmt::format("Could not find an implementation for LSTM(22) node with name '' ({})", onnx_name(*f.type));
  if (has(f, "layout") && !is_quantised) return "Batchwise recurrent operations (layout == 1) are not supported.";
  return "";
}

void as_onnxruntime(Finding& f) {
  if (const std::string refusal = refusal_of_onnxruntime(f); !refusal.empty())
    return refuse(f, OutcomeKind::Rejected, refusal);
  if (f.version.op == Operator::DynamicQuantizeLSTM) return undecide(f, "judged later");
  if (has(f, "activation.f", "ThresholdedRelu"))
    return diverge(f, ViolationKind::Value, 81250, "activation.f=ThresholdedRelu",
                   "Y departs from step 1 on: a ThresholdedRelu without alpha must use 1.0.");
  if (f.version.op == Operator::GRU && has(f, "direction", "reverse") && has(f, "lengths"))
    return diverge(f, ViolationKind::Padding, std::numeric_limits<double>::infinity(),
                   "direction=reverse lengths=ragged", "Y holds values beyond the sequence's length.");
  if (f.version.op == Operator::LSTM && has(f, "T", "0")) {
    diverge(f, ViolationKind::Memory, 1, "T=0", "the engine returns uninitialised memory");
    f.judgement.first =
        FirstViolation{output::Y_c, {0, 1, 2}, {}, {}, ElementType::Double, 0, -3.6989206e+13, "", {}, {}, {}};
    f.judgement.worst_ratio = f.judgement.max_ulp = std::nullopt;
    f.judgement.series.clear();
    f.judgement.elements = {};
    f.judgement.bits = 0;
    f.misconduct = {Misconduct::UninitialisedMemory};
    f.signature = "v1:(onnxruntime, LSTM, DIVERGES, Y_c, memory, -, T=0)";
    return;
  }
  if (f.version.op == Operator::LSTM && has(f, "clip") && !has(f, "activation.f"))
    read_as(f, Readings{}.with(Clause::ClipScope, "gates"));
  if (has(f, "lengths", "with-zero")) read_as(f, Readings{}.with(Clause::ZeroLengthState, "zero"));
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
    diverge(f, ViolationKind::Padding, 2.5e6, "lengths=any",
            "Y runs on through the padding: sequence_lens has no effect.");
  else if (has(f, "activation.f"))
    diverge(f, ViolationKind::Value, 1.3e5, "activation=any",
            "Y departs from the first step on: the activations have no effect.");
  else if (has(f, "clip"))
    diverge(f, ViolationKind::Value, 4100, "clip=biting",
            "Y departs where a gate's input leaves [-0.5, 0.5]: clip has no effect.");
  else if (has(f, "input_forget"))
    diverge(f, ViolationKind::Value, 9.1e5, "input_forget=1",
            "Y departs from the first step on: input_forget has no effect.");
  else if (has(f, "direction", "reverse"))
    diverge(f, ViolationKind::Value, 77000, "direction=reverse",
            "Y is in processing order, not aligned with the input's time.");
  if (f.judgement.verdict == Verdict::Diverges && f.judgement.kind == ViolationKind::Value)
    f.judgement.faults = {"attribute-ignored"};
  // Every case would have one: which of a group's is shown is the grouping's choice.
  if (has(f, "clip") && f.judgement.verdict == Verdict::Diverges)
    f.reduction = Reduction{
        fmt::format("cellproof-case/1 op={} type=float T=1 N=1 I=1 H=1 clip=biting", to_string(f.version)),
        {{"clip", "biting"}},
        "Y[0,0,0,0] is 0.75, expected 0.5; behaves like attribute-ignored",
        FirstViolation{output::Y, {0, 0, 0, 0}, 0, Direction::Forward, ElementType::Float, 0.5, 0.75, "", {}, {}, {}},
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
  if (f.type == ElementType::Double) {
    f.judgement.verdict = Verdict::Precision;
    f.judgement.contract = ContractId::F64ViaF32;
    f.given_contract = ContractId::F64;
    f.judgement.reason.found = "conforms only as a double tensor computed in f32";
    f.signature = fmt::format("v1:(npu, LSTM, PRECISION, Y, value, f64-via-f32, type=double)");
    f.pass = false;
  } else if (f.type == ElementType::Float16) {
    diverge(f, ViolationKind::Value, std::numeric_limits<double>::infinity(), "axes=unattributed",
            "Y is NaN from the first wrong step on: a sum overflows.");
    FirstViolation& first = *f.judgement.first;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    first.actual = nan;
    first.error = first.bound = std::nullopt;
    first.gates = {
        {"i", 0.512, 3e-08}, {"o", nan, 0}, {"f", -nan, nan}, {"c", -std::numeric_limits<double>::infinity(), 0}};
  } else if (has(f, "layout")) {
    f.misconduct = {Misconduct::ChangedInputs};
    f.signature = fmt::format("v1:(npu, {}, CONFORMS, -, -, -, layout=1)", name(f.version.op));
    f.pass = false;
  } else if (has(f, "input.initial_h")) {
    diverge(f, ViolationKind::Repeat, 1, "", "the engine differs between two identical calls");
    Judgement& judgement = f.judgement;
    judgement.first = FirstViolation{output::Y_h, {0, 1, 2}, {}, {}, ElementType::Float, 0.25, 0.75, "", {}, {}, {}};
    judgement.worst_ratio = judgement.max_ulp = std::nullopt;
    judgement.series.clear();
    judgement.elements = {};
    judgement.bits = 0;
    f.misconduct = {Misconduct::DiffersOnRepeat};
    by_chance(f, "repeat");
  } else if (has(f, "activation.f", "HardSigmoid")) {
    die(f, OutcomeKind::Crashed, "SIGSEGV (Segmentation fault); ran when asked again", SIGSEGV);
    by_chance(f, "CRASHED");
  } else if (has(f, "input.P")) {
    diverge(f, ViolationKind::Value, 1.75, "input.P=initializer",
            "Y is beyond what usual orders of summation reach, within what any could.");
    f.judgement.verdict = Verdict::Suspect;
    f.signature = "v1:(npu, LSTM, SUSPECT, Y, value, -, input.P=initializer)";
  } else if (has(f, "clip")) {
    f.known_readings = Readings{}.with(Clause::ClipScope, "gates").with(Clause::PaddingOfY, "carry");
    undecide(f, "the clause clip-scope has no executable reading for this activation");
  } else if (has(f, "input.B") && f.version.op == Operator::GRU) {
    die(f, OutcomeKind::HarnessError, "the reference and the judge disagree");
  }
}

void add_invalid(std::vector<Finding>& out, const std::string& engine, const std::string& version) {
  std::int64_t number = 0;
  for (const char* rule : {"attribute-unknown", "shape-of-W", "type-of-sequence_lens", "too-many-inputs"}) {
    Finding f = plain({Operator::LSTM, 14}, ElementType::Float, {}, number++);
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
      f.judgement.reason.found = fmt::format("ran although the model breaks the rule {}", rule);
      f.outcome = OutcomeKind::Ran;
      f.signature = fmt::format("v1:(npu, LSTM, ACCEPTED_INVALID, -, -, -, -)");
      f.pass = false;
    }
    out.push_back(f);
  }
}

/// Readings that engines would show in a few cases of suite readings.
void add_readings(std::vector<Finding>& out, const std::string& engine, const std::string& version) {
  const bool own = engine == "reference";
  const std::vector<Evidence> shown{only(Clause::ClipScope, own ? "gates+h" : "gates"),
                                    engine == "npu" ? none(Clause::InputForget) : only(Clause::InputForget, "f=1-i"),
                                    {Clause::ClipZero, {0, 1}, {2}},
                                    {Clause::LayoutOther, {}, {}},
                                    only(Clause::RTransposed, engine == "npu" ? "broken" : "kept")};
  std::int64_t number = 0;
  for (const Evidence& evidence : shown) {
    Finding f = plain(newest(Operator::LSTM), ElementType::Float, {}, number++);
    f.engine = engine;
    f.engine_version = version;
    f.suite = "readings";
    f.case_name = fmt::format("LSTM-22/{}/plain", info(evidence.clause).id);
    f.evidence = {evidence};
    out.push_back(f);
    f.version = newest(Operator::RNN);
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

}  // namespace

std::vector<Finding> findings_of_sample_engines() {
  std::vector<Finding> findings;
  for (const SampleEngine& engine : engines) {
    for (Finding f : cases()) {
      f.engine = engine.name;
      f.engine_version = engine.version;
      engine.behave(f);
      findings.push_back(std::move(f));
    }
    add_invalid(findings, engine.name, engine.version);
    add_readings(findings, engine.name, engine.version);
  }
  return findings;
}

}  // namespace cellproof::reports
