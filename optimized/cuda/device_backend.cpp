#include <cuda_runtime_api.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <new>
#include <optional>
#include <string_view>

#include "optimized/cuda/backend.hpp"
#include "optimized/cuda/cublas.hpp"
#include "optimized/cuda/device_state.hpp"
#include "optimized/cuda/per_device.hpp"

namespace cellproof::cuda {
namespace {

constexpr Limits device_limits{rows_at_once, std::size_t{256} << 20, 4096, 1024, 50'000};

std::string text_of(cudaError_t error, std::string_view what) {
  return std::string(what) + ": " + cudaGetErrorName(error) + ", " + cudaGetErrorString(error);
}

void check_call(cudaError_t error, std::string_view function) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // what is not sticky must not be met again by the next call
  if (error == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw DeviceFailure(text_of(error, function));
}

/// Is each launch waited for and its outcome asked, so that an error names the kernel that it came up in?
bool checks_each_launch() {
  const char* const asked = std::getenv("CELLPROOF_CUDA_CHECK");
  return asked != nullptr && std::string_view(asked) == "1";
}

void throw_unless_usable(const DeviceReport& report) {
  if (report.state == DeviceState::Absent) throw Unavailable(report.why);
  if (report.state == DeviceState::Failing) throw DeviceFailure(report.why);
}

/// The current device, found usable.
cudaDeviceProp usable_device() {
  DeviceAnswer answer{};
  const cudaError_t error = cudaGetDeviceCount(&answer.devices);
  if (error != cudaSuccess) cudaGetLastError();
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

/// Resources that plans use one after the other and no two at once, because they take long to make. They are a track
/// for each branch, the second one only from a plan's first fork in two on, and the events by which branches wait for
/// each other.
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

PerDevice<Lane>& lanes_of_all_devices() {
  static auto* const lanes = new PerDevice<Lane>;  // never destroyed: the driver may be gone before it at exit
  return *lanes;
}

int current_device() {
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) {
    cudaGetLastError();
    usable_device();  // knows better why there is none
    check_call(error, "cudaGetDevice");
  }
  return device;
}

/// A lane of the current device.
Lane take_lane() {
  if (std::optional<Lane> lane = lanes_of_all_devices().take(current_device())) return std::move(*lane);
  usable_device();
  Lane lane;
  lane.have(1);
  return lane;
}

class DeviceBackend : public Backend {
 public:
  DeviceBackend() : device_(current_device()), lane_(take_lane()) { is_recordable_ = !checks_each_launch_; }
  DeviceBackend(const DeviceBackend&) = delete;
  DeviceBackend& operator=(const DeviceBackend&) = delete;
  ~DeviceBackend() override {
    branch_ = 0;
    if (recorded_ != nullptr) cudaGraphExecDestroy(recorded_);
    lanes_of_all_devices().give_back(device_, std::move(lane_));
  }

  int enter() override {
    const int before = current_device();
    if (before != device_) check_call(cudaSetDevice(device_), "cudaSetDevice");
    return before;
  }
  void leave(int before) override {
    if (before != device_) cudaSetDevice(before);
  }

  Limits limits() const override { return device_limits; }
  bool is_host() const override { return false; }

  void* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    // Nothing is asked for by a node without elements; not every allocator takes that.
    check_call(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)), "cudaMalloc");
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
  void finish() override {
    check_call(cudaStreamSynchronize(lane_.tracks.front().stream),
               "waiting for what was launched (CELLPROOF_CUDA_CHECK=1 names the kernel)");
  }

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

  void product(const RowsProduct<float>& product) override { multiply(product); }
  void product(const RowsProduct<double>& product) override { multiply(product); }
  void product(const WordsProduct& product) override { multiply(product); }

  /// Both directions at once on half of the multiprocessors each, if their R fits; else one after the other.
  Persistence persistence(const PersistentShape& shape) override {
    int processors = 0;
    check_call(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device_), "cudaDeviceGetAttribute");
    for (Index at_once = processors > 1 ? shape.directions : 1; at_once > 0; --at_once) {
      const Index wanted = std::min<Index>(shape.H, processors / at_once);
      Index possible = 0;
      check_call(most_blocks(shape, wanted, possible), "asking how many persistent blocks fit");
      if (possible >= wanted * at_once) return {wanted, at_once == 2, shape.exchanges};
    }
    return {};
  }
  void* first_stream() override { return lane_.tracks.front().stream; }

 protected:
  void* stream() override { return current_stream(); }
  void check(int error, std::string_view kernel, Index count) override {
    const auto expect = [&](cudaError_t found, const char* when) {
      if (found != cudaSuccess) check_call(found, when + launch_text(kernel, count));
    };
    expect(static_cast<cudaError_t>(error), "launching ");
    if (checks_each_launch_) expect(cudaStreamSynchronize(current_stream()), "running ");
  }
  void check_persistent(int error, Index blocks) override {
    if (error == cudaErrorCooperativeLaunchTooLarge || error == cudaErrorNotSupported) {
      cudaGetLastError();
      throw PersistentRefused(text_of(static_cast<cudaError_t>(error), "a persistent kernel"));
    }
    check(error, "a persistent kernel", blocks);
  }

  /// Whatever keeps the work from being recorded, it can still be launched; should the device itself be at fault, that
  /// fails, too, and says in what.
  bool record(const std::function<void()>& work) override {
    if (recorded_ != nullptr) cudaGraphExecDestroy(recorded_);
    recorded_ = nullptr;
    cudaStream_t front = lane_.tracks.front().stream;
    cudaError_t error = cudaStreamBeginCapture(front, cudaStreamCaptureModeThreadLocal);
    if (error == cudaSuccess) {
      try {
        work();
        if (faults_.recording) cudaStreamSynchronize(front);  // what no recording survives
      } catch (const std::exception&) {
        error = cudaErrorStreamCaptureInvalidated;
      }
      cudaGraph_t graph = nullptr;
      const cudaError_t ended = cudaStreamEndCapture(front, &graph);
      if (error == cudaSuccess) error = ended;
      if (error == cudaSuccess) error = cudaGraphInstantiate(&recorded_, graph, 0);
      if (graph != nullptr) cudaGraphDestroy(graph);
    }
    branch_ = 0;  // work that was broken off may have left another one
    branches_ = 1;
    if (error != cudaSuccess) cudaGetLastError();  // a refusal must not be met again by the next call
    return error == cudaSuccess;
  }
  bool launch_recorded() override {
    const cudaError_t error = faults_.replaying ? cudaErrorNotSupported : cudaGraphLaunch(recorded_, current_stream());
    if (error != cudaSuccess) cudaGetLastError();
    return error == cudaSuccess;
  }

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

  static cudaError_t most_blocks(const PersistentShape& shape, Index wanted, Index& possible) {
    return with_storage(shape.storage, [&](auto stored) {
      return with_recurrence(shape.recurrence, [&](auto kind) {
        const std::size_t bytes = bytes_kept<stored>(shape, wanted);
        return static_cast<cudaError_t>(most_persistent_blocks<stored, kind>(shape.exchanges, bytes, possible));
      });
    });
  }

  const bool checks_each_launch_ = ::cellproof::cuda::checks_each_launch();
  int device_;
  Lane lane_;
  int branches_ = 1;
  std::size_t branch_ = 0;
  cudaGraphExec_t recorded_ = nullptr;
};

}  // namespace

std::unique_ptr<Backend> make_device_backend() {
  return std::make_unique<DeviceBackend>();
}

std::string describe_device() {
  const cudaDeviceProp properties = usable_device();
  Lane lane = take_lane();
  const char* products = lane.tracks.front().cublas ? "cuBLAS" : "own products (no cuBLAS)";
  lanes_of_all_devices().give_back(current_device(), std::move(lane));
  return std::string(properties.name) + ", compute capability " + std::to_string(properties.major) + "." +
         std::to_string(properties.minor) + ", " + products;
}

void probe_device() {
  usable_device();
  lanes_of_all_devices().give_back(current_device(), take_lane());
}

}  // namespace cellproof::cuda
