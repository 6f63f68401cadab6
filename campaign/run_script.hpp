#pragma once

#include <string>

#include "spec/finding.hpp"
#include "spec/problem.hpp"

namespace cellproof::campaign {

/// Ways for somebody without Cellproof to run a backend-test directory on the engine of a finding.
struct RunScript {
  std::string how;   ///< Markdown: "`pip install onnxruntime==1.31.1 && python3 run.py`"
  std::string text;  ///< of run.py: prints the outputs, and the first wrong element beside what it must be
};

/// For ONNX Runtime and for ONNX's reference evaluator with nothing but their own Python packages; for any other engine
/// through the ONNX backend of a module that is named on the command line. `problem`: what the directory holds.
RunScript run_script(const Problem& problem, const Finding& finding);

}  // namespace cellproof::campaign
