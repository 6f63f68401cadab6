#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cellproof::cli {

/// A part may take eight minutes; this leaves time to end.
inline constexpr double seconds_of_a_part = 450;

/// Seconds that are left of a part.
class PartClock {
 public:
  double left() const {
    return seconds_of_a_part - std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
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

 private:
  std::filesystem::path folder_;
};

/// What a part of gpu-check works with.
struct GpuPart {
  RecordOnDisk& disk;
  const std::vector<std::string>& present;  ///< engines that need a device and have one
  PartClock clock = {};
};

}  // namespace cellproof::cli
