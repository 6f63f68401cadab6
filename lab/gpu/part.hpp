#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cellproof::lab {

/// A part may take eight minutes, unless another time is asked for; this leaves time to end.
inline constexpr double seconds_of_a_part = 450;

/// Seconds that are left of a part.
class PartClock {
 public:
  explicit PartClock(double seconds = seconds_of_a_part) : seconds_(seconds) {}
  double whole() const { return seconds_; }
  double left() const {
    return seconds_ - std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The record with its file and its page, both written after every step: a call that is cut off loses nothing else.
class RecordOnDisk {
 public:
  /// Reads what is there. Throws std::invalid_argument for a file that is no record.
  explicit RecordOnDisk(const std::filesystem::path& folder);
  void save() const;
  const std::filesystem::path& folder() const { return folder_; }

  nlohmann::json record;
  std::function<void()> after_save;  ///< what else is to be kept then

 private:
  std::filesystem::path folder_;
};

/// Tools of a part of gpu-check.
struct GpuPart {
  RecordOnDisk& disk;
  const std::vector<std::string>& present;  ///< engines that need a device and have one
  PartClock clock = PartClock();
};

/// A part by its name, and what does it; `check` returns an exit code.
struct PartInfo {
  const char* name;
  const char* what;
  int (*check)(GpuPart& part);
};

/// One part after the other, each for so many seconds, up to a request to stop. One that throws keeps none of those
/// behind it from running. `all_seconds`: of all parts together. The exit code of all.
int run_parts(const std::vector<PartInfo>& parts, RecordOnDisk& disk, const std::vector<std::string>& present,
              std::optional<double> all_seconds = {});

}  // namespace cellproof::lab
