#pragma once

#include <exception>

namespace cellproof::engines {

/// Remembers the exception that left an object's work half done, such as the refusal of memory between an answer and
/// the note of whose it was. To go on would charge one case with another's answer.
class Interruption {
 public:
  /// Runs `work`, unless something was interrupted before: then that is thrown again.
  template <class Work>
  auto guard(const Work& work) {
    if (cause_) std::rethrow_exception(cause_);
    try {
      return work();
    } catch (...) {
      cause_ = std::current_exception();
      throw;
    }
  }

 private:
  std::exception_ptr cause_;
};

}  // namespace cellproof::engines
