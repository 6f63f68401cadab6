#pragma once

#include <string>
#include <vector>

#include "reports/capabilities.hpp"
#include "reports/tally.hpp"

namespace cellproof::reports::html {

/// Groups and causes of all engines.
struct Shown {
  std::vector<Group> groups;
  std::vector<ShownCause> causes;
  const CauseChanges* changes;  ///< since a base
  std::vector<Capabilities> capabilities;
  bool has_many_engines = false;  ///< more than a screen has room for in full
};

/// The engine's part of the first screen: its name, its counts as a bar and in words, what it gets wrong, what it
/// crashes on, what it lacks and what it reads otherwise, in a few sentences each.
std::string engine_card(const EngineTally& engine, const Shown& shown);

/// Everything about one engine: its causes, gaps, undecided cases.
std::string engine_section(const EngineTally& engine, const Shown& shown);

}  // namespace cellproof::reports::html
