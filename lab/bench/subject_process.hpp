#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/bench/subject.hpp"

namespace cellproof::lab::bench {

/// A subject that failed: crashed, hung, or said something that is no answer. One line.
class BrokeDown : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The program that all subjects are (bench/subjects/main.cpp); whether it is there is another question, since it
/// is built on demand.
std::filesystem::path subject_program();

/// A subject in a process of its own, so that no library's threads, allocator or crash reaches another's.
class SubjectProcess {
 public:
  /// Starts it; it is prepared when version() has returned. `threads`: on so many cores, the first that this process
  /// may use. Throws BrokeDown when it cannot be started.
  SubjectProcess(const std::string& name, const std::string& case_line, int threads);
  ~SubjectProcess();
  SubjectProcess(SubjectProcess&&) noexcept;

  /// Waits until it is prepared. Throws Unavailable or BrokeDown.
  std::string version();
  /// Measures for about so many seconds, as Subject::measure. Throws BrokeDown.
  Figures measure(double seconds);
  /// Returns what its last run left, by the positions that the problem asks for. Throws BrokeDown.
  Outputs outputs(const Problem& problem);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cellproof::lab::bench
