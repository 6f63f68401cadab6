#pragma once

#include <cstddef>
#include <new>
#include <string>

#include "optimized/node/node.hpp"

namespace cellproof::node {

/// Writes one line where a caller of the C interface wants it (nullptr: nowhere), cut to `size`, always terminated.
void say(const std::string& text, char* message, std::size_t size);

/// Returns `data`, or for an empty tensor that comes without any a place to point to; nullptr where the node has no
/// such input. Throws Invalid where data is missing.
const void* required_data(const Node& node, std::size_t input, const void* data);

/// Returns the status that `work` comes to, and says why where it is not OK.
template <class Work>
cellproof_status status_of(char* message, std::size_t size, Work work) {
  say("", message, size);
  try {
    work();
    return CELLPROOF_OK;
  } catch (const Failure& failure) {
    say(failure.what(), message, size);
    return failure.status();
  } catch (const std::bad_alloc&) {
    say("out of memory", message, size);
    return CELLPROOF_OUT_OF_MEMORY;
  }
}

}  // namespace cellproof::node
