// Our declarations of cuDNN against its own header. Compiled where there is one.
#include <cudnn.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "optimized/cudnn/cudnn_api.hpp"

namespace cellproof::cudnn {
namespace {

/// Is a value of one type passed as a value of the other is: a pointer as a pointer, an integer or an enumeration as an
/// integer of the same size?
template <class A, class B>
constexpr bool passed_alike() {
  if constexpr (std::is_void_v<A> || std::is_void_v<B>)
    return std::is_void_v<A> && std::is_void_v<B>;
  else if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>)
    return std::is_pointer_v<A> && std::is_pointer_v<B>;
  else
    return sizeof(A) == sizeof(B) && std::is_floating_point_v<A> == std::is_floating_point_v<B>;
}

template <class Ours, class Theirs>
struct Alike : std::false_type {};
template <class A, class... As, class B, class... Bs>
requires(sizeof...(As) == sizeof...(Bs)) struct Alike<A (*)(As...), B (*)(Bs...)>
    : std::bool_constant<passed_alike<A, B>() && (passed_alike<As, Bs>() && ...)> {
};

#define CELLPROOF_CUDNN_ALIKE(name, result, parameters) \
  static_assert(Alike<result(*) parameters, decltype(&::name)>::value, #name);
CELLPROOF_CUDNN_FUNCTIONS(CELLPROOF_CUDNN_ALIKE)
#undef CELLPROOF_CUDNN_ALIKE

TEST(CudnnHeader, HasTheNumbersThatWeDeclare) {
  const int pairs[][2] = {
    {major_version, CUDNN_MAJOR},
    {status::success, CUDNN_STATUS_SUCCESS},
    {status::not_initialized, CUDNN_STATUS_NOT_INITIALIZED},
    {status::bad_param, CUDNN_STATUS_BAD_PARAM},
    {status::not_supported, CUDNN_STATUS_NOT_SUPPORTED},
    {status::internal_error, CUDNN_STATUS_INTERNAL_ERROR},
    {status::host_allocation_failed, CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED},
    {status::device_allocation_failed, CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED},
    {status::execution_failed, CUDNN_STATUS_EXECUTION_FAILED},
    {status::sublibrary_version_mismatch, CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH},
    {status::not_supported_layout, CUDNN_STATUS_NOT_SUPPORTED_LAYOUT},
    {status::incompatible_driver, CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER},
    {status::incompatible_cudart, CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDART},
    {status::arch_mismatch, CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH},
    {status::prerequisite_missing, CUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING},
    {status::sublibrary_unavailable, CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE},
    {status::shared_memory_insufficient, CUDNN_STATUS_NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT},
    {status::not_supported_launch_param, CUDNN_STATUS_NOT_SUPPORTED_BAD_LAUNCH_PARAM},
#if CUDNN_VERSION >= 91900  // where they were read
    {status::sublibrary_loading_failed, CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED},
    {status::not_supported_graph_native_api, CUDNN_STATUS_NOT_SUPPORTED_CUDA_GRAPH_NATIVE_API},
    {status::not_supported_dynamic_shape, CUDNN_STATUS_NOT_SUPPORTED_INVALID_DYNAMIC_SHAPE},
#endif
    {algorithm::standard, CUDNN_RNN_ALGO_STANDARD},
    {algorithm::persist_static, CUDNN_RNN_ALGO_PERSIST_STATIC},
    {algorithm::persist_dynamic, CUDNN_RNN_ALGO_PERSIST_DYNAMIC},
    {algorithm::persist_static_small_h, CUDNN_RNN_ALGO_PERSIST_STATIC_SMALL_H},
    {cell::relu, CUDNN_RNN_RELU},
    {cell::tanh, CUDNN_RNN_TANH},
    {cell::lstm, CUDNN_LSTM},
    {cell::gru, CUDNN_GRU},
    {bias::none, CUDNN_RNN_NO_BIAS},
    {bias::both, CUDNN_RNN_DOUBLE_BIAS},
    {direction::one, CUDNN_UNIDIRECTIONAL},
    {direction::two, CUDNN_BIDIRECTIONAL},
    {data::float32, CUDNN_DATA_FLOAT},
    {data::float64, CUDNN_DATA_DOUBLE},
    {data::float16, CUDNN_DATA_HALF},
    {data::bfloat16, CUDNN_DATA_BFLOAT16},
    {math::standard, CUDNN_DEFAULT_MATH},
    {math::tensor_op, CUDNN_TENSOR_OP_MATH},
    {math::fma, CUDNN_FMA_MATH},
    {layout::time_first, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED},
    {layout::packed, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED},
    {layout::batch_first, CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED},
    {clip_mode::none, CUDNN_RNN_CLIP_NONE},
    {clip_mode::between, CUDNN_RNN_CLIP_MINMAX},
    {linear_input, CUDNN_LINEAR_INPUT},
    {inference, CUDNN_FWD_MODE_INFERENCE},
    {static_cast<int>(padded_io), CUDNN_RNN_PADDED_IO_ENABLED}
  };
  for (const auto& [ours, theirs] : pairs) EXPECT_EQ(ours, theirs);
}

}  // namespace
}  // namespace cellproof::cudnn
