#pragma once

#include <string>

namespace cellproof::cli {

/// Keeps what main was given, for the passport of a run; called once, before anything asks.
void remember_command_line(int argc, const char* const* argv);

/// The command line as it could be typed again: the program's plain name, then every word quoted as a shell needs it.
const std::string& command_line();

}  // namespace cellproof::cli
