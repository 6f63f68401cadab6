#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cellproof::engines {

/// An engine that the command line describes, other than by a name alone.
struct DescribedEngine {
  std::string name;                  ///< in reports
  std::vector<std::string> command;  ///< of its worker
};

/// Takes apart `onnxruntime=LIBRARY`, `onnxruntime:PROVIDER[,KEY=VALUE]...`, `backend:PACKAGE.MODULE` or
/// `NAME=COMMAND`. Of a provider's keys `library` is its plug-in library and `runtime` the ONNX Runtime that it is
/// loaded into. Throws std::invalid_argument, one clear line, where it says nothing that could be started.
DescribedEngine described_engine(std::string_view argument);

/// The engine's name in reports; that of a name alone is itself. Never throws.
std::string name_of_argument(std::string_view argument);

/// Throws std::invalid_argument where two different arguments give engines the same name.
void check_names(const std::vector<std::string>& arguments);

}  // namespace cellproof::engines
