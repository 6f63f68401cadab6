#pragma once

namespace cellproof::campaign {

/// Returns the signal that asked for a stop, SIGINT or SIGTERM; 0 where none has.
int stop_signal();

/// Has a signal asked for a stop? What is running ends soon and keeps its results.
bool stop_is_requested();

/// Takes SIGINT and SIGTERM while it lives: the first one asks for a stop, the second one terminates the program.
/// Afterwards both do what they did before, unless one has come: then another one terminates.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

 private:
  using Handler = void (*)(int);
  Handler interrupt_, terminate_;
};

}  // namespace cellproof::campaign
