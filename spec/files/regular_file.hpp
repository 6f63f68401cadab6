#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace cellproof {

/// Reads a whole regular file of at most `limit` bytes; a link to one is followed. Throws std::invalid_argument "FILE:
/// what, expected what" for anything else. Never waits: a pipe or a device is refused.
std::string read_regular_file(const std::filesystem::path& file, std::uint64_t limit);

/// Opens a regular file to write to it, made where it is missing, and returns the descriptor; `flags` are more of those
/// of open(2). Throws std::invalid_argument for a link or anything else that is no regular file, and std::system_error
/// "FILE: cannot be written".
int open_regular_file_to_write(const std::filesystem::path& file, int flags);

}  // namespace cellproof
