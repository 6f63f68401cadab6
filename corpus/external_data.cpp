#include "corpus/external_data.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "corpus/message.hpp"

namespace cellproof::corpus {
namespace {

namespace fs = std::filesystem;

bool lies_inside(const fs::path& file, const fs::path& directory) {
  const auto relative = file.lexically_relative(directory);
  return !relative.empty() && *relative.begin() != ".." && *relative.begin() != ".";
}

/// The file with all symlinks resolved, proved to be a regular one inside the directory.
fs::path resolve(const std::string& location, const std::string& where, const std::string& directory) {
  const std::string named = "external data " + in_quotes(location);
  if (directory.empty()) refuse(where, named, "the data inside the file (external data is not allowed here)");
  const fs::path relative(location);
  if (location.empty() || location.find('\0') != std::string::npos || relative.is_absolute()) {
    refuse(where, named, "a relative path inside the model's directory");
  }
  for (const auto& part : relative) {
    if (part == "..") refuse(where, named, "a path without '..' inside the model's directory");
  }
  std::error_code error;
  const auto root = fs::canonical(directory, error);
  if (error)
    refuse(where, fmt::format("directory {}: {}", in_quotes(directory), error.message()), "a readable directory");
  auto file = fs::canonical(root / relative, error);
  if (error) refuse(where, fmt::format("{}: {}", named, error.message()), "a readable file");
  if (!lies_inside(file, root)) refuse(where, named + " leads out of the model's directory", "a file inside it");
  if (!fs::is_regular_file(file, error)) refuse(where, named + " is not a regular file", "a regular file");
  return file;
}

}  // namespace

fs::path find_external_data(const ExternalLocation& external, std::size_t size, const std::string& where,
                            const std::string& directory) {
  auto file = resolve(external.location, where, directory);
  const std::string named = "external data " + in_quotes(external.location);
  std::error_code error;
  const std::uint64_t available = fs::file_size(file, error);
  if (error) refuse(where, fmt::format("{}: {}", named, error.message()), "a readable file");
  if (external.offset > available) {
    refuse(where, fmt::format("{}: offset {} lies beyond its {} bytes", named, external.offset, available),
           "an offset inside the file");
  }
  const std::uint64_t held = available - external.offset;
  const std::uint64_t length = external.length.value_or(held);
  if (length != size) refuse(where, fmt::format("{} gives {} bytes", named, length), fmt::format("{} bytes", size));
  if (length > held) {
    refuse(where, fmt::format("{} holds {} bytes from offset {}", named, held, external.offset),
           fmt::format("{} bytes", size));
  }
  return file;
}

std::vector<std::byte> read_external_data(const ExternalLocation& external, std::size_t size, const std::string& where,
                                          const std::string& directory) {
  const fs::path file = find_external_data(external, size, where, directory);
  std::vector<std::byte> bytes(size);
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(external.offset));
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!stream)
    refuse(where, fmt::format("external data {} cannot be read", in_quotes(external.location)),
           fmt::format("{} bytes", size));
  return bytes;
}

}  // namespace cellproof::corpus
