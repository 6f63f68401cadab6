#include "engines/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "engines/engine_argument.hpp"
#include "engines/fresh_memory.hpp"
#include "engines/installed_engines.hpp"
#include "engines/paths.hpp"
#include "spec/suggestion.hpp"

namespace cellproof::engines {
namespace {

namespace fs = std::filesystem;

/// "" or why a file that an engine needs is not there.
std::string missing(const fs::path& file, std::string_view what) {
  std::error_code unknown;
  if (fs::exists(file, unknown)) return "";
  return fmt::format("{} is missing: {} (`./cellproof doctor` says what to do)", what, file.string());
}

std::string first_of(std::initializer_list<std::string> reasons) {
  for (const auto& reason : reasons)
    if (!reason.empty()) return reason;
  return "";
}

KnownEngine reference() {
  const auto worker = worker_directory() / "cellproof-engine-reference";
  return {.name = "reference",
          .what = "Cellproof's own reference, each output rounded once to its type",
          .command = {worker.string()},
          .absent = missing(worker, "its worker")};
}

KnownEngine onnxruntime() {
  const auto worker = worker_directory() / "cellproof-engine-onnxruntime";
  const auto library = onnxruntime_library();
  return {.name = "onnxruntime",
          .what = "ONNX Runtime 1.32.0, CPU",
          .command = {worker.string(), library.string()},
          .absent = first_of({missing(worker, "its worker"), missing(library, "ONNX Runtime's library")})};
}

KnownEngine onnx_reference() {
  const auto python = onnx_reference_python();
  const auto adapter = onnx_reference_adapter();
  return {.name = "onnx-reference",
          .what = "ONNX's own reference evaluator 1.23.2, Python",
          .command = {python.string(), adapter.string()},
          .absent = first_of({missing(python, "its Python environment"), missing(adapter, "its adapter")})};
}

/// The project's own implementation; "" is the path that it chooses by itself.
KnownEngine cellproof_cpu(std::string_view path, std::string_view what) {
  const auto worker = worker_directory() / "cellproof-engine-cpu";
  return {.name = path.empty() ? "cellproof-cpu" : fmt::format("cellproof-cpu@{}", path),
          .what = fmt::format("Cellproof's own CPU implementation, {}", what),
          .command = {worker.string(), path.empty() ? "auto" : std::string(path)},
          .absent = missing(worker, "its worker"),
          .by_default = false,
          .needs_processor = !path.empty()};
}

/// The project's own kernels on a CUDA device.
KnownEngine cellproof_cuda() {
  const auto worker = worker_directory() / "cellproof-engine-cuda";
  return {.name = "cellproof-cuda",
          .what = "Cellproof's own CUDA implementation, on a GPU",
          .command = {worker.string(), "device"},
          .absent = missing(worker, "its worker"),
          .by_default = false,
          .needs_device = true};
}

/// cuDNN on an NVIDIA GPU, in one of its kinds of arithmetic; "" is the default.
KnownEngine cellproof_cudnn(std::string_view math, std::string_view what) {
  const auto worker = worker_directory() / "cellproof-engine-cudnn";
  return {.name = math.empty() ? "cellproof-cudnn" : fmt::format("cellproof-cudnn@{}", math),
          .what = fmt::format("cuDNN 9 on an NVIDIA GPU, {}", what),
          .command = {worker.string(), math.empty() ? "fma" : std::string(math)},
          .absent = missing(worker, "its worker"),
          .by_default = false,
          .needs_device = true};
}

/// The same plan, index arithmetic and cell arithmetic as loops.
KnownEngine cellproof_cuda_host() {
  const auto worker = worker_directory() / "cellproof-engine-cuda";
  return {.name = "cellproof-cuda@host",
          .what = "Cellproof's own CUDA implementation, its kernels' bodies as loops on the CPU",
          .command = {worker.string(), "host"},
          .absent = missing(worker, "its worker"),
          .by_default = false};
}

}  // namespace

std::vector<KnownEngine> known_engines() {
  std::vector<KnownEngine> engines{reference(),
                                   onnxruntime(),
                                   onnx_reference(),
                                   cellproof_cpu("", "on the best path of this processor"),
                                   cellproof_cpu("scalar", "in portable C++"),
                                   cellproof_cpu("avx2", "with AVX2"),
                                   cellproof_cpu("avx-vnni", "with AVX2 and AVX-VNNI"),
                                   cellproof_cpu("avx512", "with AVX-512"),
                                   cellproof_cpu("avx512-bf16", "with AVX-512 and AVX512-BF16"),
                                   cellproof_cpu("amx", "with AVX-512 and AMX"),
                                   cellproof_cpu("openblas", "its products by OpenBLAS"),
                                   cellproof_cuda(),
                                   cellproof_cuda_host(),
                                   cellproof_cudnn("", "no type narrower than its own"),
                                   cellproof_cudnn("tf32", "float with factors rounded to TF32"),
                                   cellproof_cudnn("tensor-op", "float16 and bfloat16 on tensor cores")};
  std::ranges::move(installable_engines(), std::back_inserter(engines));
  return engines;
}

std::string absence_of(const KnownEngine& engine) {
  if (!engine.absent.empty() || !(engine.needs_device || engine.needs_processor)) return engine.absent;
  return WorkerEngine(engine.name, engine.command).absence();
}

std::unique_ptr<WorkerEngine> make_engine(std::string_view argument, WorkerOptions options) {
  if (!options.environment.fill) options.environment.fill = first_fill;
  if (DescribedEngine described = described_engine(argument); !described.command.empty())
    return std::make_unique<WorkerEngine>(std::move(described.name), std::move(described.command), options);
  std::vector<std::string> names;
  for (auto& known : known_engines()) {
    if (known.name == argument) {
      options.absence = std::move(known.absent);
      return std::make_unique<WorkerEngine>(known.name, std::move(known.command), options);
    }
    names.push_back(known.name);
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  throw std::invalid_argument(
      fmt::format("--engine: there is no engine '{}': {}, NAME=COMMAND, onnxruntime=LIBRARY, onnxruntime:PROVIDER or "
                  "backend:PACKAGE.MODULE",
                  argument, expected_one_of(argument, candidates)));
}

}  // namespace cellproof::engines
