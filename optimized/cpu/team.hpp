#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace cellproof::cpu {

/// A fixed number of threads, the caller among them, that run a function together. Workers sleep between calls.
class Team {
 public:
  /// Throws node::Failure (UNAVAILABLE) where no thread can be started.
  explicit Team(std::size_t size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const { return workers_.size() + 1; }

  /// work(index) on every thread, the caller being index 0; returns when all have. Allocates nothing; work must not
  /// throw.
  template <class Work>
  void run(const Work& work) {
    run([](const void* context, std::size_t index) { (*static_cast<const Work*>(context))(index); }, &work);
  }

  /// Called by every thread of the team inside `run`: returns when all have called.
  void meet();

 private:
  using Function = void (*)(const void* context, std::size_t index);
  void run(Function function, const void* context);
  void serve(std::size_t index);
  void stop();

  /// A cache line each, and its neighbour, which processors fetch with it.
  alignas(128) std::atomic<std::uint32_t> round_{0};
  alignas(128) std::atomic<std::uint32_t> done_{0};     ///< workers that have finished, of all rounds
  alignas(128) std::atomic<std::uint32_t> arrived_{0};  ///< at the present meeting
  alignas(128) std::atomic<std::uint32_t> meeting_{0};
  Function function_ = nullptr;  ///< nullptr in a new round: the end
  const void* context_ = nullptr;
  std::vector<std::thread> workers_;
};

}  // namespace cellproof::cpu
