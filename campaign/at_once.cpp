#include "campaign/at_once.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "campaign/start_thread.hpp"

namespace cellproof::campaign {

void at_once(const char* purpose, std::size_t count, const std::function<void(std::size_t)>& work) {
  constexpr int other_threads = 2;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards what follows
  std::exception_ptr failure;
  const auto note_failure = [&] {  // carried to the thread that waits, and thrown again there
    next = count;
    const std::scoped_lock lock(mutex);
    if (!failure) failure = std::current_exception();
  };
  const auto work_on = [&] {
    try {
      for (std::size_t k = next++; k < count; k = next++) work(k);
    } catch (...) {
      note_failure();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (int k = 0; k < other_threads; ++k) others.push_back(start_thread(purpose, work_on));
    } catch (...) {
      note_failure();
    }
    work_on();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace cellproof::campaign
