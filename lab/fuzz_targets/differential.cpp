// Bytes to a case, to one of our engines, to the judge. The naive reference looks at one case in 64 and at every
// failure, so that a find is the engine's or the judge's and not known whose only until it has been read.

#include <cstdint>
#include <span>

#include "engines/cpu/cpu_engine.hpp"
#include "engines/cuda/cuda_engine.hpp"
#include "lab/fuzz_targets/case_bytes.hpp"
#include "lab/fuzz_targets/differential_check.hpp"
#include "lab/fuzz_targets/target.hpp"

using namespace cellproof;

namespace {

constexpr std::uint64_t crosschecked_one_in = 64;

/// Is this input one of those that the naive reference sees as well? The bytes alone say so (FNV-1a), so that what it
/// finds is found again by the file that libFuzzer leaves, and no input is credited with another's coverage.
bool is_crosschecked(std::span<const std::uint8_t> data) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : data) hash = (hash ^ byte) * 0x100000001b3;
  return (hash >> 32) % crosschecked_one_in == 0;
}

engines::Engine& engine_of(std::uint8_t choice) {
  static engines::CudaEngine cuda(CELLPROOF_CUDA_HOST, "cellproof-cuda@host");
  if (choice % 4 == 1) return cuda;
  static engines::CpuEngine automatic(CELLPROOF_CPU_PATH_AUTO, "cellproof-cpu");
  static engines::CpuEngine scalar(CELLPROOF_CPU_PATH_SCALAR, "cellproof-cpu@scalar");
  return choice % 4 == 0 ? scalar : automatic;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  engines::Engine& engine = engine_of(size == 0 ? 0 : data[size - 1]);
  const auto complaint =
      fuzz::complaint_about(engine, fuzz::case_of_bytes({data, size}), is_crosschecked({data, size}));
  if (complaint) fuzz::found(*complaint);
  return 0;
}
