#include "lab/bench/gpu/measure/rates.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "lab/bench/gpu/measure/event_timer.hpp"
#include "lab/bench/gpu/measure/subject.hpp"
#include "optimized/cuda/backend.hpp"

namespace cellproof::lab::bench::gpu {
namespace {

constexpr int tries = 5;
constexpr double seconds_of_a_try = 0.01;

/// The least of some tries: a rate is what the device can do.
double least_seconds(void* stream, const std::function<void()>& issue) {
  issue();  // what the first call loads is no part of it
  double least = seconds_on_device(stream, seconds_of_a_try, issue);
  for (int i = 1; i < tries; ++i) least = std::min(least, seconds_on_device(stream, seconds_of_a_try, issue));
  return least;
}

}  // namespace

Rates measure_rates() {
  constexpr std::size_t bytes = std::size_t{512} << 20;
  constexpr cuda::Index size = 4096;
  constexpr double operations = 2.0 * size * size * size;
  // Noise: data that repeats moves fewer wires, and runs faster than any real one.
  std::vector<std::uint16_t> pattern(1 << 20);
  std::uint32_t state = 1;
  for (std::uint16_t& word : pattern) {
    state = state * 1664525U + 1013904223U;
    word = static_cast<std::uint16_t>(0x3C00 | (state >> 16 & 0x83FF));  // from 1 to 2, of either sign; as float, too
  }
  DeviceMemory from(bytes), to(bytes);
  from.upload(pattern.data(), pattern.size() * sizeof pattern[0]);
  from.repeat(pattern.size() * sizeof pattern[0]);
  const auto backend = cuda::make_device_backend();
  void* const stream = backend->first_stream();
  Rates rates;
  rates.bytes = 2.0 * bytes / least_seconds(stream, [&] {
                  if (cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice,
                                      static_cast<cudaStream_t>(stream)) != cudaSuccess)
                    throw std::runtime_error("the device does not copy");
                });
  const auto* floats = static_cast<const float*>(from.data());
  const auto* words = static_cast<const std::uint16_t*>(from.data());
  auto* const out = static_cast<float*>(to.data());
  rates.operations = operations / least_seconds(stream, [&] {
                       backend->product(cuda::RowsProduct<float>{floats, size, size, floats + size * size, size, out});
                     });
  rates.operations_of_16 =
      operations / least_seconds(stream, [&] {
        backend->product(cuda::WordsProduct{words, size, size, words + size * size, size, out, cuda::Storage::Float16});
      });
  backend->finish();
  return rates;
}

}  // namespace cellproof::lab::bench::gpu
