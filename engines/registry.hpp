#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine_argument.hpp"
#include "engines/worker_engine.hpp"

namespace cellproof::engines {

/// One engine that the project knows by name.
struct KnownEngine {
  std::string name;                  ///< "reference", "onnxruntime", "onnx-reference"
  std::string what;                  ///< "ONNX Runtime 1.32.0, CPU"
  std::vector<std::string> command;  ///< of its worker
  std::string absent;                ///< why it cannot be used here, found without starting it; empty: present
  bool by_default = true;            ///< used where no engine is named
  bool needs_device = false;         ///< a GPU. Whether it is there is known only to its worker: absence_of asks it
  bool needs_processor = false;      ///< features or a library that not every machine has: likewise
};

/// All of them, in a fixed order, present or not. Cheap: looks at files, starts nothing.
std::vector<KnownEngine> known_engines();

/// Why an engine cannot be used here, in one line; "" if it can. Starts the worker of one that needs a device or a
/// processor's features, and no other; that worker then fails or hangs as it would in a run, which is no absence.
std::string absence_of(const KnownEngine& engine);

/// From the command line's `NAME`, or what described_engine() takes. Throws std::invalid_argument (one clear line) for
/// an unknown name.
std::unique_ptr<WorkerEngine> make_engine(std::string_view argument, WorkerOptions options = {});

}  // namespace cellproof::engines
