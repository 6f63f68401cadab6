#include "cli/json_lines_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace cellproof::cli {

JsonLinesFile::JsonLinesFile(const std::string& argument) {
  if (argument.empty()) return;
  if (argument == "-") {
    out_ = stdout;
    return;
  }
  file_ = argument;
  temporary_ = argument + fmt::format(".{}.tmp", getpid());
  out_ = std::fopen(temporary_.c_str(), "wbe");
  if (out_ == nullptr)
    throw std::system_error(errno, std::generic_category(), fmt::format("{}: cannot be written", argument));
}

JsonLinesFile::~JsonLinesFile() {
  if (out_ != nullptr && out_ != stdout) {
    std::fclose(out_);
    std::remove(temporary_.c_str());
  }
}

void JsonLinesFile::add(const std::string& line) {
  if (out_ == nullptr) return;
  if (std::fwrite(line.data(), 1, line.size(), out_) != line.size() || std::fputc('\n', out_) == EOF) {
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("{}: cannot be written", out_ == stdout ? "stdout" : file_.string()));
  }
}

void JsonLinesFile::close() {
  if (out_ == nullptr) return;
  if (out_ == stdout) {
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "stdout: cannot be written");
    out_ = nullptr;
    return;
  }
  const bool closed = std::fclose(out_) == 0;
  const int error = errno;
  out_ = nullptr;
  if (!closed || std::rename(temporary_.c_str(), file_.c_str()) != 0) {
    const int reason = closed ? errno : error;
    std::remove(temporary_.c_str());
    throw std::system_error(reason, std::generic_category(), fmt::format("{}: cannot be written", file_.string()));
  }
}

}  // namespace cellproof::cli
