#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/suite.hpp"

namespace cellproof::fuzz {

/// The suites that are at rest (corpus/suite.hpp), then those that are made anew each time: pairs, violations, triples,
/// laws.
std::span<const corpus::SuiteInfo> suites();

/// Is the suite of this name made to cover tuples of axis values?
bool is_made_to_cover(std::string_view name);

/// Any of them. Throws std::invalid_argument for an unknown name; CorpusError where files are missing that set-up
/// should have brought.
corpus::Suite load_suite(std::string_view name);

struct TierInfo {
  std::string_view name;
  std::vector<std::string_view> suites;
};
/// quick = onnx-backend, smoke, invalid; ci = quick and readings, limits, regressions, pairs, violations, laws; nightly
/// = ci, deployed and triples.
std::span<const TierInfo> tiers();

/// Suite names for what `--suite` takes: a suite or a tier. Throws std::invalid_argument that lists what there is.
std::vector<std::string> expand_suite_argument(std::string_view name);

}  // namespace cellproof::fuzz
