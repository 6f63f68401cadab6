#include "cli/standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace cellproof::cli {
namespace {

struct Sink {
  int descriptor;
  int first_error = 0;
};

Sink out{STDOUT_FILENO}, err{STDERR_FILENO};

ssize_t write_to_sink(void* cookie, const char* bytes, std::size_t size) {
  Sink& sink = *static_cast<Sink*>(cookie);
  std::size_t written = 0;
  while (written < size) {
    const ssize_t count = ::write(sink.descriptor, bytes + written, size - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      if (sink.first_error == 0 && errno != EPIPE) sink.first_error = errno;
      break;
    }
  }
  return static_cast<ssize_t>(size);
}

/// Null where there is no memory: the next one who asks for some says so.
std::FILE* stream_to(Sink& sink, int buffering) {
  std::FILE* const stream = ::fopencookie(&sink, "w", {nullptr, write_to_sink, nullptr, nullptr});
  if (stream != nullptr) std::setvbuf(stream, nullptr, buffering, 1 << 16);
  return stream;
}

}  // namespace

void keep_errors_of_output() {
  if (std::FILE* const stream = stream_to(out, ::isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF)) stdout = stream;
  if (std::FILE* const stream = stream_to(err, _IONBF)) stderr = stream;
}

int finish_stdout() {
  std::fflush(stdout);
  return out.first_error;
}

}  // namespace cellproof::cli
