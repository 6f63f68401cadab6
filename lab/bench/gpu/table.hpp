#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cellproof::lab::bench::gpu {

// Figures of a row, as cellproof-gpu-bench prints them and the record of gpu-check keeps them:
//   {"row": name, "device": text, "rates": {"bytes", "operations", "operations_of_16"}, "subjects": {NAME: one}}
//   one: {"version", "seconds": [median of each round], "device_seconds": of one call that was issued before it began,
//   "difference": largest absolute one to the first subject's outputs, or null} or {"missing": why} or {"failed":
//   why}
// Subjects: "cudnn" called directly, "cudnn-again" (the same, as a control), "cudnn-recorded" (the same, replayed
// from a graph), "cudnn-nearest" (of GRU without linear_before_reset: cuDNN's time for the other GRU),
// "cellproof-cudnn", "cellproof-cuda", "cellproof-cuda-steps" (its witness where cuDNN cannot be one), "torch".

/// Median over the rounds; 0 where the subject has no time.
double median_seconds(const nlohmann::json& figures, const std::string& subject);

/// A row with the ratio that a bar is about.
struct RowRatio {
  std::string row;
  double ratio = 0;
};

/// One demand on the figures, over all rows that it is about.
struct Bar {
  std::string what;
  int rows = 0;                       ///< that it is about
  std::vector<RowRatio> missed = {};  ///< of them, in the order of their names
  RowRatio worst = {};                ///< the row that is furthest from the bar, or furthest off
  /// False where there is no row: nothing is known then.
  bool is_met() const { return rows > 0 && missed.empty(); }
};

/// Our layer beside cuDNN (T >= 32), our kernels beside cuDNN (N <= 4, H <= 1024), and beside its nearest case where it
/// cannot compute the row (N >= 64): each row's bar is the roofline's (roofline.hpp). `rows`: {NAME: figures}.
std::vector<Bar> bars_of(const nlohmann::json& rows);

/// Are a row's figures worth keeping? They are where somebody has a time, and nobody failed.
bool is_well(const nlohmann::json& figures);

/// All rows as Markdown, with the floor of each, and the bars. Pure.
std::string render_table(const nlohmann::json& rows);

}  // namespace cellproof::lab::bench::gpu
