#include "lab/bench/gpu/measure/event_timer.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace cellproof::lab::bench::gpu {
namespace {

void expect(cudaError_t error, const char* call) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

class Event {
 public:
  Event() { expect(cudaEventCreate(&event_), "cudaEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(void* stream) { expect(cudaEventRecord(event_, static_cast<cudaStream_t>(stream)), "cudaEventRecord"); }
  double seconds_since(const Event& earlier) {
    expect(cudaEventSynchronize(event_), "cudaEventSynchronize");
    float milliseconds = 0;
    expect(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

double seconds_of(void* stream, int calls, const std::function<void()>& issue) {
  Event begin, end;
  begin.record(stream);
  for (int i = 0; i < calls; ++i) issue();
  end.record(stream);
  return end.seconds_since(begin) / calls;
}

}  // namespace

double seconds_behind_other_work(void* stream, void* memory, std::size_t bytes, const std::function<void()>& issue) {
  constexpr int clears = 60;  // some milliseconds, in which the host issues the call
  Event begin, end;
  for (int i = 0; i < clears; ++i)
    expect(cudaMemsetAsync(memory, 0, bytes, static_cast<cudaStream_t>(stream)), "cudaMemsetAsync");
  begin.record(stream);
  issue();
  end.record(stream);
  return end.seconds_since(begin);
}

double seconds_on_device(void* stream, double seconds, const std::function<void()>& issue) {
  constexpr double most_calls = 10000;
  const double one = seconds_of(stream, 1, issue);
  if (one >= seconds) return one;
  return seconds_of(stream, static_cast<int>(std::min(most_calls, seconds / std::max(one, 1e-7))) + 1, issue);
}

}  // namespace cellproof::lab::bench::gpu
