#pragma once

#include <filesystem>
#include <string_view>

namespace cellproof {

/// Writes a whole file under a temporary name beside it and renames it, so that nothing partial ever has the final
/// name. Throws std::system_error "FILE: cannot be written" (unwritable folder, full disk); the temporary file is
/// removed then.
void write_file(const std::filesystem::path& file, std::string_view content);

/// Makes the folder and its parents. Throws std::system_error with the path.
void make_folder(const std::filesystem::path& folder);

/// The same, and throws where nothing can be written in it: before hours of work, not after them.
void make_writable_folder(const std::filesystem::path& folder);

}  // namespace cellproof
