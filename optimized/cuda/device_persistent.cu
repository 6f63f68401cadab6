#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "optimized/cuda/device_kernels.hpp"
#include "optimized/cuda/warp_sums.cuh"

namespace cellproof::cuda {
namespace {

template <Storage storage>
using Words = const typename Kept<storage>::Word*;

/// A block at one step, with what it keeps in shared memory.
template <Storage storage, bool exchanges>
struct AtWork {
  using Real = RealOf<storage>;

  const Persistent<storage>& persistent;
  Index block;
  Words<storage> kept;
  Real* gathered;       ///< [gathering][rank][H]
  Index gathering = 0;  ///< the next one's place

  __device__ Exchange<Real> exchange() const { return exchanges ? persistent.exchange : Exchange<Real>{}; }
};

/// Brings what a phase multiplies into shared memory; each thread waits for its own numbers only. All are there after
/// the barrier of the block. The first ones lie in plain memory, which nobody may write before all have read it.
template <Phase phase, Storage storage>
__device__ const RealOf<storage>* gather(AtWork<storage, true>& work, const Moment& moment) {
  using Real = RealOf<storage>;
  constexpr int at_once = 8 / Flagged<Real>::words;  // whose words are on their way
  const Walk<Real>& walk = work.persistent.walk;
  const Index count = moment.running * walk.H;
  const Published needed = work.persistent.exchange.needed(phase, moment.step);
  Real* const into = work.gathered + work.gathering * walk.N * walk.H;
  work.gathering = (work.gathering + 1) % gatherings;
  if (needed.words == nullptr) {
    const Real* from = walk.h_before(moment.step);
    for (Index i = threadIdx.x; i < count; i += threads) into[i] = from[i];
    cooperative_groups::this_grid().sync();
    return into;
  }
  for (Index begin = threadIdx.x; begin < count; begin += at_once * threads) {
    Flagged<Real> numbers[at_once];
#pragma unroll
    for (int u = 0; u < at_once; ++u)
      if (const Index i = begin + u * threads; i < count)
        numbers[u] = Flagged<Real>::at(needed.words + i * Flagged<Real>::words);
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
      const Index i = begin + u * threads;
      if (i >= count) continue;
      while (!numbers[u].is_of(needed.moment)) numbers[u] = Flagged<Real>::at(needed.words + i * Flagged<Real>::words);
      into[i] = numbers[u].value();
    }
  }
  __syncthreads();
  return into;
}

template <Phase phase, Storage storage>
__device__ const RealOf<storage>* gather(AtWork<storage, false>& work, const Moment& moment) {
  return work.persistent.walk.multiplied(phase, moment.step);
}

template <Phase phase, int rows, Storage storage, bool exchanges>
__device__ void take_sums(const AtWork<storage, exchanges>& work, const Moment& moment,
                          const RealOf<storage>* multiplied) {
  const UnitSums<storage, phase, rows> sums(work.persistent, work.block, moment, work.kept, multiplied,
                                            work.exchange());
  for (Index i = threadIdx.x / lanes; i < sums.count(); i += warps) warp_group(sums, i, threadIdx.x % lanes);
}

/// A single sequence is not made to wait for the arithmetic of four.
template <Phase phase, Storage storage, bool exchanges>
__device__ void take_phase(AtWork<storage, exchanges>& work, const Moment& moment) {
  const RealOf<storage>* multiplied = gather<phase>(work, moment);
  if (moment.running == 1)
    take_sums<phase, 1>(work, moment, multiplied);
  else
    take_sums<phase, rows_at_once>(work, moment, multiplied);
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

/// Two directions in one grid: both take the same number of steps, so that one barrier serves both.
template <Storage storage, Recurrence recurrence, bool exchanges>
__global__ void __launch_bounds__(threads, 1) persist(const __grid_constant__ PersistentDirections<storage> all) {
  extern __shared__ double shared[];  // as strictly aligned as any element
  auto* const kept = reinterpret_cast<typename Kept<storage>::Word*>(shared);
  const Index block = all.within(blockIdx.x);
  const Persistent<storage>& persistent = all.of_block(blockIdx.x);
  keep_rows(persistent, block, kept);
  __syncthreads();
  const auto grid = cooperative_groups::this_grid();
  const Index kept_words = persistent.kept_rows(block) * Kept<storage>::words_of_row(persistent.walk.H);
  AtWork<storage, exchanges> work{persistent, block, kept, reinterpret_cast<RealOf<storage>*>(kept + kept_words)};
  const Index* const first_rows = persistent.walk.first_rows;
  Index row = first_rows[persistent.begin], next = first_rows[persistent.begin + 1];
  for (Index step = persistent.begin; step < persistent.end; ++step) {
    // Asked for a step before it is needed, so that nobody waits for it.
    const Index later = first_rows[step + 2 < persistent.end ? step + 2 : persistent.end];
    const Moment moment{step, row, next - row};
    if constexpr (recurrence == Recurrence::Lstm) {
      take_phase<Phase::Lstm>(work, moment);
    } else if constexpr (recurrence == Recurrence::GruAfterReset) {
      take_phase<Phase::GruAfterReset>(work, moment);
    } else if constexpr (recurrence == Recurrence::GruBeforeReset) {
      take_phase<Phase::GruGates>(work, moment);
      if constexpr (!exchanges) grid.sync();
      take_phase<Phase::GruState>(work, moment);
    } else {
      take_phase<Phase::Rnn>(work, moment);
    }
    // After the last step the kernel's end does it.
    if (!exchanges && step + 1 < persistent.end) grid.sync();
    row = next;
    next = later;
  }
}

/// The kernel for a shape, as the runtime takes it.
template <Storage storage, Recurrence recurrence>
const void* kernel_of(bool exchanges) {
  auto* const kernel = exchanges ? persist<storage, recurrence, true> : persist<storage, recurrence, false>;
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace

template <Storage storage, Recurrence recurrence>
int launch_persistent(const PersistentDirections<storage>& persistent, void* stream) {
  PersistentDirections<storage> argument = persistent;
  void* arguments[] = {&argument};
  const Persistent<storage>& first = persistent.of[0];
  const bool exchanges = first.exchange.words != nullptr;
  const PersistentShape shape{recurrence, storage, first.walk.N, first.walk.H, first.walk.G, 1, exchanges};
  return cudaLaunchCooperativeKernel(kernel_of<storage, recurrence>(exchanges),
                                     dim3(static_cast<unsigned>(persistent.blocks())), dim3(threads), arguments,
                                     bytes_kept<storage>(shape, first.blocks), static_cast<cudaStream_t>(stream));
}

template <Storage storage, Recurrence recurrence>
int most_persistent_blocks(bool exchanges, std::size_t bytes, Index& blocks) {
  const void* const kernel = kernel_of<storage, recurrence>(exchanges);
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

#define CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, RECURRENCE)                                       \
  template int launch_persistent<STORAGE, RECURRENCE>(const PersistentDirections<STORAGE>&, void*); \
  template int most_persistent_blocks<STORAGE, RECURRENCE>(bool, std::size_t, Index&);
#define CELLPROOF_INSTANTIATE_PERSISTENT(STORAGE)                       \
  CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, Recurrence::Lstm)           \
  CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, Recurrence::GruAfterReset)  \
  CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, Recurrence::GruBeforeReset) \
  CELLPROOF_INSTANTIATE_RECURRENCE(STORAGE, Recurrence::Rnn)
CELLPROOF_INSTANTIATE_PERSISTENT(Storage::Float16)
CELLPROOF_INSTANTIATE_PERSISTENT(Storage::BFloat16)
CELLPROOF_INSTANTIATE_PERSISTENT(Storage::Float)
CELLPROOF_INSTANTIATE_PERSISTENT(Storage::Double)

}  // namespace cellproof::cuda
