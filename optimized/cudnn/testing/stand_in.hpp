#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "optimized/cudnn/context.hpp"

namespace cellproof::cudnn::testing {

/// A test double of cuDNN and the CUDA runtime, on host memory: what this library calls of them, written from cuDNN's
/// documented semantics and the checks that the real one was seen to make. It computes in double with plain loops and
/// is as unkind as can be: new memory is full of NaN, outputs that cuDNN leaves open are NaN, pointers outside what was
/// reserved are errors, work on a stream is done only when somebody waits for it, and what the real one might take but
/// nobody has seen it take is refused. It is no engine, and no result of it is cuDNN's: it judges our own packing,
/// flips, permutations, masks and lengths.
struct StandIn {
  std::size_t version = 91900;
  int forward_status = 0;     ///< what cudnnRNNForward answers, where it is not success
  int handle_status = 0;      ///< the same of cudnnCreate
  int descriptor_status = 0;  ///< the same of all that create a descriptor, after so many that succeed:
  int good_descriptors = 0;
  std::size_t memory_limit = 1ull << 30;  ///< bytes of all reserved memory together
  std::int64_t weights_shift = 0;         ///< elements by which the weights lie elsewhere than the packed formula says
  bool weights_are_transposed = false;    ///< matrices are said to be [columns][rows]
  bool stores_products = false;           ///< W x waits in the layer's own type, as 16 bits presumably do
  std::size_t lost_after = SIZE_MAX;      ///< forward calls: every later call to the device fails with a sticky error
  int device = 0;                         ///< that is current
  // Observations.
  std::size_t forwards = 0;
  std::size_t live_memory = 0, live_descriptors = 0, live_handles = 0;
  std::vector<std::function<void()>> waiting;     ///< work that was issued on a stream
  std::string complaint;                          ///< the last condition that failed
  int algorithm = -1, math = -1, precision = -1;  ///< of the last descriptor
  bool padded_io = false;                         ///< the same
  int device_of_forward = -1;                     ///< that was current at the last forward call
};

inline constexpr int sticky_error = 700;  ///< cudaErrorIllegalAddress

/// The one stand-in of this process.
StandIn& stand_in();
/// As it is at first; to be called between tests.
void reset_stand_in();

const CudnnApi& stand_in_cudnn();
const DeviceApi& stand_in_device();

/// A context over the stand-in. Throws Failure.
std::unique_ptr<cellproof_cudnn_context> stand_in_context(const cellproof_cudnn_options& options = {});

}  // namespace cellproof::cudnn::testing
