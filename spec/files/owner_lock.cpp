#include "spec/files/owner_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "spec/files/regular_file.hpp"

namespace cellproof {
namespace {

namespace fs = std::filesystem;

/// Has the file still its name? An owner that ends removes it, perhaps between our open and our lock.
bool still_has_name(int descriptor, const fs::path& file) {
  struct stat ours {
  }, named{};
  return ::fstat(descriptor, &ours) == 0 && ::lstat(file.c_str(), &named) == 0 && ours.st_ino == named.st_ino &&
         ours.st_dev == named.st_dev;
}

/// "process 123", or "another process" in the moment before it has written its number.
std::string owner_in(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t length = ::pread(descriptor, text.data(), text.size() - 1, 0);
  const std::string number(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const std::size_t digits = number.find_first_not_of("0123456789");
  return digits == 0 || number.empty() ? "another process" : "process " + number.substr(0, digits);
}

}  // namespace

OwnerLock::OwnerLock(fs::path lock_file, const std::string& what) : file_(std::move(lock_file)) {
  for (;;) {
    descriptor_ = open_regular_file_to_write(file_, O_RDWR);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      const std::string owner = owner_in(descriptor_);
      ::close(descriptor_);
      if (error == EWOULDBLOCK)
        throw std::invalid_argument(
            fmt::format("{}: {} is writing it, expected another name or that it ends first", what, owner));
      throw std::system_error(error, std::generic_category(), fmt::format("{}: cannot be locked", file_.string()));
    }
    if (still_has_name(descriptor_, file_)) break;
    ::close(descriptor_);
  }
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, pid.data(), pid.size(), 0) >= 0) return;
  const int error = errno;
  ::close(descriptor_);
  throw std::system_error(error, std::generic_category(), fmt::format("{}: cannot be written", file_.string()));
}

OwnerLock::~OwnerLock() {
  // Before the lock goes: whoever takes it afterwards finds that its file has lost the name, and makes another.
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

fs::path lock_file_of_store(const fs::path& store) {
  return store.string() + ".lock";
}

fs::path lock_file_of_folder(const fs::path& folder) {
  return folder / "cellproof.lock";
}

}  // namespace cellproof
