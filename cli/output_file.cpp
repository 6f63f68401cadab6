#include "cli/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

namespace cellproof::cli {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, int error) {
  throw std::system_error(error, std::generic_category(), fmt::format("{}: cannot be written", file.string()));
}

}  // namespace

void write_file(const std::filesystem::path& file, std::string_view content) {
  const std::filesystem::path temporary = file.string() + fmt::format(".{}.tmp", getpid());
  std::FILE* out = std::fopen(temporary.c_str(), "wbe");
  if (out == nullptr) fail(file, errno);
  const bool written = std::fwrite(content.data(), 1, content.size(), out) == content.size() && std::fflush(out) == 0;
  const int write_error = errno;
  const bool closed = std::fclose(out) == 0;
  if (!written || !closed || std::rename(temporary.c_str(), file.c_str()) != 0) {
    const int error = written ? errno : write_error;
    std::remove(temporary.c_str());
    fail(file, error);
  }
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::system_error(error, fmt::format("{}: cannot be made", folder.string()));
}

}  // namespace cellproof::cli
