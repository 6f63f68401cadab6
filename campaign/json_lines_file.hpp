#pragma once

#include <optional>
#include <string>

#include "spec/files/pending_file.hpp"

namespace cellproof::campaign {

/// Writes `--json FILE|-` line by line, so that memory stays constant: "-" is stdout, "" nowhere. A file grows
/// under a temporary name and gets its own with close(); without close() nothing is left.
class JsonLinesFile {
 public:
  /// Throws std::system_error "FILE: cannot be written".
  explicit JsonLinesFile(const std::string& argument);
  void add(const std::string& line);
  void close();

 private:
  std::optional<PendingFile> file_;
  bool to_stdout_;
};

}  // namespace cellproof::campaign
