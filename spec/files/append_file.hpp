#pragma once

#include <filesystem>
#include <string_view>

namespace cellproof {

/// A file of lines that is there for whoever comes after a kill -9: begun anew, each line handed to the system at once.
class AppendFile {
 public:
  /// Throws std::system_error "FILE: cannot be written", and std::invalid_argument for a link or anything else that is
  /// no regular file.
  explicit AppendFile(std::filesystem::path file);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Writes all of the text with one write(2), so that those of several threads do not mix. Throws std::system_error.
  void add(std::string_view text) const;
  /// Removes the file: it is no longer needed.
  void remove() const;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace cellproof
