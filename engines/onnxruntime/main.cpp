// cellproof-engine-onnxruntime [LIBRARY [PROVIDER [KEY=VALUE]...]]: a worker around ONNX Runtime's shared library, by
// default the pinned one and its CPU code. The key `library` is the provider's plug-in library, others are its options.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <utility>

#include "engines/onnxruntime/model_runner.hpp"
#include "engines/paths.hpp"
#include "engines/serve_in_forks.hpp"

int main(int argc, char** argv) {
  using namespace cellproof::engines;
  // The Linux builds report usage to their makers and keep a database of their own; a harness must do neither.
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
  std::optional<ort::OnnxRuntimeRunner> runner;
  try {
    std::optional<ort::Provider> provider;
    if (argc > 2) provider = ort::provider_of({argv + 2, argv + argc});
    runner.emplace(argc > 1 ? std::filesystem::path(argv[1]) : onnxruntime_library(), std::move(provider));
  } catch (const ort::LibraryError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return absent_exit_code;
  }
  // Opening the library takes 30 ms, and some cases abort it. A provider that has started threads is served as it is.
  return serve_in_forks(*runner);
}
