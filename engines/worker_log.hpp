#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "engines/file_descriptor.hpp"

namespace cellproof::engines {

/// A worker's stdout and stderr: a file, on disk or in memory, so that a worker never waits for somebody to
/// read what it prints. Outlives the process that writes it. A worker that prints without end loses the beginning, not
/// the end.
class WorkerLog {
 public:
  /// Empty: in memory. Throws std::invalid_argument when the file cannot be written.
  explicit WorkerLog(const std::filesystem::path& file);

  int descriptor() const { return file_.number(); }
  /// Counts what is printed from now on to the next case.
  void mark() { mark_at(size()); }
  /// Counts what was printed since end() was `position` to the next case.
  void mark_at(std::uint64_t position) { mark_ = position, until_ = no_end; }
  /// Counts what was printed since end() was `position` to no case until the next mark.
  void end_at(std::uint64_t position) { until_ = position; }
  /// Returns where the next line will be printed.
  std::uint64_t end() const { return size(); }
  /// Returns what was printed since the mark, and before the end where one is set, at most the last 64 KiB.
  std::string since_mark() const;
  /// Returns what was printed since the last take(), at most the last 64 KiB.
  std::string take();
  /// Cuts the log when it has grown beyond what may be kept. To be called now and then while the worker runs.
  void trim();

 private:
  std::uint64_t size() const;
  std::string tail(std::uint64_t begin, std::uint64_t end) const;

  static constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

  FileDescriptor file_;
  std::uint64_t limit_;
  std::uint64_t taken_ = 0, mark_ = 0, until_ = no_end;  ///< positions in the file
};

}  // namespace cellproof::engines
