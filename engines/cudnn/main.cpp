// cellproof-engine-cudnn [fma|tf32|tensor-op]: a worker around cuDNN, in one kind of arithmetic.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "engines/cudnn/cudnn_engine.hpp"
#include "engines/protocol.hpp"
#include "engines/serve.hpp"

int main(int count, char** arguments) {
  using namespace cellproof::engines;
  constexpr int usage = 2, failure = 1;
  const std::string_view asked = count > 1 ? arguments[1] : "fma";
  for (const CudnnVariant& variant : cudnn_variants()) {
    if (variant.argument != asked) continue;
    // Two sizes of cuBLAS's workspace would let equal runs give other bits; and TF32 is nowhere but where it is asked
    // for.
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
    if (variant.math == CELLPROOF_CUDNN_MATH_TF32)
      unsetenv("NVIDIA_TF32_OVERRIDE");
    else
      setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
    const cellproof_cudnn_options options{variant.math, CELLPROOF_CUDNN_MEMORY_HOST};
    std::array<char, 1024> message{};
    cellproof_cudnn_context* context = nullptr;
    const auto status = cellproof_cudnn_open(&options, &context, message.data(), message.size());
    if (status != CELLPROOF_CUDNN_OK) {
      fmt::print(stderr, "{}\n", message.data());
      // What is there and does not work is a failure, and no absence.
      return status == CELLPROOF_CUDNN_ABSENT ? absent_exit_code : failure;
    }
    CudnnEngine engine(CudnnContext(context), variant.engine, variant.contract);
    return serve(engine);
  }
  fmt::print(stderr, "cellproof-engine-cudnn: there is no arithmetic '{}': expected fma, tf32 or tensor-op\n", asked);
  return usage;
}
