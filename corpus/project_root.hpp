#pragma once

#include <filesystem>

namespace cellproof::corpus {

/// Folder of the project's own files: what CELLPROOF_ROOT says (the launcher sets it), otherwise the tree that the
/// program was built from.
std::filesystem::path project_root();

}  // namespace cellproof::corpus
