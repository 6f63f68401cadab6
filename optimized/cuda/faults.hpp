#pragma once

namespace cellproof::cuda {

/// Lists what a backend is to refuse, so that tests take the ways around it: a device does what it really refuses, and
/// the host's loops behave alike.
struct Faults {
  bool recording = false;   ///< a run that is to be recorded cannot be
  bool replaying = false;   ///< what was recorded cannot be launched
  bool persistent = false;  ///< a persistent kernel is not launched
  bool first_run = false;   ///< the first run of a plan runs out of memory
  // Faults of the exchange between blocks (exchange.hpp), in the host's model alone. A test must see each of them.
  bool any_moment = false;     ///< a number of any moment is taken for the one that is needed
  bool one_half = false;       ///< H has one half
  bool one_gathering = false;  ///< a block gathers where it still reads the last phase's numbers
  bool not_cleared = false;    ///< words are not cleared before a kernel
};

/// $CELLPROOF_CUDA_FAULTS: names of the above, separated by ','. Throws DeviceFailure for another name.
Faults faults_of_environment();

}  // namespace cellproof::cuda
