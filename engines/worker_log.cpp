#include "engines/worker_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace cellproof::engines {
namespace {

constexpr std::uint64_t kept_bytes = 64 << 10;
constexpr std::uint64_t memory_limit = 1 << 20;
constexpr std::uint64_t disk_limit = 256 << 20;

FileDescriptor open_log(const std::filesystem::path& file) {
  if (file.empty()) {
    FileDescriptor memory(memfd_create("worker-log", MFD_CLOEXEC));
    // Appending, so that after a cut the worker goes on at the new end and not at its old position.
    if (!memory || fcntl(memory.number(), F_SETFL, O_APPEND) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot make a worker's log in memory");
    return memory;
  }
  FileDescriptor disk(open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!disk)
    throw std::invalid_argument(fmt::format("{}: cannot be written as a worker's log: {}", file.string(),
                                            std::generic_category().message(errno)));
  return disk;
}

}  // namespace

WorkerLog::WorkerLog(const std::filesystem::path& file)
    : file_(open_log(file)), limit_(file.empty() ? memory_limit : disk_limit), taken_(size()), mark_(taken_) {}

std::uint64_t WorkerLog::size() const {
  struct stat state {};
  return fstat(descriptor(), &state) == 0 ? static_cast<std::uint64_t>(state.st_size) : 0;
}

std::string WorkerLog::tail(std::uint64_t begin, std::uint64_t end) const {
  end = std::min(end, size());
  begin = std::max(begin, end > kept_bytes ? end - kept_bytes : 0);
  std::string text(end > begin ? end - begin : 0, '\0');
  const ssize_t count = pread(descriptor(), text.data(), text.size(), static_cast<off_t>(begin));
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

std::string WorkerLog::since_mark() const {
  return tail(mark_, until_);
}

std::string WorkerLog::take() {
  std::string text = tail(taken_, no_end);
  taken_ = size();
  return text;
}

void WorkerLog::trim() {
  if (size() <= limit_) return;
  const std::string kept = tail(std::min(mark_, taken_), no_end);
  if (ftruncate(descriptor(), 0) != 0) return;
  static_cast<void>(!write(descriptor(), kept.data(), kept.size()));
  mark_at(taken_ = 0);
}

}  // namespace cellproof::engines
