#pragma once

#include <string>
#include <vector>

namespace cellproof::cli {

/// Keeps the program's name and the words that followed it, for the metadata of a run; called once, before anything
/// asks.
void remember_command_line(const std::string& program, const std::vector<std::string>& words);

/// The command line as it could be typed again: the program's plain name, then every word quoted as a shell needs it.
const std::string& command_line();
/// Those words alone, as they came.
const std::vector<std::string>& command_words();

}  // namespace cellproof::cli
