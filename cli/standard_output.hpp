#pragma once

namespace cellproof::cli {

/// Lets a command print without looking: what cannot be written is dropped, and a closed pipe behind stdout (`| head`)
/// is no error at all. Call it once, before anything is printed.
void keep_errors_of_stdout();

/// Writes out what stdout still holds. Returns 0, or the system's error of the first write that failed (a full disk).
int finish_stdout();

}  // namespace cellproof::cli
