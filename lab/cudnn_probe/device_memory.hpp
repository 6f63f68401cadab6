#pragma once

#include <string>

#include "lab/cudnn_probe/probes.hpp"

namespace cellproof::cudnn::probe {

/// Runs our layer twice over tensors that lie on the device, with other X and other lengths and no wait between the
/// two. "the same bits" as over the host's memory, where each run is waited for, or how they differ.
std::string runs_without_a_wait(const Context& context, const char* direction, bool batch_first);

}  // namespace cellproof::cudnn::probe
