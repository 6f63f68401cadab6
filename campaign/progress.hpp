#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>

namespace cellproof::campaign {

/// Progress of long work on stderr: one live line on a terminal, a plain line every few seconds elsewhere. Work of
/// unknown length that is done before it is shown leaves no line. Thread-safe.
class Progress {
 public:
  /// `total`: units of work; 0 when unknown. `out` must outlive this object. `every`: how often it is shown; what is
  /// right for `out`, if not given.
  Progress(std::string what, std::int64_t total, std::FILE* out = stderr,
           std::optional<std::chrono::milliseconds> every = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One unit done; `note` is what a person wants to see beside the count ("3 diverge, 1 crash").
  void advance(const std::string& note);
  /// The work goes on, though no unit is done.
  void go_on();

 private:
  void show(bool last);
  void show_where_it_is_time();

  std::mutex mutex_;
  std::string what_;
  std::string note_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::FILE* out_;
  bool terminal_;
  std::chrono::milliseconds every_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point started_, shown_;
};

}  // namespace cellproof::campaign
