#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "corpus/project_root.hpp"
#include "spec/testing/shell_run.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {

/// For tests: asks the checker of the pinned onnx package about many models at once, since starting Python costs more
/// than checking one.
class OnnxChecker {
 public:
  /// `name` must be one that no model before had.
  void add(std::string_view name, std::string_view model) {
    std::ofstream(folder_ / (std::string(name) + ".onnx"), std::ios::binary) << model;
    ++models_;
  }

  int models() const { return models_; }

  /// Returns a line for each model that the checker refuses; what went wrong where it could not be asked.
  std::string complaints() const {
    const std::filesystem::path python = project_root() / ".deps/onnx-reference-1.23.2/bin/python";
    const std::filesystem::path script = std::filesystem::path(CELLPROOF_SOURCE_DIR) / "corpus/testing/check_models.py";
    const ShellRun run =
        run_in_shell("'" + python.string() + "' '" + script.string() + "' '" + folder_.path().string() + "'");
    return run.exit_code == 0 ? run.output : "the checker did not run: " + run.output;
  }

 private:
  TemporaryFolder folder_;
  int models_ = 0;
};

}  // namespace cellproof::corpus
