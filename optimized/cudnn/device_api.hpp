#pragma once

#include <cstddef>
#include <cstdint>

namespace cellproof::cudnn {

/// Row `to` of the target becomes row `from` of the source, or zero where `from` is negative.
struct RowMove {
  std::int64_t to;
  std::int64_t from;
};

enum class Copy { ToDevice, FromDevice, OnDevice };

/// Calls to a device: the CUDA runtime, or a stand-in for it in tests. Plain C++17, as device code includes it.
/// Functions that return an int return 0 or the runtime's error code. All but allocate, release and the streams'
/// functions are issued on the stream.
struct DeviceApi {
  const char* (*absence)() = nullptr;                       ///< "" or why there is no device, in one line
  int (*describe)(char* text, std::size_t size) = nullptr;  ///< "NVIDIA H100, sm_90"
  int (*current)(int* device) = nullptr;                    ///< of the calling thread
  int (*use)(int device) = nullptr;                         ///< makes it current
  int (*create_stream)(void** stream) = nullptr;
  int (*destroy_stream)(void* stream) = nullptr;
  int (*allocate)(void** memory, std::size_t bytes) = nullptr;
  int (*release)(void* memory) = nullptr;
  int (*copy)(void* to, const void* from, std::size_t bytes, Copy kind, void* stream) = nullptr;
  int (*zero)(void* memory, std::size_t bytes, void* stream) = nullptr;
  /// Moves rows of row_bytes; `moves` lies on the device, and no two have the same target.
  int (*move_rows)(void* to, const void* from, std::size_t row_bytes, const RowMove* moves, std::size_t count,
                   void* stream) = nullptr;
  int (*synchronize)(void* stream) = nullptr;
  /// Records what `work` issues on the stream in a graph and launches that; with `between`, which comes after the first
  /// launch, once more. Both return 0, or what made them fail, which is passed on then.
  int (*record_and_launch)(int (*work)(void* argument), int (*between)(void* argument), void* argument,
                           void* stream) = nullptr;
  const char* (*error_text)(int error) = nullptr;
};

inline constexpr int device_out_of_memory = 2;  ///< cudaErrorMemoryAllocation

/// The machine's CUDA device, or one that is always absent where this was built without CUDA.
const DeviceApi& real_device();

}  // namespace cellproof::cudnn
