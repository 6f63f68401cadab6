#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace cellproof::engines {

/// A file descriptor that is closed with its owner; -1 owns nothing.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { close(); }
  void close();
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// The two ends of a pipe, closed on exec, enlarged as far as the system lets us. Throws std::system_error.
struct Pipe {
  FileDescriptor read_end, write_end;
};
Pipe make_pipe();

/// The same open file at a number above the standard ones, closed on exec. Throws std::system_error.
FileDescriptor duplicate_high(int number);

/// From now on reads and writes return at once. Throws std::system_error.
void set_nonblocking(const FileDescriptor& descriptor);

/// Returns where the file ends that stderr goes to, this process's own streams flushed; nullopt where it goes to no
/// file.
std::optional<std::uint64_t> printed_so_far();

/// Result of one read or write.
enum class Transfer { Moved, WouldBlock, Closed };
struct TransferResult {
  Transfer what;
  std::size_t count;  ///< bytes, where it Moved
};
/// One read; Closed at the end of the stream. Throws std::system_error.
TransferResult read_some(int descriptor, char* into, std::size_t room);
/// One write; Closed where nobody reads any more (SIGPIPE is kept from the process). Throws std::system_error.
TransferResult write_some(int descriptor, std::string_view bytes);

}  // namespace cellproof::engines
