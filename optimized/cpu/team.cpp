#include "optimized/cpu/team.hpp"

namespace cellproof::cpu {
namespace {

/// Waits until `ready()`: a short wait costs no system call, a long one lets others have the processor.
template <class Ready>
void spin_until(Ready ready) {
  for (int spins = 0; !ready(); ++spins) {
    if (spins < 4096) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
    } else {
      std::this_thread::yield();
    }
  }
}

constexpr int spins_before_sleep = 20000;

}  // namespace

Team::Team(std::size_t size) {
  try {
    for (std::size_t index = 1; index < size; ++index) workers_.emplace_back([this, index] { serve(index); });
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
    for (int spins = 0; spins < spins_before_sleep && round_.load(std::memory_order_relaxed) == last; ++spins) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
    }
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
