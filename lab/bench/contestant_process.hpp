#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/bench/contestant.hpp"

namespace cellproof::lab::bench {

/// A contestant that broke down: crashed, hung, or said something that is no answer. One line.
class BrokeDown : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The program that all contestants are (bench/contestants/main.cpp); whether it is there is another question, since it
/// is built on demand.
std::filesystem::path contestant_program();

/// A contestant in a process of its own, so that no library's threads, allocator or crash reaches another's.
class ContestantProcess {
 public:
  /// Starts it; it is prepared when version() has returned. `threads`: on so many cores, the first that this process
  /// may use. Throws BrokeDown when it cannot be started.
  ContestantProcess(const std::string& name, const std::string& case_line, int threads);
  ~ContestantProcess();
  ContestantProcess(ContestantProcess&&) noexcept;

  /// Waits until it is prepared. Throws TakesNoPart or BrokeDown.
  std::string version();
  /// Measures for about so many seconds, as Contestant::measure. Throws BrokeDown.
  Figures measure(double seconds);
  /// Returns what its last run left, by the positions that the problem asks for. Throws BrokeDown.
  Outputs outputs(const Problem& problem);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cellproof::lab::bench
