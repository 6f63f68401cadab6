#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/onnxruntime/c_api.hpp"
#include "spec/contract.hpp"

namespace cellproof::engines::ort {

/// The provider that a session runs on where nothing is chosen.
inline constexpr std::string_view cpu_provider = "CPUExecutionProvider";

/// An execution provider other than ONNX Runtime's CPU code, and how it is to be made.
struct Provider {
  std::string name;                    ///< "QNNExecutionProvider"
  std::filesystem::path library;       ///< of a plug-in; empty: one that is built into the runtime
  std::string version;                 ///< of its package, where that is known; no interface tells it
  std::optional<ContractId> contract;  ///< that it is declared to keep
  std::vector<std::pair<std::string, std::string>> options;
};

/// From a worker's arguments: a name, then KEY=VALUE. The keys `library`, `version` and `contract` are ours, all others
/// options of the provider. Throws LibraryError.
Provider provider_of(const std::vector<std::string>& arguments);

/// Makes sessions run on the provider alone: where it does not take a node the session is refused, and the CPU code
/// does not run in its place. Throws LibraryError where the runtime does not have the provider.
void choose(const CApi& api, const Provider& provider, void* environment, void* session_options);

/// Is it what the runtime says of a node that only its CPU code would have taken?
bool is_fallback(std::string_view message);

}  // namespace cellproof::engines::ort
