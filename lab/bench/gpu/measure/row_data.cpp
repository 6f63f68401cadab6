#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "lab/bench/gpu/measure/subject.hpp"
#include "optimized/cuda/elements.hpp"

namespace cellproof::lab::bench::gpu {
namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  if (error == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

std::size_t bytes_of(Element element) {
  return element == Element::Float ? 4 : 2;
}

cuda::Storage storage_of(Element element) {
  if (element == Element::Float16) return cuda::Storage::Float16;
  return element == Element::BFloat16 ? cuda::Storage::BFloat16 : cuda::Storage::Float;
}

/// Numbers within `size` of zero.
std::vector<std::byte> noise(std::int64_t count, Element element, double size, std::uint32_t seed) {
  std::vector<std::byte> values(static_cast<std::size_t>(count) * bytes_of(element));
  std::uint32_t state = seed;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    const double value = size * (static_cast<double>(state >> 8) / (1 << 23) - 1);
    cuda::store(storage_of(element), values.data(), i, static_cast<float>(value));
  }
  return values;
}

constexpr std::int64_t period_of_x = 1 << 20;

std::int64_t gates_of(Cell cell) {
  return cell == Cell::Lstm ? 4 : cell == Cell::Rnn ? 1 : 3;
}

}  // namespace

DeviceMemory::DeviceMemory(std::size_t bytes) : bytes_(bytes) {
  check(cudaMalloc(&data_, bytes), "cudaMalloc");
}
DeviceMemory::~DeviceMemory() {
  cudaFree(data_);
}
void DeviceMemory::upload(const void* from, std::size_t bytes, std::size_t at) {
  check(cudaMemcpy(static_cast<std::byte*>(data_) + at, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  // From pageable memory it may still be on its way, and the subjects' streams do not wait for the default one.
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}
void DeviceMemory::download(void* to, std::size_t bytes) const {
  check(cudaMemcpy(to, data_, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}
void DeviceMemory::repeat(std::size_t period) {
  for (std::size_t have = period; have < bytes_; have *= 2)
    check(cudaMemcpy(static_cast<std::byte*>(data_) + have, data_, std::min(have, bytes_ - have),
                     cudaMemcpyDeviceToDevice),
          "cudaMemcpy");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

RowData::RowData(const Row& r)
    : row(r),
      gates(gates_of(r.cell)),
      lengths(r.lengths()),
      W(noise(gates * r.H * r.H, r.element, 1 / std::sqrt(static_cast<double>(r.H)), 1)),
      R(noise(gates * r.H * r.H, r.element, 1 / std::sqrt(static_cast<double>(r.H)), 2)),
      B(noise(2 * gates * r.H, r.element, 1 / std::sqrt(static_cast<double>(r.H)), 3)),
      X(static_cast<std::size_t>(r.T * r.N * r.H) * bytes_of(r.element)),
      W_there(W.size()),
      R_there(R.size()),
      B_there(B.size()) {
  const auto some = noise(std::min(r.T * r.N * r.H, period_of_x), r.element, 1, 4);
  X.upload(some.data(), some.size());
  X.repeat(some.size());
  W_there.upload(W.data(), W.size());
  R_there.upload(R.data(), R.size());
  B_there.upload(B.data(), B.size());
}

}  // namespace cellproof::lab::bench::gpu
