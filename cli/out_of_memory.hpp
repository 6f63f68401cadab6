#pragma once

namespace cellproof::cli {

/// Prints the line of a program that is refused memory, without asking for any.
void complain_of_memory();

}  // namespace cellproof::cli
