#include <cuda_runtime.h>

#include "optimized/cuda/device_kernels.hpp"
#include "optimized/cuda/warp_sums.cuh"

namespace cellproof::cuda {
namespace {

constexpr Index most_blocks = 1 << 20;  // beyond, a thread or a warp takes several turns

template <class Body>
__global__ void __launch_bounds__(threads) each(const Body body, const Index count) {
  const Index all = static_cast<Index>(gridDim.x) * threads;
  for (Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x; i < count; i += all) body(i);
}

template <class Body>
__global__ void __launch_bounds__(threads) sums(const Body body) {
  const Index count = body.count(), all = static_cast<Index>(gridDim.x) * warps;
  for (Index i = static_cast<Index>(blockIdx.x) * warps + threadIdx.x / lanes; i < count; i += all)
    warp_sum<2>(body, i, threadIdx.x % lanes);
}

/// Two blocks a multiprocessor are asked for: with the registers that they may have, nothing is spilled around calls.
template <class Body>
__global__ void __launch_bounds__(threads, 2) groups(const Body body) {
  const Index count = body.count(), all = static_cast<Index>(gridDim.x) * warps;
  for (Index i = static_cast<Index>(blockIdx.x) * warps + threadIdx.x / lanes; i < count; i += all)
    warp_group(body, i, threadIdx.x % lanes);
}

unsigned blocks_for(Index count, Index each_block) {
  const Index blocks = (count + each_block - 1) / each_block;
  return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
}

}  // namespace

namespace {

/// The error is this launch's own; <<<>>> would need cudaGetLastError(), which gives what the caller left behind, too.
template <class... Parameters>
int launch(void (*kernel)(Parameters...), unsigned blocks, void* stream, const Parameters&... arguments) {
  void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads), pointers, 0,
                          static_cast<cudaStream_t>(stream));
}

}  // namespace

template <class Body>
int launch_each(const Body& body, Index count, void* stream) {
  return launch<Body, Index>(each<Body>, blocks_for(count, threads), stream, body, count);
}

template <class Body>
int launch_sums(const Body& body, void* stream) {
  return launch<Body>(sums<Body>, blocks_for(body.count(), warps), stream, body);
}

template <class Body>
int launch_groups(const Body& body, void* stream) {
  return launch<Body>(groups<Body>, blocks_for(body.count(), warps), stream, body);
}

#define CELLPROOF_INSTANTIATE_EACH(...) template int launch_each(const __VA_ARGS__&, Index, void*);
#define CELLPROOF_INSTANTIATE_SUMS(...) template int launch_sums(const __VA_ARGS__&, void*);
#define CELLPROOF_INSTANTIATE_GROUPS(...) template int launch_groups(const __VA_ARGS__&, void*);
CELLPROOF_CUDA_BODIES_OF(CELLPROOF_INSTANTIATE_EACH, float)
CELLPROOF_CUDA_BODIES_OF(CELLPROOF_INSTANTIATE_EACH, double)
CELLPROOF_INSTANTIATE_EACH(GatherWords)
CELLPROOF_INSTANTIATE_EACH(SplitWords)
CELLPROOF_CUDA_SUMS(CELLPROOF_INSTANTIATE_SUMS)
CELLPROOF_CUDA_GROUPS(CELLPROOF_INSTANTIATE_GROUPS)

}  // namespace cellproof::cuda
