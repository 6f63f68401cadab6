#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::lab::bench {

/// One thing to measure.
struct Row {
  std::string name;   ///< "lstm-T100-N1-I256-H256"
  std::string group;  ///< "float", "quantised", ..., as docs/performance.md lists them; "judge"
  Case c;
};

/// Problems that engines are measured on: float rows from a step of one sequence to a batch of 64, quantised ones, and
/// what tends to fall off a fast path (odd sizes, one step, a thousand steps, ragged lengths with half of all steps
/// padding, weights that come with the run).
const std::vector<Row>& engine_rows();

/// Problems that the judge is measured on: one row per operator, T=32 N=4 I=H=32.
const std::vector<Row>& judge_rows();

/// Rows by name or by group, in the order of the list; all of them where nothing is named. Throws std::invalid_argument
/// (one clear line) for a name that is neither.
std::vector<Row> rows_named(const std::vector<Row>& rows, const std::vector<std::string>& names);

}  // namespace cellproof::lab::bench
