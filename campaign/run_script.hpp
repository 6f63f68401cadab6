#pragma once

#include <string>

#include "spec/finding.hpp"
#include "spec/problem.hpp"

namespace cellproof::campaign {

/// A way for somebody without Cellproof to see a reduced finding: one Python file with the model and its inputs inside.
struct RunScript {
  std::string how;       ///< Markdown: "`pip install onnxruntime==1.32.0 && python3 run.py`"
  std::string text;      ///< of run.py: prints the outputs, and the first wrong element beside what it must be
  bool decides = false;  ///< it exits with 1 while the defect is there, and else with 0
};

/// For ONNX Runtime and for ONNX's reference evaluator with nothing but their own Python packages; for any other engine
/// through the ONNX backend of a module that is named on the command line. It decides where a value is wrong, an
/// invalid model is run, or the process dies or hangs. `problem`: the reduced case.
RunScript run_script(const Problem& problem, const Finding& finding);

}  // namespace cellproof::campaign
