#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/tensor.hpp"

namespace cellproof {

/// One run of a problem on an engine: did it run at all. Whether its numbers are right is the judge's
/// word.
enum class OutcomeKind { Ran, NotSupported, Rejected, Crashed, TimedOut, OutOfMemory, EngineAbsent, HarnessError };
/// "RAN", "NOT_SUPPORTED", "REJECTED", "CRASHED", "TIMED_OUT", "OUT_OF_MEMORY", "ENGINE_ABSENT", "HARNESS_ERROR"
std::string_view name(OutcomeKind kind);
std::optional<OutcomeKind> outcome_kind_named(std::string_view text);

/// Misdeed of an engine, wrong whatever its numbers are.
enum class Misconduct { ChangedInputs, DiffersOnRepeat, UninitialisedMemory };
/// "changed its inputs", "differs between two identical calls", "returns uninitialised memory"
std::string_view describe(Misconduct misconduct);

/// Seconds spent inside the engine's own calls, as the worker measured them (0 where it does not say).
struct Timings {
  double prepare = 0;  ///< session creation, weight packing
  double run = 0;
  double release = 0;
};

struct Outcome {
  OutcomeKind kind = OutcomeKind::HarnessError;
  std::string message;           ///< reason, the engine's own error text, or how it died; one line
  int signal = 0;                ///< of a crash by signal
  bool before_the_case = false;  ///< the engine did not even start: no case has to do with it
  Outputs outputs;               ///< RAN only: what the engine returned, by position, exactly as returned
  std::vector<Misconduct> misconduct;
  Timings timings;
};

}  // namespace cellproof
