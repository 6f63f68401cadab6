#include "optimized/cpu/team.hpp"

#include <string>
#include <system_error>

#include "optimized/node/node.hpp"

namespace cellproof::cpu {
namespace {

/// A moment in which the other thread of the core may work: from some 40 cycles (Zen) to 140 (Intel since Skylake).
void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

constexpr int spins_before_yield = 64;

/// Waits until `ready()`: a wait of a few microseconds costs no system call, and a longer one, which there is where a
/// thread of the team has no processor, gives this one away.
template <class Ready>
void spin_until(Ready ready) {
  for (int spins = 0; !ready(); ++spins) {
    if (spins < spins_before_yield) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

/// About 0.1 ms: calls that follow each other find the workers awake.
constexpr int spins_before_sleep = 2000;

}  // namespace

Team::Team(std::size_t size) {
  try {
    for (std::size_t index = 1; index < size; ++index) workers_.emplace_back([this, index] { serve(index); });
  } catch (const std::system_error& error) {
    stop();
    throw node::Failure(CELLPROOF_UNAVAILABLE, std::string("no thread can be started: ") + error.what());
  } catch (...) {
    stop();
    throw;
  }
}

Team::~Team() {
  stop();
}

void Team::stop() {
  function_ = nullptr;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Team::run(Function function, const void* context) {
  if (workers_.empty()) return function(context, 0);
  function_ = function;
  context_ = context;
  const auto finished = done_.load(std::memory_order_relaxed) + static_cast<std::uint32_t>(workers_.size());
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  function(context, 0);
  spin_until([&] { return done_.load(std::memory_order_acquire) == finished; });
}

void Team::serve(std::size_t index) {
  std::uint32_t last = 0;
  for (;;) {
    for (int spins = 0; spins < spins_before_sleep && round_.load(std::memory_order_relaxed) == last; ++spins) pause();
    round_.wait(last, std::memory_order_relaxed);
    last = round_.load(std::memory_order_acquire);
    if (function_ == nullptr) return;
    function_(context_, index);
    done_.fetch_add(1, std::memory_order_release);
  }
}

void Team::meet() {
  if (workers_.empty()) return;
  const auto meeting = meeting_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size()) {
    arrived_.store(0, std::memory_order_relaxed);
    meeting_.store(meeting + 1, std::memory_order_release);
    return;
  }
  spin_until([&] { return meeting_.load(std::memory_order_acquire) != meeting; });
}

}  // namespace cellproof::cpu
