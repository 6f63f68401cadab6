#include "reports/testing/sample_findings.hpp"

#include <fmt/format.h>

#include <utility>

#include "reports/testing/made_up_finding.hpp"
#include "reports/testing/sample_causes.hpp"
#include "reports/testing/sample_engines.hpp"

namespace cellproof::reports {
namespace {

/// The pairs of a small operator, as if it had four axes.
Coverage sample_coverage(const std::string& engine, Operator op, std::size_t failing) {
  Coverage coverage{engine, op, {"version", "direction", "layout", "clip"}, {}, {}, {}};
  coverage.cells = {{.possible = 12, .passed = 12},
                    {.possible = 6, .passed = 2, .failing = 0, .refused = 4},
                    {.possible = 9, .passed = 4, .undecided = 1, .refused = 3},
                    {.possible = 16, .passed = 16 - failing, .failing = failing},
                    {.possible = 12, .passed = 12},
                    {.possible = 12, .passed = 3, .failing = 0, .refused = 8}};
  for (const TupleCounts& cell : coverage.cells) {
    coverage.pairs.possible += cell.possible;
    coverage.pairs.passed += cell.passed;
    coverage.pairs.undecided += cell.undecided;
    coverage.pairs.failing += cell.failing;
    coverage.pairs.refused += cell.refused;
  }
  coverage.pairs_of_supported = coverage.pairs.supported() + 1;
  coverage.triples = {.possible = 1234, .passed = 696 - failing, .undecided = 4, .failing = failing, .refused = 99};
  return coverage;
}

}  // namespace

ReportData sample_report() {
  ReportData data;
  data.title = "tier quick";
  data.runs = {{"", run_metadata_of({{"command", "./cellproof run"},
                                     {"cellproof", "0.1.0"},
                                     {"compiler", "gcc 12.2.0 -O2 -ffp-contract=off"},
                                     {"suites", "onnx-backend, smoke, invalid"},
                                     {"corpus hash", "6f1d2c90a7b3e845"},
                                     {"seed", "0"},
                                     {"started", "2026-11-21T20:38:00Z"},
                                     {"cpu", "AMD EPYC 9B14, 2 cores, AVX-512"},
                                     {"last call: wall time", "41.3 s"}})}};
  data.engines = {
      {"reference", {{EngineNote::Version, "0.1.0"}, {EngineNote::Contract, "f32-strict"}}},
      {"onnxruntime", {{EngineNote::Version, "1.31.1"}}},
      {"onnx-reference", {{EngineNote::Version, "1.23.2"}}},
      {"npu",
       {{EngineNote::Version, "0.3-rc2"},
        {EngineNote::Argument, "npu=python3 npu_worker.py"},
        {EngineNote::Memory, "a worker's memory grew by 12 KiB a case, from beginning to end"},
        {EngineNote::LeftBehind, "processes that outlived what started them, and were killed: npud (pid 4711)"}}},
      {"onnxruntime-1.20.1", {{EngineNote::Absent, "libonnxruntime.so.1.20.1 is not installed"}}}};
  data.findings = findings_of_sample_engines();
  add_sample_causes(data);
  data.coverage = {sample_coverage("onnxruntime", Operator::LSTM, 5), sample_coverage("onnxruntime", Operator::GRU, 0),
                   sample_coverage("npu", Operator::LSTM, 16)};
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
      made_up::add_series(f.judgement, 500, 100, 2000, *f.judgement.first->direction);
    }
    data.findings.push_back(std::move(f));
  }
  return data;
}

}  // namespace cellproof::reports
