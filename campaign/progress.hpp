#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

namespace cellproof::campaign {

/// Progress of long work on stderr: one live line on a terminal, a plain line every few seconds elsewhere. Thread-safe.
class Progress {
 public:
  /// `total`: units of work; 0 when unknown. `out` must outlive this object.
  Progress(std::string what, std::int64_t total, std::FILE* out = stderr);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One unit done; `note` is what a person wants to see beside the count ("3 diverge, 1 crash").
  void advance(const std::string& note);

 private:
  void show(bool last);

  std::mutex mutex_;
  std::string what_;
  std::string note_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::FILE* out_;
  bool terminal_;
  std::chrono::steady_clock::time_point started_, shown_;
};

}  // namespace cellproof::campaign
