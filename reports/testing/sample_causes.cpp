#include "reports/testing/sample_causes.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "reports/cause_json.hpp"
#include "spec/readings.hpp"

namespace cellproof::reports {
namespace {

struct SampleCause {
  const char* id;
  const char* title;
  CauseStatus status;
  /// Part of the signatures of its cases, or of the readings under which they conform.
  const char* shown_by;
  const char* clause = "";
  const char* passing = "";  ///< case line of one that does without it, and
  AxisValue with = {};       ///< that has this instead
};

const SampleCause of_onnxruntime[] = {
    {"fault:thresholded-relu-default-zero", "takes 0 for ThresholdedRelu's default alpha", CauseStatus::Proved,
     "activation.f=ThresholdedRelu"},
    {"reading:clip-scope=gates", "clips the gates alone, not the cell on its way to h", CauseStatus::Likely,
     "clip-scope=gates"},
    {"reading:zero-length-state=zero", "ends a sequence of length 0 in zeros", CauseStatus::Likely,
     "zero-length-state=zero"},
    {"memory:T=0", "returns uninitialised memory with T=0", CauseStatus::Unexplained, "T=0"},
    {"padding:direction=reverse,lengths=ragged", "returns wrong padding with direction=reverse,lengths=ragged",
     CauseStatus::Unexplained, "lengths=ragged"}};

const SampleCause of_onnx_reference[] = {
    {"fault:activation-f-ignored", "uses the default function f whatever the node says", CauseStatus::Likely,
     "activation=any"},
    {"fault:lengths-ignored", "takes every sequence to have T steps", CauseStatus::Likely, "lengths=any"},
    {"fault:reverse-output-in-processing-order", "writes the reverse direction's Y in the order of processing",
     CauseStatus::Likely, "direction=reverse"},
    {"fault:clip-ignored",
     "does not clip",
     CauseStatus::Proved,
     "clip=biting",
     "clip bounds the argument of each activation function to [-clip, clip], and not what the function returns.",
     "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1",
     {"clip", "absent"}},
    {"fault:input-forget-ignored", "computes the forget gate by itself although the gates are coupled",
     CauseStatus::Likely, "input_forget=1"}};

bool shows(const SampleCause& sample, const Finding& finding) {
  const std::string_view part = sample.shown_by;
  if (!finding.pass) return finding.signature.find(part) != std::string::npos;
  const auto readings = finding.judgement.readings.differences();
  return std::ranges::find(readings, part) != readings.end();
}

Cause cause_of(const SampleCause& sample, const std::string& engine, const std::vector<Finding>& findings) {
  Cause cause;
  cause.id = sample.id;
  cause.title = sample.title;
  cause.status = sample.status;
  const std::string_view id = sample.id;
  if (id.starts_with("fault:")) cause.faults = {cause.id.substr(6)};
  if (id.starts_with("reading:")) {
    cause.readings = {cause.id.substr(8)};
    cause.clause = info(*clause_named(std::string_view(sample.shown_by).substr(0, id.find('=') - 8))).text;
  }
  for (const Finding& finding : findings) {
    if (finding.engine != engine || !shows(sample, finding)) continue;
    ++cause.cases;
    cause.where[finding.suite].push_back(finding.number);
    const std::string op{name(finding.version.op)};
    if (std::ranges::find(cause.operators, op) == cause.operators.end()) cause.operators.push_back(op);
    if (cause.case_line.empty() || finding.case_line.size() < cause.case_line.size())
      cause.case_line = finding.case_line;
  }
  cause.alone = cause.cases;
  if (cause.clause.empty()) cause.clause = sample.clause;
  if (sample.passing[0] != 0) cause.passing = PassingCase{sample.passing, {sample.with}};
  return cause;
}

}  // namespace

void add_sample_causes(ReportData& data) {
  for (auto& [engine, notes] : data.engines) {
    std::vector<Cause> causes;
    if (engine == "onnxruntime")
      for (const SampleCause& sample : of_onnxruntime) causes.push_back(cause_of(sample, engine, data.findings));
    if (engine == "onnx-reference")
      for (const SampleCause& sample : of_onnx_reference) causes.push_back(cause_of(sample, engine, data.findings));
    if (!causes.empty()) notes.emplace_back(EngineNote::Causes, to_json(engine, causes));
  }
}

}  // namespace cellproof::reports
