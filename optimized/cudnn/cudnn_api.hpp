#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cellproof::cudnn {

/// cuDNN 9's C interface as far as it is used here. Its headers are not needed: the interface is stable within a major
/// version, and cudnn_header_test.cpp compares every number and signature with the header where there is one.

using Status = int;
using Handle = void*;
using RnnDescriptor = void*;
using RnnDataDescriptor = void*;
using TensorDescriptor = void*;

inline constexpr int major_version = 9;
inline constexpr std::size_t first_with_bfloat16 = 91300;

/// Thousands of a status say what kind it is.
namespace status {
inline constexpr Status success = 0, not_initialized = 1001, sublibrary_version_mismatch = 1002,
                        sublibrary_loading_failed = 1008, bad_param = 2000;
inline constexpr Status not_supported = 3000, not_supported_layout = 3004, incompatible_driver = 3005,
                        incompatible_cudart = 3006, arch_mismatch = 3007, prerequisite_missing = 3008,
                        sublibrary_unavailable = 3009, shared_memory_insufficient = 3010,
                        not_supported_launch_param = 3012, not_supported_graph_native_api = 3013,
                        not_supported_dynamic_shape = 3014;
inline constexpr Status internal_error = 4000, device_allocation_failed = 4004, host_allocation_failed = 4003;
inline constexpr Status execution_failed = 5000;
inline constexpr Status category(Status s) {
  return s / 1000 * 1000;
}
/// Tells a refusal of the layer, its sizes or its types from a fault of the machine, which shares its category.
inline constexpr bool is_of_node(Status s) {
  return (s >= not_supported && s <= not_supported_layout) ||
         (s >= shared_memory_insufficient && s <= not_supported_launch_param) || s == not_supported_dynamic_shape;
}
/// A fault of what is installed: libraries of different versions, a part that is missing, a device or driver that this
/// cuDNN does not know.
inline constexpr bool is_of_installation(Status s) {
  return s == sublibrary_version_mismatch || s == sublibrary_loading_failed ||
         (s >= incompatible_driver && s <= sublibrary_unavailable);
}
}  // namespace status
namespace algorithm {
inline constexpr int standard = 0, persist_static = 1, persist_dynamic = 2, persist_static_small_h = 3;
}
namespace cell {
inline constexpr int relu = 0, tanh = 1, lstm = 2, gru = 3;
}
namespace bias {
inline constexpr int none = 0, both = 2;
}
namespace direction {
inline constexpr int one = 0, two = 1;
}
namespace data {
inline constexpr int float32 = 0, float64 = 1, float16 = 2, bfloat16 = 9;
}
namespace math {
inline constexpr int standard = 0, tensor_op = 1, fma = 3;
}
namespace layout {
inline constexpr int time_first = 0, packed = 1, batch_first = 2;  // the first and the last are the unpacked ones
}
namespace clip_mode {
inline constexpr int none = 0, between = 1;
}
inline constexpr int linear_input = 0, inference = 0;
inline constexpr std::uint32_t padded_io = 1;
inline constexpr std::int64_t most_steps = 65535;

// F(name, result, parameters)
#define CELLPROOF_CUDNN_FUNCTIONS(F)                                                                                \
  F(cudnnGetVersion, std::size_t, ())                                                                               \
  F(cudnnGetCudartVersion, std::size_t, ())                                                                         \
  F(cudnnAdvVersionCheck, Status, ())                                                                               \
  F(cudnnGetErrorString, const char*, (Status))                                                                     \
  F(cudnnGetLastErrorString, void, (char*, std::size_t))                                                            \
  F(cudnnCreate, Status, (Handle*))                                                                                 \
  F(cudnnDestroy, Status, (Handle))                                                                                 \
  F(cudnnSetStream, Status, (Handle, void*))                                                                        \
  F(cudnnCreateRNNDescriptor, Status, (RnnDescriptor*))                                                             \
  F(cudnnDestroyRNNDescriptor, Status, (RnnDescriptor))                                                             \
  F(cudnnSetRNNDescriptor_v8, Status,                                                                               \
    (RnnDescriptor, int, int, int, int, int, int, int, int, std::int32_t, std::int32_t, std::int32_t, std::int32_t, \
     void*, std::uint32_t))                                                                                         \
  F(cudnnRNNSetClip_v9, Status, (RnnDescriptor, int, double, double))                                               \
  F(cudnnBuildRNNDynamic, Status, (Handle, RnnDescriptor, int))                                                     \
  F(cudnnCreateRNNDataDescriptor, Status, (RnnDataDescriptor*))                                                     \
  F(cudnnDestroyRNNDataDescriptor, Status, (RnnDataDescriptor))                                                     \
  F(cudnnSetRNNDataDescriptor, Status, (RnnDataDescriptor, int, int, int, int, int, const int*, void*))             \
  F(cudnnCreateTensorDescriptor, Status, (TensorDescriptor*))                                                       \
  F(cudnnDestroyTensorDescriptor, Status, (TensorDescriptor))                                                       \
  F(cudnnSetTensorNdDescriptor, Status, (TensorDescriptor, int, int, const int*, const int*))                       \
  F(cudnnGetTensorNdDescriptor, Status, (TensorDescriptor, int, int*, int*, int*, int*))                            \
  F(cudnnGetRNNWeightSpaceSize, Status, (Handle, RnnDescriptor, std::size_t*))                                      \
  F(cudnnGetRNNWeightParams, Status,                                                                                \
    (Handle, RnnDescriptor, std::int32_t, std::size_t, const void*, std::int32_t, TensorDescriptor, void**,         \
     TensorDescriptor, void**))                                                                                     \
  F(cudnnGetRNNTempSpaceSizes, Status, (Handle, RnnDescriptor, int, RnnDataDescriptor, std::size_t*, std::size_t*)) \
  F(cudnnRNNForward, Status,                                                                                        \
    (Handle, RnnDescriptor, int, const std::int32_t*, RnnDataDescriptor, const void*, RnnDataDescriptor, void*,     \
     TensorDescriptor, const void*, void*, TensorDescriptor, const void*, void*, std::size_t, const void*,          \
     std::size_t, void*, std::size_t, void*))

/// The functions by name; all set, or none.
struct CudnnApi {
// NOLINTNEXTLINE(bugprone-macro-parentheses): types and names take none
#define CELLPROOF_CUDNN_MEMBER(name, result, parameters) result(*name) parameters = nullptr;
  CELLPROOF_CUDNN_FUNCTIONS(CELLPROOF_CUDNN_MEMBER)
#undef CELLPROOF_CUDNN_MEMBER
};

/// cuDNN as found on this machine.
struct OpenedCudnn {
  CudnnApi api;
  std::string file;    ///< that was loaded, its real path
  std::string absent;  ///< why there is none, in one line; empty: it is open
};

/// Opens cuDNN 9: $CELLPROOF_CUDNN_LIBRARY (then nothing else), the folders of $CELLPROOF_CUDNN_DIRS as they are and as
/// Python's wheels lay them out (nvidia/cudnn/lib; where one has it, then nothing else), its soname, the toolkit's
/// folders. The parts that it needs are
/// opened from its own folder, so that none of another version is taken. Needs neither driver nor device. What is open
/// stays open.
OpenedCudnn open_cudnn();

/// "9.19.0" of cudnnGetVersion()'s 91900.
std::string version_text(std::size_t version);

}  // namespace cellproof::cudnn
