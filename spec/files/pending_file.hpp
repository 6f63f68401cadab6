#pragma once

#include <cstdio>
#include <filesystem>
#include <string_view>

namespace cellproof {

/// A file that has its name only once it is whole: it grows beside it, under a name that nobody can foresee, and
/// commit() renames it. Without commit() nothing is left. What has the name before, a link, too, is replaced and never
/// written to.
class PendingFile {
 public:
  /// Throws std::system_error "FILE: cannot be written", and std::invalid_argument where something has the name that is
  /// no file.
  explicit PendingFile(std::filesystem::path file);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  /// Throws std::system_error as the constructor does (a full disk).
  void add(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path file_, temporary_;
  std::FILE* out_ = nullptr;
};

}  // namespace cellproof
