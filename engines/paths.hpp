#pragma once

#include <filesystem>
#include <string>

namespace cellproof::engines {

/// The project's folder, where .deps lies: environment variable CELLPROOF_ROOT, else where it was built from.
std::filesystem::path project_root();

/// Folder of the worker programs: environment variable CELLPROOF_WORKERS, else the folder of the running program, else
/// (for a test program) bin/ of the build that it belongs to.
std::filesystem::path worker_directory();

/// The program that stands between the harness and each worker: in CELLPROOF_WORKERS if it is there, else where the
/// project's own programs lie.
std::filesystem::path keeper_program();

/// The library of ONNX Runtime (environment variable CELLPROOF_ONNXRUNTIME_LIBRARY, else of the pinned wheel), the
/// interpreter that has the pinned onnx package, and the adapter that it runs; whether they are there is another
/// question.
std::filesystem::path onnxruntime_library();
std::filesystem::path onnx_reference_python();
std::filesystem::path onnx_reference_adapter();

/// The interpreter that runs other Python engines: environment variable CELLPROOF_ENGINE_PYTHON, else python3 of PATH.
std::string engine_python();
/// The Python package: CELLPROOF_PYTHON_PACKAGE, else the project's. In it: the worker for runtimes with ONNX's Backend
/// interface, and the list of the engines that can be installed (CELLPROOF_ENGINE_PINS, if set).
std::filesystem::path python_package();
std::filesystem::path backend_adapter();
std::filesystem::path engine_pins();

/// The folder of the user's that engines are installed into: cellproof/engines in XDG_DATA_HOME or ~/.local/share.
std::filesystem::path installed_engines_folder();

}  // namespace cellproof::engines
