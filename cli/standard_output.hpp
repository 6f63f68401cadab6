#pragma once

namespace cellproof::cli {

/// Lets a command print to stdout and stderr without looking: what cannot be written is dropped, and a closed pipe
/// behind them (`| head`) is no error at all. Call it once, before anything is printed.
void keep_errors_of_output();

/// Writes out what stdout still holds. Returns 0, or the system's error of the first write to it that failed (a full
/// disk). Nothing that stderr refuses is a result.
int finish_stdout();

}  // namespace cellproof::cli
