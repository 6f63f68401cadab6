#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "spec/files/append_file.hpp"

namespace cellproof::campaign {

/// Which case is inside which engine right now, on disk before the engine is entered: after a crash of the whole
/// machine or a kill -9, the last lines name the suspects. Append-only text, one write(2) a line; removed when the run
/// ends well.
class Journal {
 public:
  /// Throws as AppendFile does.
  explicit Journal(std::filesystem::path file);

  void enter(const std::string& engine, const std::string& suite, std::int64_t number, const std::string& case_line);
  void leave(const std::string& engine, const std::string& suite, std::int64_t number);
  /// The run ended well: the file is no longer needed.
  void remove();

 private:
  AppendFile file_;
};

/// The entries of a journal that were entered and never left: "engine suite number case line". Empty for a missing
/// file. Throws std::invalid_argument for what is no regular file.
std::vector<std::string> unfinished_entries(const std::filesystem::path& file);

}  // namespace cellproof::campaign
