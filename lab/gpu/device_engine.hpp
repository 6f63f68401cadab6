#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engines/engine.hpp"

namespace cellproof::lab {

/// An engine in this process, without a worker: what a tool that watches a process is to see.
struct DeviceEngine {
  std::unique_ptr<engines::Engine> engine;
  std::string absent;  ///< why there is none, in one line; "" where there is
};

/// By the name that `list engines` knows: cellproof-cuda, cellproof-cuda@host, cellproof-cudnn and its variants. Each
/// plan computes its problem `runs` times, and other bits than the first time are misconduct. Throws
/// std::invalid_argument for another name, std::runtime_error for a device that is there and does not work.
DeviceEngine make_device_engine(std::string_view name, int runs);

}  // namespace cellproof::lab
