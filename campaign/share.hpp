#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "campaign/run.hpp"

namespace cellproof::campaign {

/// An end that is not known yet, or never comes.
constexpr std::chrono::steady_clock::time_point unknown_end = std::chrono::steady_clock::time_point::max();

/// When an engine's share of the time budget ends: for its cases, and for the explanations after them.
struct Share {
  std::chrono::steady_clock::time_point asked_until = unknown_end;
  std::chrono::steady_clock::time_point explained_until = unknown_end;
};

/// The share of engine number k of what is left: as much as each of those behind it has.
Share share_of(const RunOptions& options, std::size_t k);

/// "12.3 s", as a store keeps how long an engine's cases took.
std::string text_of_time(std::chrono::steady_clock::duration time);
/// The inverse; none for other words.
std::chrono::steady_clock::duration time_of_text(const std::string& text);

/// When the search for causes, and for their smaller cases, ends at the latest, of cases that were asked about between
/// these two: it takes half as long, a third of the run.
std::chrono::steady_clock::time_point end_of_modelling(std::chrono::steady_clock::time_point begin,
                                                       std::chrono::steady_clock::time_point end);

}  // namespace cellproof::campaign
