#pragma once

#include <fmt/format.h>

#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace cellproof::campaign {

/// Starts a thread. Throws std::system_error that names its purpose ("to judge cases") where the system has no more.
template <class Work>
std::jthread start_thread(std::string_view purpose, Work&& work) {
  try {
    return std::jthread(std::forward<Work>(work));
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), fmt::format("cannot start a thread {}", purpose));
  }
}

}  // namespace cellproof::campaign
