#include "corpus/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "corpus/message.hpp"
#include "corpus/model.hpp"
#include "spec/files/regular_file.hpp"

namespace cellproof::corpus {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const fs::path& path, std::string_view what, const std::error_code& error) {
  throw CorpusError(fmt::format("{}: cannot {}: {}", path.string(), what, error.message()));
}

std::error_code last_error() {
  return {errno, std::generic_category()};
}

/// A hidden name beside the target, on the same file system, that no other process or thread uses.
fs::path pending_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  return target.parent_path() / fmt::format(".{}.part-{}-{}", target.filename().string(), ::getpid(), counter++);
}

}  // namespace

std::string read_file(const fs::path& file, std::uint64_t limit) {
  try {
    return read_regular_file(file, limit);
  } catch (const std::invalid_argument& error) {
    throw CorpusError(error.what());
  }
}

void write_file(const fs::path& file, std::string_view bytes) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) cannot(file, "create it", last_error());
  std::error_code error;
  while (!bytes.empty() && !error) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = last_error();
    }
  }
  if (::close(descriptor) != 0 && !error) error = last_error();
  if (error) cannot(file, "write it", error);
}

PendingDirectory::PendingDirectory(const fs::path& target) : target_(fs::absolute(target).lexically_normal()) {
  if (!target_.has_filename()) target_ = target_.parent_path();  // "DIR/"
  std::error_code error;
  if (fs::exists(fs::symlink_status(target_, error))) {
    refuse(target_.string(), "it exists already", "the name of a new directory");
  }
  fs::create_directories(target_.parent_path(), error);
  if (error) cannot(target_.parent_path(), "make the directory", error);
  path_ = pending_name(target_);
  if (!fs::create_directory(path_, error)) cannot(target_, "make the directory", error);
}

PendingDirectory::~PendingDirectory() {
  if (committed_) return;
  std::error_code ignored;  // the directory is hidden, and the failure that brought us here is being reported
  fs::remove_all(path_, ignored);
}

void PendingDirectory::make_directory(const fs::path& relative) const {
  std::error_code error;
  fs::create_directories(path_ / relative, error);
  if (error) cannot(target_ / relative, "make the directory", error);
}

void PendingDirectory::commit() {
  std::error_code error;
  fs::rename(path_, target_, error);
  if (error) cannot(target_, "move the finished directory to its name", error);
  committed_ = true;
}

}  // namespace cellproof::corpus
