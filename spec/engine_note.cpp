#include "spec/engine_note.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr NameTable<engine_note_count> note_names = {"version",      "argument",
                                                     "contract",     "absent",
                                                     "cannot start", "can no longer be started",
                                                     "left behind",  "memory",
                                                     "searched",     "slow",
                                                     "starts",       "causes",
                                                     "deployed",     "search for causes",
                                                     "idle",         "asked for"};
constexpr EngineNote remarks[] = {EngineNote::Memory,         EngineNote::Slow,     EngineNote::Starts,
                                  EngineNote::LeftBehind,     EngineNote::Searched, EngineNote::Deployed,
                                  EngineNote::CausesCutShort, EngineNote::Idle};

/// "" where nothing is noted.
std::string named_words(const EngineNotes& notes, EngineNote note) {
  const std::string words = words_of(notes, note);
  return words.empty() ? "" : fmt::format("{}: {}", name(note), words);
}

}  // namespace

std::string_view name(EngineNote note) {
  return note_names.at(static_cast<std::size_t>(note));
}

std::optional<EngineNote> engine_note_named(std::string_view text) {
  return find_name<EngineNote>(note_names, text);
}

std::string words_of(const EngineNotes& notes, EngineNote note) {
  const auto found = std::ranges::find(notes, note, [](const auto& entry) { return entry.first; });
  return found == notes.end() ? "" : found->second;
}

std::string start_trouble_of(const EngineNotes& notes) {
  const std::string never = named_words(notes, EngineNote::CannotStart);
  return never.empty() ? named_words(notes, EngineNote::CannotStartAgain) : never;
}

bool is_remark(EngineNote note) {
  return std::ranges::find(remarks, note) != std::end(remarks);
}

std::vector<std::string> remarks_of(const EngineNotes& notes) {
  std::vector<std::string> all;
  for (const EngineNote remark : remarks) {
    if (std::string words = named_words(notes, remark); !words.empty()) all.push_back(std::move(words));
  }
  return all;
}

}  // namespace cellproof
