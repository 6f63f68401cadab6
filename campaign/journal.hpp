#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace cellproof::campaign {

/// Which case is inside which engine right now, on disk before the engine is entered: after a crash of the whole
/// machine or a kill -9, the last lines name the suspects. Append-only text, one write(2) a line; removed when the run
/// ends well.
class Journal {
 public:
  /// Throws std::system_error when the file cannot be made.
  explicit Journal(std::filesystem::path file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void enter(const std::string& engine, const std::string& suite, std::int64_t number, const std::string& case_line);
  void leave(const std::string& engine, const std::string& suite, std::int64_t number);
  /// The run ended well: the file is no longer needed.
  void remove();

 private:
  void write(const std::string& line);

  std::filesystem::path file_;
  std::mutex mutex_;
  int descriptor_ = -1;
};

/// The entries of a journal that were entered and never left: "engine suite number case line". Empty for a missing
/// file.
std::vector<std::string> unfinished_entries(const std::filesystem::path& file);

}  // namespace cellproof::campaign
