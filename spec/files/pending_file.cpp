#include "spec/files/pending_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace cellproof {
namespace {

namespace fs = std::filesystem;

/// A rename would put a file in the place of a device.
void check_is_replaceable(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(file, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_symlink(status))
    throw std::invalid_argument(fmt::format("{}: not a regular file, expected a regular file or none", file.string()));
}

fs::path unforeseen_name(const fs::path& file) {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number)
    throw std::system_error(errno, std::generic_category(), "getrandom");
  return file.string() + fmt::format(".{:016x}.tmp", number);
}

}  // namespace

PendingFile::PendingFile(fs::path file) : file_(std::move(file)) {
  check_is_replaceable(file_);
  temporary_ = unforeseen_name(file_);
  const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(errno);
  out_ = ::fdopen(descriptor, "wb");
  if (out_ != nullptr) return;
  const int error = errno;
  ::close(descriptor);
  ::unlink(temporary_.c_str());
  fail(error);
}

PendingFile::~PendingFile() {
  if (out_ == nullptr) return;
  std::fclose(out_);
  ::unlink(temporary_.c_str());
}

void PendingFile::add(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), out_) != bytes.size()) fail(errno);
}

void PendingFile::commit() {
  const bool flushed = std::fflush(out_) == 0;
  int error = flushed ? 0 : errno;
  if (std::fclose(std::exchange(out_, nullptr)) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary_.c_str(), file_.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary_.c_str());
  fail(error);
}

void PendingFile::fail(int error) const {
  throw std::system_error(error, std::generic_category(), fmt::format("{}: cannot be written", file_.string()));
}

}  // namespace cellproof
