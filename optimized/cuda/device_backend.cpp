#include <cuda_runtime_api.h>

#include <algorithm>
#include <climits>
#include <mutex>
#include <new>

#include "optimized/cuda/backend.hpp"
#include "optimized/cuda/cublas.hpp"
#include "optimized/cuda/device_state.hpp"

namespace cellproof::cuda {
namespace {

constexpr Limits device_limits{rows_at_once, std::size_t{256} << 20, 4096};

void check_call(cudaError_t error, const char* function) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // what is not sticky must not be met again by the next call
  if (error == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw DeviceFailure(std::string(function) + ": " + cudaGetErrorName(error) + ", " + cudaGetErrorString(error));
}

void throw_unless_usable(const DeviceReport& report) {
  if (report.state == DeviceState::Absent) throw Unavailable(report.why);
  if (report.state == DeviceState::Failing) throw DeviceFailure(report.why);
}

/// The current device, found usable.
cudaDeviceProp usable_device() {
  DeviceAnswer answer{};
  const cudaError_t error = cudaGetDeviceCount(&answer.devices);
  cudaGetLastError();
  answer.error = error;
  answer.error_text = cudaGetErrorString(error);
  cudaDriverGetVersion(&answer.driver_version);
  cudaRuntimeGetVersion(&answer.runtime_version);
  throw_unless_usable(report_of(answer));
  int device = 0;
  cudaDeviceProp properties{};
  check_call(cudaGetDevice(&device), "cudaGetDevice");
  check_call(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  throw_unless_usable(report_of_capability(properties.major, properties.minor));
  return properties;
}

/// A stream with the cuBLAS that works on it.
struct Track {
  cudaStream_t stream = nullptr;
  std::unique_ptr<Cublas> cublas;
};

/// What plans use one after the other and no two at once, because it takes long to make: a track for each branch, the
/// second one only from a plan's first fork in two on, and the events by which branches wait for each other.
struct Lane {
  std::vector<Track> tracks;
  cudaEvent_t forked = nullptr, joined = nullptr;

  void have(std::size_t count) {
    while (tracks.size() < count) {
      Track track;
      check_call(cudaStreamCreateWithFlags(&track.stream, cudaStreamNonBlocking), "cudaStreamCreate");
      track.cublas = Cublas::open(track.stream);
      tracks.push_back(std::move(track));
    }
    for (cudaEvent_t* const event : {&forked, &joined})
      if (count > 1 && *event == nullptr)
        check_call(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "cudaEventCreate");
  }
};

class Lanes {
 public:
  Lane take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        Lane lane = std::move(free_.back());
        free_.pop_back();
        return lane;
      }
    }
    usable_device();
    Lane lane;
    lane.have(1);
    return lane;
  }
  void give_back(Lane lane) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(lane));
  }
  static Lanes& all() {
    static auto* const lanes = new Lanes;  // never destroyed: the driver may be gone before it at exit
    return *lanes;
  }

 private:
  std::mutex mutex_;
  std::vector<Lane> free_;
};

class DeviceBackend : public Backend {
 public:
  DeviceBackend() : lane_(Lanes::all().take()) {}
  DeviceBackend(const DeviceBackend&) = delete;
  DeviceBackend& operator=(const DeviceBackend&) = delete;
  ~DeviceBackend() override {
    branch_ = 0;
    if (recorded_ != nullptr) cudaGraphExecDestroy(recorded_);
    Lanes::all().give_back(std::move(lane_));
  }

  Limits limits() const override { return device_limits; }
  bool is_host() const override { return false; }

  void* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    check_call(cudaMalloc(&memory, bytes), "cudaMalloc");
    return memory;
  }
  void release(void* memory) override { cudaFree(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes, cudaMemcpyHostToDevice); }
  void download(void* to, const void* from, std::size_t bytes) override {
    copy(to, from, bytes, cudaMemcpyDeviceToHost);
  }
  void clear(void* memory, std::size_t bytes) override {
    if (bytes > 0) check_call(cudaMemsetAsync(memory, 0, bytes, current_stream()), "cudaMemsetAsync");
  }
  void finish() override { check_call(cudaStreamSynchronize(lane_.tracks.front().stream), "cudaStreamSynchronize"); }

  void fork(int branches) override {
    branches_ = branches;
    branch_ = 0;
    if (branches == 1) return;
    lane_.have(static_cast<std::size_t>(branches));
    check_call(cudaEventRecord(lane_.forked, lane_.tracks[0].stream), "cudaEventRecord");
    check_call(cudaStreamWaitEvent(lane_.tracks[1].stream, lane_.forked, 0), "cudaStreamWaitEvent");
  }
  void use_branch(int branch) override { branch_ = static_cast<std::size_t>(branch); }
  void join() override {
    branch_ = 0;
    if (branches_ == 1) return;
    check_call(cudaEventRecord(lane_.joined, lane_.tracks[1].stream), "cudaEventRecord");
    check_call(cudaStreamWaitEvent(lane_.tracks[0].stream, lane_.joined, 0), "cudaStreamWaitEvent");
    branches_ = 1;
  }

  /// The first time the work is launched as it is, which also loads what cuBLAS needs; the second time it is recorded.
  void replay(const std::vector<std::uint64_t>& key, Index launches, const std::function<void()>& work) override {
    if (launches > device_limits.replayed) return work();
    if (recorded_ == nullptr || key != recorded_key_) {
      if (key != latest_key_) {
        latest_key_ = key;
        return work();
      }
      record(work);
      recorded_key_ = key;
    }
    check_call(cudaGraphLaunch(recorded_, current_stream()), "cudaGraphLaunch");
  }

  void product(const RowsProduct<float>& product) override { multiply(product); }
  void product(const RowsProduct<double>& product) override { multiply(product); }
  void product(const WordsProduct& product) override { multiply(product); }

  /// Both directions at once on half of the multiprocessors each, if their R fits; else one after the other.
  Persistence persistence(Recurrence recurrence, bool is_double, Index H, Index G, Index directions) override {
    int device = 0, processors = 0;
    check_call(cudaGetDevice(&device), "cudaGetDevice");
    check_call(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    for (Index at_once = processors > 1 ? directions : 1; at_once > 0; --at_once) {
      const Index wanted = std::min<Index>(H, processors / at_once);
      const auto kept = static_cast<std::size_t>(G * ((H + wanted - 1) / wanted) * H);
      Index possible = 0;
      check(is_double ? most_blocks<double>(recurrence, kept, possible)
                      : most_blocks<float>(recurrence, kept, possible));
      if (possible >= wanted * at_once) return {wanted, at_once == 2};
    }
    return {};
  }
  void* first_stream() override { return lane_.tracks.front().stream; }

 protected:
  void* stream() override { return current_stream(); }
  void check(int error) override { check_call(static_cast<cudaError_t>(error), "a kernel"); }

 private:
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (bytes > 0) check_call(cudaMemcpyAsync(to, from, bytes, kind, current_stream()), "cudaMemcpyAsync");
  }

  cudaStream_t current_stream() const { return lane_.tracks[branch_].stream; }

  template <class Product>
  void multiply(const Product& product) {
    const bool few = product.rows <= device_limits.few_rows;
    const bool fits = std::max({product.rows, product.columns, product.terms}) <= INT_MAX;
    Cublas* const cublas = lane_.tracks[branch_].cublas.get();
    if (few || !fits || product.terms == 0 || cublas == nullptr) return sums(product);
    cublas->multiply(product);
  }

  template <class Real>
  static int most_blocks(Recurrence recurrence, std::size_t kept, Index& blocks) {
    const std::size_t bytes = kept * sizeof(Real);
    switch (recurrence) {
      case Recurrence::Lstm:
        return most_persistent_blocks<Real, Recurrence::Lstm>(bytes, blocks);
      case Recurrence::GruAfterReset:
        return most_persistent_blocks<Real, Recurrence::GruAfterReset>(bytes, blocks);
      case Recurrence::GruBeforeReset:
        return most_persistent_blocks<Real, Recurrence::GruBeforeReset>(bytes, blocks);
      case Recurrence::Rnn:
        break;
    }
    return most_persistent_blocks<Real, Recurrence::Rnn>(bytes, blocks);
  }

  void record(const std::function<void()>& work) {
    if (recorded_ != nullptr) cudaGraphExecDestroy(recorded_);
    recorded_ = nullptr;
    cudaGraph_t graph = nullptr;
    cudaStream_t front = lane_.tracks.front().stream;  // work that fails may leave us on another branch
    check_call(cudaStreamBeginCapture(front, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    try {
      work();
    } catch (...) {
      cudaStreamEndCapture(front, &graph);
      cudaGetLastError();  // a recording that was broken off must not be met again by the next call
      if (graph != nullptr) cudaGraphDestroy(graph);
      throw;
    }
    check_call(cudaStreamEndCapture(front, &graph), "cudaStreamEndCapture");
    const cudaError_t error = cudaGraphInstantiate(&recorded_, graph, 0);
    cudaGraphDestroy(graph);
    check_call(error, "cudaGraphInstantiate");
  }

  Lane lane_;
  int branches_ = 1;
  std::size_t branch_ = 0;
  std::vector<std::uint64_t> latest_key_, recorded_key_;
  cudaGraphExec_t recorded_ = nullptr;
};

}  // namespace

std::unique_ptr<Backend> make_device_backend() {
  return std::make_unique<DeviceBackend>();
}

std::string describe_device() {
  const cudaDeviceProp properties = usable_device();
  Lane lane = Lanes::all().take();
  const char* products = lane.tracks.front().cublas ? "cuBLAS" : "own products (no cuBLAS)";
  Lanes::all().give_back(std::move(lane));
  return std::string(properties.name) + ", compute capability " + std::to_string(properties.major) + "." +
         std::to_string(properties.minor) + ", " + products;
}

void probe_device() {
  usable_device();
  Lanes::all().give_back(Lanes::all().take());
}

}  // namespace cellproof::cuda
