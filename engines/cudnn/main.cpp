// cellproof-engine-cudnn [fma|tf32|tensor-op]: a worker around cuDNN, in one kind of arithmetic.
#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "engines/cudnn/cudnn_engine.hpp"
#include "engines/protocol.hpp"
#include "engines/serve.hpp"

int main(int count, char** arguments) {
  using namespace cellproof::engines;
  constexpr int usage = 2, failure = 1;
  const std::string_view asked = count > 1 ? arguments[1] : "fma";
  for (const CudnnVariant& variant : cudnn_variants()) {
    if (variant.argument != asked) continue;
    std::string absent;
    CudnnContext context;
    try {
      context = open_cudnn(variant, absent);
    } catch (const std::runtime_error& error) {
      // Anything that is there and does not work is a failure, not an absence.
      fmt::print(stderr, "{}\n", error.what());
      return failure;
    }
    if (!context) {
      fmt::print(stderr, "{}\n", absent);
      return absent_exit_code;
    }
    CudnnEngine engine(std::move(context), variant.engine, variant.contract);
    return serve(engine);
  }
  fmt::print(stderr, "cellproof-engine-cudnn: there is no arithmetic '{}': expected fma, tf32 or tensor-op\n", asked);
  return usage;
}
