#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimized/cudnn/context.hpp"

namespace cellproof::cudnn::probe {

/// What was asked and what cuDNN answered, in words and numbers.
using Rows = std::vector<std::pair<std::string, std::string>>;

/// An open question about cuDNN that only a device can answer.
struct Probe {
  const char* name;  ///< one letter
  const char* question;
  Rows (*ask)(const cellproof_cudnn_context& context);
};
std::span<const Probe> probes();

/// One line of JSON: {"probe", "question", "on", "rows": [{"asked", "answer"}]}.
std::string json_line(const Probe& probe, const std::string& on, const Rows& rows);

}  // namespace cellproof::cudnn::probe
