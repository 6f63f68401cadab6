#include "spec/files/append_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "spec/files/regular_file.hpp"

namespace cellproof {

AppendFile::AppendFile(std::filesystem::path file)
    : file_(std::move(file)), descriptor_(open_regular_file_to_write(file_, O_WRONLY | O_TRUNC | O_APPEND)) {}

AppendFile::~AppendFile() {
  ::close(descriptor_);
}

void AppendFile::add(std::string_view text) const {
  errno = ENOSPC;  // what a write that is cut short means, and does not say
  if (::write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::system_error(errno, std::generic_category(), fmt::format("{}: cannot be written", file_.string()));
}

void AppendFile::remove() const {
  std::error_code ignored;  // what stays behind does no harm
  std::filesystem::remove(file_, ignored);
}

}  // namespace cellproof
