// cellproof-gpu-bench of a build without device code.
#include <fmt/format.h>

int main() {
  constexpr int absent = 77;
  fmt::print(stderr, "built without nvcc: {}\n", CELLPROOF_CUDA_WHY_NOT);
  return absent;
}
