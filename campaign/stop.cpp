#include "campaign/stop.hpp"

#include <atomic>
#include <csignal>

namespace cellproof::campaign {
namespace {

std::atomic<int> signal_that_stops = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // a signal handler sets it

void ask_for_a_stop(int signal) {
  signal_that_stops = signal;
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
}

}  // namespace

int stop_signal() {
  return signal_that_stops;
}

bool stop_is_requested() {
  return stop_signal() != 0;
}

StopOnSignal::StopOnSignal()
    : interrupt_(std::signal(SIGINT, ask_for_a_stop)), terminate_(std::signal(SIGTERM, ask_for_a_stop)) {}

StopOnSignal::~StopOnSignal() {
  if (stop_is_requested()) return;
  std::signal(SIGINT, interrupt_);
  std::signal(SIGTERM, terminate_);
}

}  // namespace cellproof::campaign
