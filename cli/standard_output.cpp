#include "cli/standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace cellproof::cli {
namespace {

int first_error = 0;

ssize_t write_to_stdout(void* /*cookie*/, const char* bytes, std::size_t size) {
  std::size_t written = 0;
  while (written < size) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes + written, size - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      if (first_error == 0 && errno != EPIPE) first_error = errno;
      break;
    }
  }
  return static_cast<ssize_t>(size);
}

}  // namespace

void keep_errors_of_stdout() {
  const cookie_io_functions_t functions{nullptr, write_to_stdout, nullptr, nullptr};
  std::FILE* const out = ::fopencookie(nullptr, "w", functions);
  if (out == nullptr) return;  // no memory: the next one who asks for some says so
  std::setvbuf(out, nullptr, ::isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF, 1 << 16);
  stdout = out;
}

int finish_stdout() {
  std::fflush(stdout);
  return first_error;
}

}  // namespace cellproof::cli
