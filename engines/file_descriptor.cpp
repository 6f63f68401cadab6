#include "engines/file_descriptor.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

namespace cellproof::engines {
namespace {

constexpr int pipe_bytes = 1 << 20;  // what an unprivileged user may have (/proc/sys/fs/pipe-max-size)
constexpr int first_high = 10;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A write to a pipe that nobody reads raises SIGPIPE in the writing thread: held back here, and taken away if it came.
class HoldSigpipe {
 public:
  HoldSigpipe() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
  }
  HoldSigpipe(const HoldSigpipe&) = delete;
  HoldSigpipe& operator=(const HoldSigpipe&) = delete;
  ~HoldSigpipe() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  void take_away() {
    const timespec now{};
    while (!was_pending_ && sigtimedwait(&sigpipe_, nullptr, &now) < 0 && errno == EINTR) {
    }
  }

 private:
  sigset_t sigpipe_{}, before_{};
  bool was_pending_ = false;
};

}  // namespace

void FileDescriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe to a worker");
  Pipe made{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  // A smaller pipe works too, only slower: the user's share of pipe memory may be used up.
  static_cast<void>(fcntl(ends[1], F_SETPIPE_SZ, pipe_bytes));
  return made;
}

FileDescriptor duplicate_high(int number) {
  const int copy = fcntl(number, F_DUPFD_CLOEXEC, first_high);
  if (copy < 0) fail("cannot duplicate a descriptor");
  return FileDescriptor(copy);
}

void set_nonblocking(const FileDescriptor& descriptor) {
  const int flags = fcntl(descriptor.number(), F_GETFL);
  if (flags < 0 || fcntl(descriptor.number(), F_SETFL, flags | O_NONBLOCK) != 0) fail("fcntl");
}

TransferResult read_some(int descriptor, char* into, std::size_t room) {
  for (;;) {
    const ssize_t count = read(descriptor, into, room);
    if (count > 0) return {Transfer::Moved, static_cast<std::size_t>(count)};
    if (count == 0) return {Transfer::Closed, 0};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {Transfer::WouldBlock, 0};
    if (errno != EINTR) fail("cannot read from a worker");
  }
}

TransferResult write_some(int descriptor, std::string_view bytes) {
  HoldSigpipe hold;
  for (;;) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count >= 0) return {Transfer::Moved, static_cast<std::size_t>(count)};
    if (errno == EPIPE) {
      hold.take_away();
      return {Transfer::Closed, 0};
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {Transfer::WouldBlock, 0};
    if (errno != EINTR) fail("cannot write to a worker");
  }
}

std::optional<std::uint64_t> printed_so_far() {
  std::cout.flush();
  std::fflush(nullptr);
  struct stat file {};
  if (fstat(STDERR_FILENO, &file) != 0 || !S_ISREG(file.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(file.st_size);
}

}  // namespace cellproof::engines
