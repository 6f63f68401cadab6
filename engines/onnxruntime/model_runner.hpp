#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/onnxruntime/c_api.hpp"
#include "engines/onnxruntime/provider.hpp"
#include "engines/serve.hpp"

namespace cellproof::engines::ort {

/// ONNX Runtime with one of its providers, by default the CPU's, as its users get it: graph optimisations at their
/// default (all), which leave a lone recurrent node as it is, and buffers of its own; but one thread, so that a case
/// gives the same bits each time.
class OnnxRuntimeRunner : public ModelRunner {
 public:
  /// Throws LibraryError.
  explicit OnnxRuntimeRunner(const std::filesystem::path& library, std::optional<Provider> provider = {});

  EngineDescription describe() override;
  Support supports(std::string_view model) override;
  ModelReply run(const ModelRequest& request) override;

 private:
  CApi::Session open(std::string_view model) const;
  /// Says of an error what it means, and in which words.
  std::pair<OutcomeKind, std::string> answer_to(const CallError& error) const;
  /// Returns the runtime's outputs, in the order of the names. Throws CallError, with the times spent until then
  /// counted.
  std::vector<Tensor> compute(const ModelRequest& request, std::vector<Tensor>& inputs, Timings& timings) const;

  CApi api_;
  CApi::Env environment_;
  CApi::SessionOptions options_;
  CApi::MemoryInfo memory_;
  std::string provider_, provider_version_;  ///< "" for the CPU's
  std::optional<ContractId> contract_;
};

}  // namespace cellproof::engines::ort
