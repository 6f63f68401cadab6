#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace cellproof::cli {

/// Where `--json FILE|-` goes, line by line, so that memory stays constant: "-" is stdout, "" nowhere. A file grows
/// under a temporary name and gets its own with close(); without close() nothing is left.
class JsonLinesFile {
 public:
  /// Throws std::system_error "FILE: cannot be written".
  explicit JsonLinesFile(const std::string& argument);
  ~JsonLinesFile();
  JsonLinesFile(const JsonLinesFile&) = delete;
  JsonLinesFile& operator=(const JsonLinesFile&) = delete;

  void add(const std::string& line);
  void close();

 private:
  std::filesystem::path file_, temporary_;
  std::FILE* out_ = nullptr;
};

}  // namespace cellproof::cli
