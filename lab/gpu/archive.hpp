#pragma once

#include <filesystem>

namespace cellproof::lab {

/// Keeps what a folder of gpu-check must have to be gone on with, its record and the stores of its runs, in one
/// archive, which is whole at any time. Throws std::runtime_error (one line) where that cannot be done.
void pack_record(const std::filesystem::path& folder, const std::filesystem::path& archive);

/// Puts it into a folder that has no record yet. Throws std::invalid_argument (one line) for a folder that has one, and
/// for a file that is no such archive.
void unpack_record(const std::filesystem::path& archive, const std::filesystem::path& folder);

}  // namespace cellproof::lab
