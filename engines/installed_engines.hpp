#pragma once

#include <string>
#include <vector>

#include "engines/registry.hpp"

namespace cellproof::engines {

/// The engines that `cellproof install` puts into the user's folder, installed or not: those of the package's list of
/// pinned versions, engines.json; none where there is no list. Throws std::runtime_error for one that cannot be read.
std::vector<KnownEngine> installable_engines();

/// Becomes a program of the Python package: "_install.py", for which pip does the work, or "_on.py", for which a
/// cluster does. Throws std::system_error where it cannot be started.
[[noreturn]] void become_package_program(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace cellproof::engines
