#include <fmt/format.h>

#include <limits>

#include "reports/testing/made_up_finding.hpp"
#include "reports/testing/sample_findings.hpp"

namespace cellproof::reports {

ReportData hostile_report() {
  const std::string nasty =  // what is misleading in it is meant to be: NOLINTNEXTLINE(misc-misleading-bidirectional)
      "\"><script>alert('x')</script><!-- ]]> & %s {} \x1b[31m \x01 \xff\xfe \xc3( \xe2\x80\xae' </style></title>";
  ReportData data;
  data.title = nasty;
  data.runs = {{nasty, run_metadata_of({{"command", nasty}})}};
  data.engines = {{nasty, {{EngineNote::Version, nasty}, {EngineNote::Memory, nasty}}},
                  {"gone" + nasty, {{EngineNote::Absent, nasty}}}};
  data.coverage = {{nasty, Operator::LSTM, {nasty, nasty}, {}, {}, {{.possible = 2, .failing = 1}}}};
  for (const OutcomeKind outcome :
       {OutcomeKind::Ran, OutcomeKind::Rejected, OutcomeKind::Crashed, OutcomeKind::HarnessError}) {
    Finding f = made_up::plain({Operator::LSTM, 14}, ElementType::Float, {{nasty, nasty}},
                               static_cast<std::int64_t>(data.findings.size()));
    f.engine = f.engine_version = f.suite = f.case_name = f.case_line = f.case_hash = nasty;
    made_up::diverge(f, ViolationKind::Value, std::numeric_limits<double>::quiet_NaN(), nasty,
                     fmt::format("{0}{1}{0}", nasty, std::string(100'000, 'm')));
    f.judgement.first = FirstViolation{output::Y,
                                       {-1},
                                       -7,
                                       Direction::Reverse,
                                       ElementType::Float,
                                       {},
                                       {},
                                       nasty,
                                       1.0,
                                       0.0,
                                       {{nasty, -1, std::numeric_limits<double>::infinity()}}};
    f.judgement.series = {{std::numeric_limits<std::int64_t>::max(), Direction::Forward, 1e300, 0,
                           std::numeric_limits<double>::infinity()},
                          {std::numeric_limits<std::int64_t>::min(), Direction::Reverse, -1, -1, -1},
                          {0, Direction::Reverse, std::numeric_limits<double>::quiet_NaN(), 5e-324,
                           std::numeric_limits<double>::quiet_NaN()}};
    f.judgement.faults = {nasty};
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

}  // namespace cellproof::reports
