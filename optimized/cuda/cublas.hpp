#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "optimized/cuda/products.hpp"

namespace cellproof::cuda {

/// cuBLAS on one stream, opened at run time: $CELLPROOF_CUBLAS names its file, or is "none"; else the loader, the
/// folders of $CELLPROOF_CUDNN_DIRS (as they are and as Python's wheels lay them out) and the toolkit's usual one are
/// asked. Pedantic math: float stays float, without TF32 or emulation; float16 and bfloat16 may be multiplied by tensor
/// cores, but are summed in float.
class Cublas {
 public:
  virtual ~Cublas() = default;
  /// Throws DeviceFailure.
  virtual void multiply(const RowsProduct<float>& product) = 0;
  virtual void multiply(const RowsProduct<double>& product) = 0;
  virtual void multiply(const WordsProduct& product) = 0;

  /// nullptr where there is none. `stream`: a cudaStream_t. Throws DeviceFailure where the library is there and does
  /// not work, or the file that was named is not.
  static std::unique_ptr<Cublas> open(void* stream);
};

}  // namespace cellproof::cuda
