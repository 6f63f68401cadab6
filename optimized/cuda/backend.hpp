#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/cuda/bodies.hpp"
#include "optimized/cuda/cellproof_cuda.h"
#include "optimized/cuda/faults.hpp"
#include "optimized/cuda/host_sums.hpp"
#include "optimized/node/node.hpp"
#if CELLPROOF_WITH_NVCC
#include "optimized/cuda/device_kernels.hpp"
#endif

namespace cellproof::cuda {

/// The machine is not there; one line that says why.
class Unavailable : public node::Failure {
 public:
  explicit Unavailable(const std::string& why) : Failure(CELLPROOF_UNAVAILABLE, why) {}
};

/// A device that is there has failed; one line that says in what.
class DeviceFailure : public node::Failure {
 public:
  explicit DeviceFailure(const std::string& what) : Failure(CELLPROOF_FAILED, what) {}
};

/// A persistent kernel that the device does not launch, whatever it said of itself: its blocks do not all fit beside
/// what else runs there. Steps do.
class PersistentRefused : public DeviceFailure {
 public:
  using DeviceFailure::DeviceFailure;
};

/// Facts that decide how a plan is made, apart from the node.
struct Limits {
  Index few_rows;           ///< up to so many rows a persistent kernel takes all steps, and cuBLAS is not asked
  std::size_t ahead_bytes;  ///< memory for products of X that are computed ahead
  Index replayed;           ///< launches of a run up to which it is worth being recorded
  Index exchanged;    ///< hidden units up to which blocks exchange flagged words: every block reads every number, so
                      ///< that a barrier is faster in the end
  Index steps_ahead;  ///< steps of which they are, and of one persistent kernel: a display's watchdog ends kernels
                      ///< that run for seconds
};

/// The name of a body's type, as an error is to give it.
template <class Body>
constexpr std::string_view name_of_body() {
  constexpr std::string_view all = __PRETTY_FUNCTION__, before = "Body = ";
  constexpr std::size_t begin = all.find(before) + before.size();
  return all.substr(begin, all.find_first_of(";]", begin) - begin);
}

/// A launch as an error is to give it: "Step<float, Phase::Lstm> over 2048".
inline std::string launch_text(std::string_view kernel, Index count) {
  return std::string(kernel) + " over " + std::to_string(count);
}

/// Limits of a persistent kernel: so many blocks for each direction (0: none fits), and whether both directions of a
/// node fit at once.
struct Persistence {
  Index blocks = 0;
  bool both_at_once = false;
  bool exchanges = false;  ///< its blocks exchange flagged words, and wait at no barrier
};

/// Holds a plan's memory and runs its bodies: a device's stream, or loops on the host. All work is done in the
/// order in which it is asked for, but that of different branches between fork() and join(); finish() waits for it.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual Limits limits() const = 0;
  /// Is its memory the host's?
  virtual bool is_host() const = 0;
  /// Throws std::bad_alloc.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) = 0;
  /// From the host's memory, and into it.
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
  virtual void clear(void* memory, std::size_t bytes) = 0;
  virtual void finish() = 0;

  /// Makes its device the calling thread's; the one that was, for leave(). Throws DeviceFailure.
  virtual int enter() = 0;
  virtual void leave(int before) = 0;

  /// Does `work`, which only launches. The first time with a key it is launched as it is, which also loads what cuBLAS
  /// needs; the second time it is recorded, and from then on replayed. Where one of the two is refused, the work of
  /// this plan is launched as it is from then on.
  void replay(const std::vector<std::uint64_t>& key, Index launches, const std::function<void()>& work);
  /// False: a recording was refused.
  bool is_recordable() const { return is_recordable_; }

  /// From here on work is done on one of so many branches (1 or 2), beginning with branch 0; work of different branches
  /// must touch nothing in common that one of them writes.
  virtual void fork(int branches) = 0;
  virtual void use_branch(int branch) = 0;
  /// Ends the branches: what follows comes after all of them.
  virtual void join() = 0;

  virtual void product(const RowsProduct<float>& product) = 0;
  virtual void product(const RowsProduct<double>& product) = 0;
  virtual void product(const WordsProduct& product) = 0;

  /// Says how a persistent kernel can keep R, [G * H][H] for each direction, on the chip as it is stored: at most H
  /// blocks for a direction.
  virtual Persistence persistence(const PersistentShape& shape) = 0;
  const Faults& faults() const { return faults_; }

  /// A cudaStream_t; nullptr on the host.
  virtual void* first_stream() = 0;

  /// body(i) for i from 0 to count - 1.
  template <class Body>
  void each(const Body& body, Index count) {
    if (count <= 0) return;
#if CELLPROOF_WITH_NVCC
    if (!is_host()) return check(launch_each(body, count, stream()), name_of_body<Body>(), count);
#endif
    for (Index i = 0; i < count; ++i) body(i);
  }

  /// All sums of a body (products.hpp).
  template <class Body>
  void sums(const Body& body) {
    const Index count = body.count();
    if (count <= 0) return;
#if CELLPROOF_WITH_NVCC
    if (!is_host()) return check(launch_sums(body, stream()), name_of_body<Body>(), count);
#endif
    for (Index i = 0; i < count; ++i) host_sum(body, i);
  }

  /// All groups of sums of a body (lane_sums.hpp).
  template <class Body>
  void groups(const Body& body) {
#if CELLPROOF_WITH_NVCC
    if (!is_host()) return check(launch_groups(body, stream()), name_of_body<Body>(), body.count());
#endif
    for (Index i = 0; i < body.count(); ++i) host_group(body, i);
  }

  template <Storage storage>
  void persist(Recurrence recurrence, const PersistentDirections<storage>& persistent);

 protected:
  /// A cudaStream_t: of the branch that is used.
  virtual void* stream() = 0;
  /// Throws DeviceFailure that names the kernel and how much of it was launched, or std::bad_alloc, where `error`, of
  /// its launch, is a cudaError_t but cudaSuccess.
  virtual void check(int error, std::string_view kernel, Index count) = 0;
  /// The same of a persistent kernel's launch: PersistentRefused, where another kernel would do.
  virtual void check_persistent(int error, Index blocks) = 0;
  /// Records what `work` launches, instead of doing it. False: that is refused, and nothing is left of the attempt.
  virtual bool record(const std::function<void()>& work) = 0;
  /// Launches what was recorded last. False: that is refused.
  virtual bool launch_recorded() = 0;

  const Faults faults_ = faults_of_environment();
  bool is_recordable_ = true;

 private:
  std::vector<std::uint64_t> latest_key_, recorded_key_;  ///< of the last run that came to its end; empty: none
  std::uint64_t persisted_ = 0;                           ///< times on the host, each in another order of blocks
};

/// Makes a backend's device the calling thread's as long as this lives.
class OnDeviceOf {
 public:
  explicit OnDeviceOf(Backend& backend) : backend_(backend), before_(backend.enter()) {}
  OnDeviceOf(const OnDeviceOf&) = delete;
  OnDeviceOf& operator=(const OnDeviceOf&) = delete;
  ~OnDeviceOf() { backend_.leave(before_); }

 private:
  Backend& backend_;
  int before_;
};

std::unique_ptr<Backend> make_host_backend();
/// Throws Unavailable and DeviceFailure.
std::unique_ptr<Backend> make_device_backend();

/// Describes the device; throws Unavailable and DeviceFailure.
std::string describe_device();
/// Throws Unavailable and DeviceFailure where the device cannot be used.
void probe_device();

/// The steps of a persistent kernel on the host: every block keeps its own rows of R. Those that wait at a barrier take
/// turns, phase by phase; those that exchange flagged words go on in an order that `seed` decides, as far ahead as the
/// words allow. Throws DeviceFailure where they wait for each other for ever.
template <Storage storage>
void persist_on_host(Recurrence recurrence, const PersistentDirections<storage>& persistent, const Faults& faults,
                     std::uint64_t seed);

/// `count` elements of a backend's memory.
template <class T>
class Memory {
 public:
  Memory() = default;
  Memory(Backend& backend, Index count)
      : backend_(&backend),
        bytes_(static_cast<std::size_t>(count) * sizeof(T)),
        data_(static_cast<T*>(backend.allocate(bytes_))) {}
  Memory(Memory&& other) noexcept { swap(other); }
  Memory& operator=(Memory&& other) noexcept {
    swap(other);
    return *this;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (data_ != nullptr) backend_->release(data_);
  }

  T* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void swap(Memory& other) noexcept {
    std::swap(backend_, other.backend_);
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
  }

  Backend* backend_ = nullptr;
  std::size_t bytes_ = 0;
  T* data_ = nullptr;
};

}  // namespace cellproof::cuda
