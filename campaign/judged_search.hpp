#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "campaign/case_trial.hpp"
#include "engines/probe.hpp"
#include "spec/case.hpp"

namespace cellproof::campaign {

/// Cases of a search judged by the oracle: each failure that is not like one before it is made smaller and reported,
/// all others are counted. One failure is like another if it has the same signature but for the axes, and the axis
/// values that the other needs; or if the same named faults explain it, in whatever output it shows and whatever it
/// needs; or if both are flaky and the same came by chance, whatever their axis values are.
class JudgedSearch {
 public:
  /// Hears of each failure that is not like one before it, with its reduction where there is one, and of its signature.
  using Listener = std::function<void(const Finding& finding, const std::string& signature)>;

  /// `stop`: when reductions are to end.
  JudgedSearch(EngineUnderTest engine, Listener listener, engines::Probe ask, std::function<bool()> stop)
      : engine_(std::move(engine)), listener_(std::move(listener)), ask_(std::move(ask)), stop_(std::move(stop)) {}

  /// What came of a case: the engine's outcome, and at its worst element the ratio of error to running bound (0 where
  /// there is none).
  struct Attempt {
    Outcome outcome;
    double ratio = 0;
  };
  /// Runs the case and judges it.
  Attempt attempt(std::int64_t number, const Case& c);

  /// Runs one case for itself and judges it, makes nothing smaller: what came of it, in one line.
  std::string judge(const Case& c);

  /// Verdicts (FLAKY, or outcomes where the engine did not run a case) and how often they came, by name.
  const std::map<std::string, std::int64_t>& results() const { return results_; }
  bool any_passed() const { return passed_ > 0; }
  bool any_failed() const { return failed_ > 0; }
  bool any_harness_error() const { return harness_errors_ > 0; }

  /// A line for each signature: how often it was met.
  std::string summary() const;

 private:
  struct Known {
    Finding finding;  ///< with its reduction, where there is one
    std::string signature;
    std::int64_t count = 1;
  };

  Finding conclude(const Trial& trial, const Outcome& outcome);
  Known* known_like(const Finding& finding);
  void report(Finding finding, const Case& c);

  EngineUnderTest engine_;
  Listener listener_;
  engines::Probe ask_;
  std::function<bool()> stop_;
  std::vector<Known> known_;
  std::map<std::string, std::int64_t> results_;
  std::int64_t passed_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t harness_errors_ = 0;
};

}  // namespace cellproof::campaign
