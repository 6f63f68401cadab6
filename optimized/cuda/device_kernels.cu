#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "optimized/cuda/device_kernels.hpp"

namespace cellproof::cuda {
namespace {

constexpr unsigned threads = 256, warps = threads / lanes;
constexpr Index most_blocks = 1 << 20;  // beyond, a thread or a warp takes several turns

template <class Body>
__global__ void __launch_bounds__(threads) each(const Body body, const Index count) {
  const Index all = static_cast<Index>(gridDim.x) * threads;
  for (Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x; i < count; i += all) body(i);
}

/// The part of the lane `distance` further on, word by word.
template <class Part>
__device__ Part from_lane(const Part& part, int distance) {
  constexpr int words = sizeof(Part) / sizeof(int);
  static_assert(sizeof(Part) % sizeof(int) == 0 && alignof(Part) >= alignof(int), "a part is shuffled word by word");
  union Words {
    Part part;
    int words[sizeof(Part) / sizeof(int)];
    __device__ Words() {}
  } own, other;
  own.part = part;
#pragma unroll
  for (int w = 0; w < words; ++w) other.words[w] = __shfl_down_sync(~0u, own.words[w], distance);
  return other.part;
}

/// Sum i, by one warp. `at_once`: terms whose loads a lane does not wait for one by one.
template <int at_once, class Body>
__device__ void warp_sum(const Body& body, Index i, int lane) {
  typename Body::Part part{};
  const Index length = body.length();
#pragma unroll at_once
  for (Index k = lane; k < length; k += lanes) body.add(part, i, k);
#pragma unroll
  for (int distance = lanes / 2; distance > 0; distance /= 2) part.merge(from_lane(part, distance));
  if (lane == 0) body.finish(i, part);
}

template <class Body>
__global__ void __launch_bounds__(threads) sums(const Body body) {
  const Index count = body.count(), all = static_cast<Index>(gridDim.x) * warps;
  for (Index i = static_cast<Index>(blockIdx.x) * warps + threadIdx.x / lanes; i < count; i += all)
    warp_sum<2>(body, i, threadIdx.x % lanes);
}

/// Takes the terms of a section in. `at_once`: terms that are asked for before the first of them is waited for.
template <int section, int at_once, class Body>
__device__ void take_section(const Body& body, typename Body::Part& part, Index i, int lane) {
  constexpr int loads = at_once / Body::terms_of_load, span = Body::terms_of_load * lanes;
  const Index length = body.template length<section>();
  for (Index begin = lane; begin < length; begin += at_once * lanes) {
    typename Body::Terms terms[loads];
#pragma unroll
    for (int u = 0; u < loads; ++u)
      if (begin + u * span < length) terms[u] = body.template load<section>(i, begin + u * span);
#pragma unroll
    for (int u = 0; u < loads; ++u)
      if (begin + u * span < length) body.template take<section>(part, terms[u]);
  }
}

/// The whole sum of place lane / (lanes / places), merged with all other lanes' (lane_sums.hpp).
template <int places, int distance, class Real>
__device__ Real merged_places(Real* values, int lane) {
  constexpr int half = places / 2;
  if constexpr (distance == 0) {
    return values[0];
  } else if constexpr (half == 0) {
    values[0] += __shfl_xor_sync(~0u, values[0], distance);
    return merged_places<1, distance / 2>(values, lane);
  } else {
#pragma unroll
    for (int j = 0; j < half; ++j)
      values[j] = kept_half(values, half, lane, distance, j) +
                  __shfl_xor_sync(~0u, given_half(values, half, lane, distance, j), distance);
    return merged_places<half, distance / 2>(values, lane);
  }
}

/// Terms that a lane asks for at once: as many as registers hold without spilling.
template <class Body>
constexpr int terms_at_once = sizeof(typename Body::Part::Value) == sizeof(double) ? 4 : 8;

/// Group i of a body of sums, by one warp: each gate of a row is a lane's, and its closing gate's lane finishes the
/// row. Other lanes that have the same sum compute the same, so that fewer branches part them, and give nothing away.
template <class Body>
__device__ void warp_group(const Body& body, Index i, int lane) {
  using Part = typename Body::Part;
  using Value = typename Part::Value;
  constexpr int at_once = terms_at_once<Body>, lanes_of_each = lanes_of_place(Part::places);
  const int place = lane / lanes_of_each, row = place / Part::width, gate = place % Part::width;
  const bool takes_part = gate < Part::gates && body.finishes(row);
  typename Body::Ready ready{};
  if (takes_part) ready = body.ready(i, row, gate);
  Part part{};
  take_section<0, at_once>(body, part, i, lane);
  if constexpr (Body::sections == 2) take_section<1, at_once>(body, part, i, lane);
  const Value sum = merged_places<Part::places, lanes / 2>(part.values, lane);
  Value value = 0;
  if (takes_part) value = body.value(i, row, gate, ready, sum);
  Value values[Part::gates];
#pragma unroll
  for (int g = 0; g < Part::gates; ++g)
    values[g] = __shfl_sync(~0u, value, lane_of_place(row * Part::width + g, Part::places));
  if (takes_part && gate == Body::closing && lane % lanes_of_each == 0) body.finish(i, row, ready, values);
}

/// Two blocks a multiprocessor are asked for: with the registers that they may have, nothing is spilled around calls.
template <class Body>
__global__ void __launch_bounds__(threads, 2) groups(const Body body) {
  const Index count = body.count(), all = static_cast<Index>(gridDim.x) * warps;
  for (Index i = static_cast<Index>(blockIdx.x) * warps + threadIdx.x / lanes; i < count; i += all)
    warp_group(body, i, threadIdx.x % lanes);
}

template <Storage storage>
using Words = const typename Kept<storage>::Word*;

template <Storage storage, Phase phase, int rows>
__device__ void take_sums(const Persistent<storage>& persistent, Index block, const Moment& moment,
                          Words<storage> kept) {
  const UnitSums<storage, phase, rows> sums(persistent, block, moment, kept);
  for (Index i = threadIdx.x / lanes; i < sums.count(); i += warps) warp_group(sums, i, threadIdx.x % lanes);
}

/// A single sequence is not made to wait for the arithmetic of four.
template <Storage storage, Phase phase>
__device__ void take_phase(const Persistent<storage>& persistent, Index block, const Moment& moment,
                           Words<storage> kept) {
  if (moment.running == 1)
    take_sums<storage, phase, 1>(persistent, block, moment, kept);
  else
    take_sums<storage, phase, rows_at_once>(persistent, block, moment, kept);
}

/// The block's rows of R, all of them on their way at once. Another thread's are there after __syncthreads().
template <Storage storage>
__device__ void keep_rows(const Persistent<storage>& persistent, Index block, typename Kept<storage>::Word* kept) {
  using Row = Kept<storage>;
  const Index H = persistent.walk.H, rows = persistent.kept_rows(block), words = Row::words_of_row(H);
  for (Index row = threadIdx.x / lanes; row < rows; row += warps) {
    const typename Row::Element* from = persistent.kept_row(block, row);
    for (Index word = threadIdx.x % lanes; word < words; word += lanes) {
      typename Row::Word* const to = kept + row * words + word;
      if constexpr (Row::is_paired)
        *to = Row::word(from, H, word);
      else
        __pipeline_memcpy_async(to, from + word, sizeof *to);
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

/// Two directions in one grid: both take the same number of steps, so that one wait serves both.
template <Storage storage, Recurrence recurrence>
__global__ void __launch_bounds__(threads, 1) persist(const __grid_constant__ PersistentDirections<storage> all) {
  extern __shared__ double shared[];  // as strictly aligned as any element
  auto* const kept = reinterpret_cast<typename Kept<storage>::Word*>(shared);
  const Index block = all.within(blockIdx.x);
  const Persistent<storage>& persistent = all.of_block(blockIdx.x);
  keep_rows(persistent, block, kept);
  __syncthreads();
  const auto grid = cooperative_groups::this_grid();
  const Index* const first_rows = persistent.walk.first_rows;
  Index row = first_rows[persistent.begin], next = first_rows[persistent.begin + 1];
  for (Index step = persistent.begin; step < persistent.end; ++step) {
    // Asked for a step before it is needed, so that nobody waits for it.
    const Index later = first_rows[step + 2 < persistent.end ? step + 2 : persistent.end];
    const Moment moment{step, row, next - row};
    if constexpr (recurrence == Recurrence::Lstm) {
      take_phase<storage, Phase::Lstm>(persistent, block, moment, kept);
    } else if constexpr (recurrence == Recurrence::GruAfterReset) {
      take_phase<storage, Phase::GruAfterReset>(persistent, block, moment, kept);
    } else if constexpr (recurrence == Recurrence::GruBeforeReset) {
      take_phase<storage, Phase::GruGates>(persistent, block, moment, kept);
      grid.sync();
      take_phase<storage, Phase::GruState>(persistent, block, moment, kept);
    } else {
      take_phase<storage, Phase::Rnn>(persistent, block, moment, kept);
    }
    // After the last step the kernel's end does it.
    if (step + 1 < persistent.end) grid.sync();
    row = next;
    next = later;
  }
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

template <Storage storage, Recurrence recurrence>
int launch_persistent(const PersistentDirections<storage>& persistent, void* stream) {
  auto* const kernel = persist<storage, recurrence>;
  PersistentDirections<storage> argument = persistent;
  void* arguments[] = {&argument};
  const Persistent<storage>& first = persistent.of[0];
  return cudaLaunchCooperativeKernel(
      reinterpret_cast<const void*>(kernel), dim3(static_cast<unsigned>(persistent.blocks())), dim3(threads), arguments,
      bytes_kept<storage>(first.walk.H, first.walk.G, first.blocks), static_cast<cudaStream_t>(stream));
}

template <Storage storage, Recurrence recurrence>
int most_persistent_blocks(std::size_t bytes, Index& blocks) {
  auto* const kernel = persist<storage, recurrence>;
  blocks = 0;
  int device = 0, processors = 0, cooperative = 0, room = 0, each_processor = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error != cudaSuccess || cooperative == 0 || bytes > static_cast<std::size_t>(room)) return error;
  // All that there is: the setting is the kernel's, and other plans may need more than this one.
  error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each_processor, kernel, static_cast<int>(threads), bytes);
  if (error == cudaSuccess) blocks = static_cast<Index>(each_processor) * processors;
  return error;
}

#define CELLPROOF_INSTANTIATE_EACH(...) template int launch_each(const __VA_ARGS__&, Index, void*);
#define CELLPROOF_INSTANTIATE_SUMS(...) template int launch_sums(const __VA_ARGS__&, void*);
#define CELLPROOF_INSTANTIATE_GROUPS(...) template int launch_groups(const __VA_ARGS__&, void*);
#define CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, RECURRENCE)                                       \
  template int launch_persistent<STORAGE, RECURRENCE>(const PersistentDirections<STORAGE>&, void*); \
  template int most_persistent_blocks<STORAGE, RECURRENCE>(std::size_t, Index&);
#define CELLPROOF_INSTANTIATE_PERSISTENT(STORAGE)                       \
  CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, Recurrence::Lstm)           \
  CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, Recurrence::GruAfterReset)  \
  CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, Recurrence::GruBeforeReset) \
  CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, Recurrence::Rnn)
CELLPROOF_CUDA_BODIES_OF(CELLPROOF_INSTANTIATE_EACH, float)
CELLPROOF_CUDA_BODIES_OF(CELLPROOF_INSTANTIATE_EACH, double)
CELLPROOF_INSTANTIATE_PERSISTENT(Storage::Float16)
CELLPROOF_INSTANTIATE_PERSISTENT(Storage::BFloat16)
CELLPROOF_INSTANTIATE_PERSISTENT(Storage::Float)
CELLPROOF_INSTANTIATE_PERSISTENT(Storage::Double)
CELLPROOF_INSTANTIATE_EACH(GatherWords)
CELLPROOF_INSTANTIATE_EACH(SplitWords)
CELLPROOF_CUDA_SUMS(CELLPROOF_INSTANTIATE_SUMS)
CELLPROOF_CUDA_GROUPS(CELLPROOF_INSTANTIATE_GROUPS)

}  // namespace cellproof::cuda
