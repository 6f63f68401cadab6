#include "spec/files/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "spec/files/pending_file.hpp"

namespace cellproof {

void write_file(const std::filesystem::path& file, std::string_view content) {
  PendingFile pending(file);
  pending.add(content);
  pending.commit();
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::system_error(error, fmt::format("{}: cannot be made", folder.string()));
}

void make_writable_folder(const std::filesystem::path& folder) {
  make_folder(folder);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw std::system_error(errno, std::generic_category(), fmt::format("{}: cannot be written", folder.string()));
}

}  // namespace cellproof
