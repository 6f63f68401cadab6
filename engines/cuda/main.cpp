#include <fmt/format.h>

#include <array>
#include <string_view>

#include "engines/cuda/cuda_engine.hpp"
#include "engines/serve.hpp"

namespace {

constexpr int failed = 1, usage = 2, absent = 77;

}  // namespace

/// The worker: its argument is the machine, device or host.
int main(int count, char** arguments) {
  const std::string_view asked = count > 1 ? arguments[1] : "device";
  if (asked != "device" && asked != "host") {
    fmt::print(stderr, "cellproof-engine-cuda: there is no machine '{}': expected device or host\n", asked);
    return usage;
  }
  const cellproof_cuda_machine machine = asked == "host" ? CELLPROOF_CUDA_HOST : CELLPROOF_CUDA_DEVICE;
  std::array<char, 512> message{};
  const cellproof_status status = cellproof_cuda_probe(machine, message.data(), message.size());
  if (status != CELLPROOF_OK) {
    fmt::print(stderr, "{}\n", message.data());
    return status == CELLPROOF_UNAVAILABLE ? absent : failed;
  }
  cellproof::engines::CudaEngine engine(machine, asked == "host" ? "cellproof-cuda@host" : "cellproof-cuda");
  return cellproof::engines::serve(engine);
}
