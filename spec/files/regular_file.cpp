#include "spec/files/regular_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace cellproof {
namespace {

namespace fs = std::filesystem;

constexpr mode_t by_umask = 0666;

[[noreturn]] void refuse(const fs::path& file, std::string_view what, std::string_view expected) {
  throw std::invalid_argument(fmt::format("{}: {}, expected {}", file.string(), what, expected));
}

[[noreturn]] void cannot_read(const fs::path& file, int error) {
  if (error == ENOENT) refuse(file, "no such file", "a readable file");
  if (error == ENXIO) refuse(file, "not a regular file", "a regular file");  // a socket
  refuse(file, fmt::format("cannot read it: {}", std::generic_category().message(error)), "a readable file");
}

struct ClosedAtExit {
  int descriptor;
  ~ClosedAtExit() { ::close(descriptor); }
};

}  // namespace

std::string read_regular_file(const fs::path& file, std::uint64_t limit) {
  // Without O_NONBLOCK a pipe that nobody writes to would be waited for.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) cannot_read(file, errno);
  const ClosedAtExit closed{descriptor};
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) cannot_read(file, errno);
  if (!S_ISREG(status.st_mode)) refuse(file, "not a regular file", "a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > limit) refuse(file, fmt::format("{} bytes", size), fmt::format("at most {}", limit));
  std::string bytes;
  bytes.reserve(size);
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(file, errno);
    if (got == 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
    // It may grow while it is read.
    if (bytes.size() > limit) refuse(file, fmt::format("more than {} bytes", limit), fmt::format("at most {}", limit));
  }
}

int open_regular_file_to_write(const fs::path& file, int flags) {
  const int descriptor =
      ::open(file.c_str(), O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags, by_umask);
  if (descriptor < 0 && errno == ELOOP) refuse(file, "a symbolic link", "a regular file");
  if (descriptor < 0 && errno == ENXIO) refuse(file, "not a regular file", "a regular file");
  if (descriptor < 0)
    throw std::system_error(errno, std::generic_category(), fmt::format("{}: cannot be written", file.string()));
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return descriptor;
  ::close(descriptor);
  refuse(file, "not a regular file", "a regular file");
}

}  // namespace cellproof
