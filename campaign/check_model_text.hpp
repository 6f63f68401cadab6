#pragma once

#include <string>

#include "campaign/check_model.hpp"

namespace cellproof::campaign {

/// The recurrent nodes of a model with attributes, sizes, sources of weights and what is unusual, and its recurrences
/// without a recurrent operator.
std::string listing_of(const corpus::WholeModel& model);
/// The same as JSON lines, one a node.
std::string json_listing_of(const corpus::WholeModel& model);

/// "ok    lstm_1  LSTM-14 bidirectional T=40 N=1 I=512 H=512  CONFORMS"
std::string node_line(const CheckedNode& checked);
/// The object of `check --json` for a directory, with `node`, `engine`, `engine_version`, `sizes`, `calls` and `alone`.
std::string node_json(const corpus::WholeModel& model, const CheckedNode& checked);
/// The object about the engine, `node` null: `outcome`, `message` and `remarks`.
std::string engine_json(const corpus::WholeModel& model, const CheckedModel& checked);

/// The whole of a model on one engine: a line for each node, an explanation of those that do not pass or are open,
/// remarks, counts.
std::string model_text(const CheckedModel& checked);

/// Counts over the nodes of a model on one engine.
struct ModelTally {
  explicit ModelTally(const CheckedModel& checked);
  std::string text() const;  ///< "9 nodes: 7 judged, 0 failing, 0 undecided, 2 not run"
  /// `strict`: undecided nodes fail, too.
  int exit_code(bool strict) const;

  std::size_t nodes = 0, judged = 0, failing = 0, undecided = 0;
  bool engine_failed = false;  ///< it crashed or hung
  bool unsendable = false;     ///< model or inputs are too large for a worker
};

}  // namespace cellproof::campaign
