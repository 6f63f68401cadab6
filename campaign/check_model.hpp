#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/needed_presentation.hpp"
#include "campaign/quantisation_effect.hpp"
#include "corpus/models/model_inputs.hpp"
#include "corpus/models/whole_model.hpp"
#include "engines/worker_engine.hpp"
#include "spec/finding.hpp"
#include "spec/problem.hpp"

namespace cellproof::campaign {

/// The engine that records tensors for those that take nodes alone.
inline constexpr std::string_view recording_engine = "onnxruntime";

/// A recurrent node of a model, judged by what an engine computed there.
struct CheckedNode {
  const corpus::RecurrentNode* node = nullptr;
  std::size_t calls = 0;                           ///< judged; 0: the run did not come to the node
  std::optional<Dimensions> sizes;                 ///< in the call that the finding is of
  bool alone = false;                              ///< cut out of the model, and run with recorded inputs
  Finding finding;                                 ///< of the worst call
  std::optional<QuantisationEffect> quantisation;  ///< in that call, where DequantizeLinear gives an input
  std::optional<NeededPresentation> needed;        ///< where it fails inside the model, and the engine runs it alone
  std::optional<corpus::NodeCall> failing_call;    ///< that call with what the engine gave, where it fails with outputs
};

/// A model on one engine.
struct CheckedModel {
  engines::EngineDescription engine;
  Outcome run;                            ///< of the model with taps; of the model itself where that did not run
  std::vector<std::string> output_names;  ///< of the model, those of types that our tensors hold
  Outputs outputs;                        ///< of the model as it is; empty where the engine did not run it
  std::vector<std::string> remarks;       ///< on the engine, each a sentence
  std::vector<CheckedNode> nodes;         ///< in the graph's order; empty where nothing could be judged
};

/// Runs a model with its recurrent nodes tapped, and judges each from the engine's own tensors.
class ModelCheck {
 public:
  /// Gives the engine that records tensors for one that takes nodes alone; nullptr where there is none.
  using Recorder = std::function<engines::WorkerEngine*()>;

  /// Model and inputs must outlive this object. Throws CorpusError for a model without a recurrent node.
  ModelCheck(const corpus::WholeModel& model, const corpus::ModelInputs& inputs, Recorder recorder);

  /// The engine has started. Judges under the contract `declared` where there is one, else under the engine's own.
  CheckedModel on(engines::WorkerEngine& engine, std::optional<ContractId> declared) const;

 private:
  struct Recording;
  Recording record(engines::WorkerEngine& engine) const;
  CheckedNode check(const corpus::RecurrentNode& node, const Outputs& taps, engines::WorkerEngine* alone_on,
                    const CheckedModel& checked, std::optional<ContractId> declared) const;

  const corpus::WholeModel& model_;
  const corpus::ModelInputs& inputs_;
  Recorder recorder_;
};

}  // namespace cellproof::campaign
