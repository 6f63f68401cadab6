#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cellproof {

/// Something that a run notes of an engine and of none of its cases.
enum class EngineNote {
  Version,
  Argument,          ///< what `--engine` takes, where that is not the engine's name
  Contract,          ///< the id of the one declared for it
  Absent,            ///< why it is not here
  CannotStart,       ///< why it did not start; fails the run
  CannotStartAgain,  ///< why it could not be started again; fails the run
  LeftBehind,        ///< processes that outlived it
  Memory,            ///< how it grew
  Searched,          ///< what came of the cases of suites without end
  Slow,              ///< cases that took far longer than their like
  Starts,            ///< of workers that had to be started twice
  Causes,            ///< of its failures, as a JSON array (docs/reports.md)
  Deployed,          ///< how many nodes of the suite of published models work
  CausesCutShort,    ///< where the search for Causes was ended early
  Idle,              ///< what workers did that nothing was asked of
  AskedFor           ///< the time in which its cases were asked about, in all calls of the run: "12.3 s"
};
inline constexpr int engine_note_count = 16;
/// "version", "argument", "contract", "absent", "cannot start", "can no longer be started", "left behind", "memory",
/// "searched", "slow", "starts", "causes", "deployed", "search for causes", "idle", "asked for"
std::string_view name(EngineNote note);
std::optional<EngineNote> engine_note_named(std::string_view text);

/// The notes on one engine with their words, in the order in which they were made.
using EngineNotes = std::vector<std::pair<EngineNote, std::string>>;

/// The words of a note, "" where it is not there.
std::string words_of(const EngineNotes& notes, EngineNote note);

/// "cannot start: no answer within 8 s"; "" where the engine did start.
std::string start_trouble_of(const EngineNotes& notes);

/// Is it a remark on how the engine behaved where no case is charged with it? None fails the run.
bool is_remark(EngineNote note);
/// "memory: grew by 12 KiB a case", one for each remark.
std::vector<std::string> remarks_of(const EngineNotes& notes);

}  // namespace cellproof
