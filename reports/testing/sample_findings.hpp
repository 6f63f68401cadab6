#pragma once

#include <cstddef>

#include "reports/render.hpp"

namespace cellproof::reports {

/// Test support: a small campaign with every verdict and outcome. "reference" is right everywhere; "onnxruntime" has
/// two faults, gaps and readings; "onnx-reference" ignores attributes; "npu" crashes, hangs, cheats and answers by
/// chance; "onnxruntime-1.20.1" is absent. The same records at every call.
ReportData sample_report();

/// Text that wants to be markup, to break out of attributes, or to be no text at all, in every field that holds text.
ReportData hostile_report();

/// The sample's cases over and over, about `findings` records, with the series of long sequences.
ReportData large_report(std::size_t findings);

}  // namespace cellproof::reports
