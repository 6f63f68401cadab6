#pragma once

#include <filesystem>
#include <string>

namespace cellproof {

/// Owns a file or folder that one process at a time may write: an exclusive lock on a file of its own, which holds the
/// owner's process id. The kernel lets go of it when the process ends, however it ends; the file itself is removed only
/// by an owner that ends well, and blocks nobody.
class OwnerLock {
 public:
  /// Throws std::invalid_argument "WHAT: process PID is writing it, ..." where another process owns it, without
  /// waiting, and std::system_error or std::invalid_argument where `lock_file` cannot be made.
  OwnerLock(std::filesystem::path lock_file, const std::string& what);
  ~OwnerLock();
  OwnerLock(const OwnerLock&) = delete;
  OwnerLock& operator=(const OwnerLock&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

/// The lock file of a store.
std::filesystem::path lock_file_of_store(const std::filesystem::path& store);

/// The lock file of a report's folder.
std::filesystem::path lock_file_of_folder(const std::filesystem::path& folder);

}  // namespace cellproof
