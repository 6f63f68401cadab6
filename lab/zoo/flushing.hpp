#pragma once

namespace cellproof::lab::zoo {

/// While it lives, this thread's processor reads subnormals of float and double as zeros, and writes zeros for them: as
/// runtimes set it that ask for denormals to be zeros.
class Flushing {
 public:
  /// Throws std::runtime_error where the processor cannot, or this program does not know how.
  Flushing();
  ~Flushing();
  Flushing(const Flushing&) = delete;
  Flushing& operator=(const Flushing&) = delete;

 private:
  unsigned long before_;
};

}  // namespace cellproof::lab::zoo
