#include "campaign/needed_presentation.hpp"

#include "oracle/decide.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

/// Those from few symbols to many. Symbols of outputs alone are none of the node's inputs.
constexpr Dims least_symbols_first[] = {Dims::Static, Dims::Steps, Dims::Batch, Dims::StepsAndBatch, Dims::All};

}  // namespace

std::optional<NeededPresentation> needed_presentation(Problem node, const Outputs& seen, const engines::Probe& run,
                                                      const oracle::Knowledge& known) {
  for (const Dims dims : least_symbols_first) {
    node.presentation.dims = dims;
    const Outcome outcome = run(node);
    if (outcome.kind != OutcomeKind::Ran) return std::nullopt;
    if (outcome.outputs == seen) return NeededPresentation{dims};
    const Judgement judgement =
        oracle::decide(node, expectation_of(node), {outcome}, known, oracle::FaultList{}, oracle::Depth::Verdict);
    if (!oracle::passes_gate(outcome, judgement, known.declared)) return NeededPresentation{dims};
  }
  return NeededPresentation{};
}

}  // namespace cellproof::campaign
