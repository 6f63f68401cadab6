#include "engines/paths.hpp"

#include <cstdlib>
#include <system_error>

namespace cellproof::engines {
namespace {

namespace fs = std::filesystem;

constexpr const char* any_worker = "cellproof-engine-reference";
constexpr const char* workers_variable = "CELLPROOF_WORKERS";
constexpr const char* keeper = "cellproof-keeper";

fs::path from_environment(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

/// The folder of the running program. Tests lie in their folder of the build, programs in its bin/.
fs::path folder_with(const char* program) {
  std::error_code unknown;
  fs::path here = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const fs::path& folder : {here, here.parent_path() / "bin", here.parent_path().parent_path() / "bin"})
    if (fs::exists(folder / program, unknown)) return folder;
  return here;
}

}  // namespace

fs::path project_root() {
  const auto given = from_environment("CELLPROOF_ROOT");
  return given.empty() ? fs::path(CELLPROOF_ROOT_DIRECTORY) : given;
}

fs::path worker_directory() {
  const auto given = from_environment(workers_variable);
  return given.empty() ? folder_with(any_worker) : given;
}

fs::path keeper_program() {
  const auto given = from_environment(workers_variable);
  std::error_code unknown;
  if (!given.empty() && fs::exists(given / keeper, unknown)) return given / keeper;
  return folder_with(keeper) / keeper;
}

fs::path onnxruntime_library() {
  const fs::path given = from_environment("CELLPROOF_ONNXRUNTIME_LIBRARY");
  return given.empty() ? project_root() / ".deps/onnxruntime-1.32.0/libonnxruntime.so.1.32.0" : given;
}

fs::path onnx_reference_python() {
  return project_root() / ".deps/onnx-reference-1.23.2/bin/python";
}

fs::path onnx_reference_adapter() {
  return project_root() / "engines/onnx_reference/worker.py";
}

std::string engine_python() {
  const fs::path given = from_environment("CELLPROOF_ENGINE_PYTHON");
  return given.empty() ? "python3" : given.string();
}

fs::path python_package() {
  const fs::path given = from_environment("CELLPROOF_PYTHON_PACKAGE");
  return given.empty() ? project_root() / "python/cellproof" : given;
}

fs::path backend_adapter() {
  return python_package() / "_backend.py";
}

fs::path engine_pins() {
  const fs::path given = from_environment("CELLPROOF_ENGINE_PINS");
  return given.empty() ? python_package() / "engines.json" : given;
}

fs::path installed_engines_folder() {
  fs::path data = from_environment("XDG_DATA_HOME");
  if (!data.is_absolute()) data = from_environment("HOME") / ".local/share";  // as the specification of XDG asks
  return data / "cellproof/engines";
}

}  // namespace cellproof::engines
