// cellproof-engine-cudnn-stand-in [fma|tf32|tensor-op [STATUS]]: the worker around cuDNN over a test double of it, so
// that the harness judges our layer where there is no GPU. STATUS: what its cudnnRNNForward answers. For tests only; no
// result of it is cuDNN's.
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "engines/cudnn/cudnn_engine.hpp"
#include "engines/serve.hpp"
#include "optimized/cudnn/testing/stand_in.hpp"

int main(int count, char** arguments) {
  using namespace cellproof::engines;
  const std::string_view asked = count > 1 ? arguments[1] : "fma";
  if (count > 2)
    cellproof::cudnn::testing::stand_in().forward_status = static_cast<int>(std::strtol(arguments[2], nullptr, 10));
  for (const CudnnVariant& variant : cudnn_variants()) {
    if (variant.argument != asked) continue;
    auto context = cellproof::cudnn::testing::stand_in_context({variant.math, CELLPROOF_CUDNN_MEMORY_HOST});
    CudnnEngine engine(CudnnContext(context.release()), fmt::format("stand-in of {}", variant.engine),
                       variant.contract);
    return serve(engine);
  }
  fmt::print(stderr, "cellproof-engine-cudnn-stand-in: expected fma, tf32 or tensor-op, got '{}'\n", asked);
  return 2;
}
