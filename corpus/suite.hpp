#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/case.hpp"
#include "spec/readings.hpp"

namespace cellproof::corpus {

/// One case of a suite. Foreign cases (the official node tests) are cases with literal tensors.
struct SuiteCase {
  std::string name;  ///< "test_lstm_reverse", "LSTM-14/direction=reverse,layout=1"; unique in its suite
  Case c;
  std::string law = "";  ///< the law that is tried on it (fuzz/law.hpp); "": the oracle judges it
};

/// A named, ordered, deterministic list of cases.
struct Suite {
  std::string name;
  std::string what;
  std::vector<SuiteCase> cases;
};

struct SuiteInfo {
  std::string_view name;
  std::string_view what;
};
/// The suites that are at rest: onnx-backend, smoke, invalid, readings, regressions. Those that are made by a search
/// are in fuzz/suites.hpp, tiers, too.
std::span<const SuiteInfo> suites();
/// Throws std::invalid_argument for an unknown name; CorpusError where files are missing that set-up should have
/// brought.
Suite load_suite(std::string_view name);

/// The clause that a case of suite readings is there to decide, which stands in its name after the operator version;
/// nullopt for cases of other suites.
std::optional<Clause> clause_decided_by(std::string_view suite, std::string_view case_name);

}  // namespace cellproof::corpus
