#pragma once

#include <string>
#include <vector>

#include "engines/registry.hpp"

namespace cellproof::engines {

/// The engines that `cellproof install` puts into the user's folder, installed or not: those of the package's list of
/// pinned versions, engines.json; none where there is no list. Throws std::runtime_error for one that cannot be read.
std::vector<KnownEngine> installable_engines();

/// Becomes the program that installs these engines, one of the Python package: pip does the work. Throws
/// std::system_error where it cannot be started.
[[noreturn]] void become_installer(const std::vector<std::string>& names);

}  // namespace cellproof::engines
