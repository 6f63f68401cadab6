#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace cellproof::corpus {

/// The bytes of a regular file of at most `limit` bytes. Throws CorpusError.
std::string read_file(const std::filesystem::path& file, std::uint64_t limit);

/// Creates the file and writes all bytes, or throws CorpusError with the system's reason (no space, no permission,
/// ...).
void write_file(const std::filesystem::path& file, std::string_view bytes);

/// A directory that appears under its final name only when it is complete: made beside it under a hidden name, renamed
/// by commit(), removed when commit() was not reached.
class PendingDirectory {
 public:
  /// Makes missing parents, too. Throws CorpusError when `target` exists or cannot be made.
  explicit PendingDirectory(const std::filesystem::path& target);
  ~PendingDirectory();
  PendingDirectory(const PendingDirectory&) = delete;
  PendingDirectory& operator=(const PendingDirectory&) = delete;

  /// Path to write to until commit().
  const std::filesystem::path& path() const { return path_; }
  void make_directory(const std::filesystem::path& relative) const;
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  bool committed_ = false;
};

}  // namespace cellproof::corpus
