#include "lab/mutants/edges.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

using Spoil = std::function<double(const EdgeView&)>;

bool within(double value, double low, double high) {
  return value >= low && value < high;
}

bool is_gated(const Facts& facts) {
  return facts.node.op != Operator::RNN;
}

Needs uses_function(std::string_view name) {
  return [name](const Facts& facts) {
    return std::ranges::any_of(facts.node.directions, [&](const ResolvedDirection& direction) {
      return std::ranges::any_of(direction.functions, [&](const ResolvedFunction& f) { return f.name == name; });
    });
  };
}

/// The catalogue lacks them, for no hypothesis of the oracle stands for them.
FaultInfo named(const char* id, const char* what,
                std::vector<Operator> operators = {Operator::LSTM, Operator::GRU, Operator::RNN}) {
  return {id, oracle::FaultClass::Corner, "-", what, std::move(operators)};
}

Mutant edge(const char* id, const char* what, Needs needs, Spoil spoil) {
  return {named(id, what), std::move(needs), switched([spoil = std::move(spoil)](Faults& f) { f.edge = spoil; })};
}

/// A fault of one function: in what it makes of its argument, clipped already.
Mutant edge_of(const char* id, std::string_view function, const char* what, const Spoil& spoil) {
  return {named(id, what), uses_function(function), switched([=](Faults& f) {
            f.edge = [=](const EdgeView& at) { return at.function.name == function ? spoil(at) : at.value; };
          })};
}

/// Spoils what the function makes of arguments from `low` to `high`, and of no others.
Spoil spoiled_within(double low, double high, Spoil spoil) {
  return [=, spoil = std::move(spoil)](const EdgeView& at) {
    return within(at.argument, low, high) ? spoil(at) : at.value;
  };
}
/// The same for both signs.
Spoil spoiled_at_size(double low, double high, Spoil spoil) {
  return [=, spoil = std::move(spoil)](const EdgeView& at) {
    return within(std::fabs(at.argument), low, high) ? spoil(at) : at.value;
  };
}

double zero(const EdgeView&) {
  return 0;
}

std::vector<Mutant> clip_edges() {
  return {edge("clip-limit-blurred", "lets through what is less than 1/256 beyond the upper clip limit", clips,
               [](const EdgeView& at) {
                 const bool is_just_beyond = at.clip && within(at.argument / *at.clip, 1 + 1e-7, 1 + 1.0 / 256);
                 return is_just_beyond ? at.value * (at.argument / *at.clip) : at.value;
               }),
          edge("clip-limit-wraps", "negates what is less than 2^-12 beyond the lower clip limit", clips,
               [](const EdgeView& at) {
                 const bool is_just_beyond = at.clip && within(at.argument / -*at.clip, 1 + 1e-7, 1 + 0x1p-12);
                 return is_just_beyond ? -at.value : at.value;
               })};
}

/// Faults at the bends of functions.
std::vector<Mutant> knot_edges() {
  return {
      edge_of("thresholded-relu-strict", "ThresholdedRelu", "gives 0 where the argument is alpha",
              [](const EdgeView& at) { return at.argument == at.function.alpha ? 0 : at.value; }),
      edge_of("hard-sigmoid-knot-late", "HardSigmoid", "goes on beyond 1 for 1/512",
              [](const EdgeView& at) {
                const double line = double{at.function.alpha} * at.argument + at.function.beta;
                return within(line, 1, 1 + 1.0 / 512) ? line : at.value;
              }),
      edge_of("relu-flushes", "Relu", "takes positive arguments below 2^-10 for 0", spoiled_within(0, 0x1p-10, zero)),
      edge_of("leaky-relu-flushes", "LeakyRelu", "takes negative arguments above -2^-10 for 0",
              spoiled_within(-0x1p-10, 0, zero)),
      edge_of("elu-linear-near-zero", "Elu", "takes e^x - 1 for x / 2 above -2^-10",
              spoiled_within(-0x1p-10, 0, [](const EdgeView& at) { return at.value / 2; }))};
}

/// Faults in the smooth course of functions, or where they have come to their limits.
std::vector<Mutant> curve_edges() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {
      edge_of("tanh-zero-near-zero", "Tanh", "takes arguments below 2^-12 for 0", spoiled_at_size(0, 0x1p-12, zero)),
      edge_of("tanh-segment", "Tanh", "errs by 1e-3 between 2.5 and 2.505",
              spoiled_at_size(2.5, 2.505, [](const EdgeView& at) { return at.value - 1e-3; })),
      edge_of("tanh-end", "Tanh", "is 1 - 2^-10 from 9 to 9.1",
              spoiled_at_size(9, 9.1, [](const EdgeView& at) { return std::copysign(1 - 0x1p-10, at.argument); })),
      edge_of("sigmoid-segment", "Sigmoid", "errs by 1e-3 between -1.75 and -1.745",
              spoiled_within(-1.75, -1.745, [](const EdgeView& at) { return at.value + 1e-3; })),
      edge_of("sigmoid-end", "Sigmoid", "is 1 where e^-x overflows",
              spoiled_within(-infinity, -88.8, [](const EdgeView&) { return 1.0; })),
      edge_of("softplus-end", "Softplus", "is 0 between -16.7 and -16.6", spoiled_within(-16.7, -16.6, zero)),
      edge_of("scaled-tanh-end", "ScaledTanh", "is alpha where beta x is between 5 and 5.01",
              [](const EdgeView& at) {
                const double inner = double{at.function.beta} * at.argument;
                return within(inner, 5, 5.01) ? double{at.function.alpha} : at.value;
              }),
      edge_of("softsign-end", "Softsign", "is 1 beyond 250",
              [](const EdgeView& at) { return at.argument > 250 ? 1 : at.value; })};
}

std::vector<Mutant> all_edges() {
  std::vector<Mutant> all;
  for (const std::vector<Mutant>& some : {clip_edges(), knot_edges(), curve_edges()})
    all.insert(all.end(), some.begin(), some.end());
  all.push_back(
      edge("cancelled-sum-is-zero", "takes arguments below 2^-14, but not 0, for 1", is_gated, [](const EdgeView& at) {
        const double size = std::fabs(at.argument);
        return size > 0 && size < 0x1p-14 ? at.value * 1.01 : at.value;
      }));
  all.push_back({named("quantiser-ties-away", "rounds ties of X away from 0", {Operator::DynamicQuantizeLSTM}),
                 anything, switched(&Faults::ties_away, true)});
  return all;
}

}  // namespace

std::span<const Mutant> edge_mutants() {
  static const std::vector<Mutant> all = all_edges();
  return all;
}

}  // namespace cellproof::lab::mutants
