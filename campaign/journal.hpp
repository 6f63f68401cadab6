#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "spec/files/append_file.hpp"

namespace cellproof::campaign {

/// Which case is inside which engine right now, on disk before the engine is entered: after a crash of the whole
/// machine or a kill -9, the last lines name the suspects. One write(2) a line; removed when the run ends well.
/// Thread-safe.
class Journal {
 public:
  /// `most_bytes`: a longer file is begun anew with what has not been left, so that no run fills the disk. Throws as
  /// AppendFile does.
  explicit Journal(std::filesystem::path file, std::size_t most_bytes = std::size_t{16} << 20);

  void enter(const std::string& engine, const std::string& suite, std::int64_t number, const std::string& case_line);
  void leave(const std::string& engine, const std::string& suite, std::int64_t number);
  /// The run ended well: the file is no longer needed.
  void remove();

 private:
  void add(const std::string& line);

  const std::filesystem::path path_;
  const std::size_t most_bytes_;
  std::mutex mutex_;  ///< guards what follows
  std::optional<AppendFile> file_;
  std::size_t bytes_ = 0;
  std::map<std::string, std::string> open_;  ///< lines of what has been entered and not left
};

/// The entries of a journal that were entered and never left: "engine suite number case line". Empty for a missing
/// file. Throws std::invalid_argument for what is no regular file.
std::vector<std::string> unfinished_entries(const std::filesystem::path& file);

}  // namespace cellproof::campaign
