#include "lab/mutants/edges.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

using Spoil = double (*)(const EdgeView&);

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
  return {named(id, what), std::move(needs), switched([spoil](Faults& f) { f.edge = spoil; })};
}

/// Of one function: what it makes of its argument, clipped already.
Mutant edge_of(const char* id, std::string_view function, const char* what, double (*spoil)(const EdgeView&)) {
  return {named(id, what), uses_function(function), switched([=](Faults& f) {
            f.edge = [=](const EdgeView& at) { return at.function.name == function ? spoil(at) : at.value; };
          })};
}

std::vector<Mutant> all_edges() {
  std::vector<Mutant> all;
  all.push_back(edge("clip-limit-blurred", "lets through what is less than 1/256 beyond the upper clip limit", clips,
                     [](const EdgeView& at) {
                       const bool is_just_beyond = at.clip && within(at.argument / *at.clip, 1 + 1e-7, 1 + 1.0 / 256);
                       return is_just_beyond ? at.value * (at.argument / *at.clip) : at.value;
                     }));
  all.push_back(edge("clip-limit-wraps", "negates what is less than 2^-12 beyond the lower clip limit", clips,
                     [](const EdgeView& at) {
                       const bool is_just_beyond = at.clip && within(at.argument / -*at.clip, 1 + 1e-7, 1 + 0x1p-12);
                       return is_just_beyond ? -at.value : at.value;
                     }));
  all.push_back(edge_of("thresholded-relu-strict", "ThresholdedRelu", "gives 0 where the argument is alpha",
                        [](const EdgeView& at) { return at.argument == at.function.alpha ? 0 : at.value; }));
  all.push_back(edge_of("hard-sigmoid-knot-late", "HardSigmoid", "goes on beyond 1 for 1/512", [](const EdgeView& at) {
    const double line = double{at.function.alpha} * at.argument + at.function.beta;
    return within(line, 1, 1 + 1.0 / 512) ? line : at.value;
  }));
  all.push_back(edge_of("relu-flushes", "Relu", "takes positive arguments below 2^-10 for 0",
                        [](const EdgeView& at) { return within(at.argument, 0, 0x1p-10) ? 0 : at.value; }));
  all.push_back(edge_of("leaky-relu-flushes", "LeakyRelu", "takes negative arguments above -2^-10 for 0",
                        [](const EdgeView& at) { return within(at.argument, -0x1p-10, 0) ? 0 : at.value; }));
  all.push_back(edge_of("elu-linear-near-zero", "Elu", "takes e^x - 1 for x / 2 above -2^-10",
                        [](const EdgeView& at) { return within(at.argument, -0x1p-10, 0) ? at.value / 2 : at.value; }));
  all.push_back(edge_of("tanh-zero-near-zero", "Tanh", "takes arguments below 2^-12 for 0",
                        [](const EdgeView& at) { return std::fabs(at.argument) < 0x1p-12 ? 0 : at.value; }));
  all.push_back(edge_of("tanh-segment", "Tanh", "errs by 1e-3 between 2.5 and 2.505", [](const EdgeView& at) {
    return within(std::fabs(at.argument), 2.5, 2.505) ? at.value - 1e-3 : at.value;
  }));
  all.push_back(edge_of("tanh-end", "Tanh", "is 1 - 2^-10 from 9 to 9.1", [](const EdgeView& at) {
    return within(std::fabs(at.argument), 9, 9.1) ? std::copysign(1 - 0x1p-10, at.argument) : at.value;
  }));
  all.push_back(edge_of("sigmoid-segment", "Sigmoid", "errs by 1e-3 between -1.75 and -1.745", [](const EdgeView& at) {
    return within(at.argument, -1.75, -1.745) ? at.value + 1e-3 : at.value;
  }));
  all.push_back(edge_of("sigmoid-end", "Sigmoid", "is 1 where e^-x overflows",
                        [](const EdgeView& at) { return at.argument < -88.8 ? 1 : at.value; }));
  all.push_back(edge_of("softplus-end", "Softplus", "is 0 between -16.7 and -16.6",
                        [](const EdgeView& at) { return within(at.argument, -16.7, -16.6) ? 0 : at.value; }));
  all.push_back(
      edge_of("scaled-tanh-end", "ScaledTanh", "is alpha where beta x is between 5 and 5.01", [](const EdgeView& at) {
        const double inner = double{at.function.beta} * at.argument;
        return within(inner, 5, 5.01) ? double{at.function.alpha} : at.value;
      }));
  all.push_back(edge_of("softsign-end", "Softsign", "is 1 beyond 250",
                        [](const EdgeView& at) { return at.argument > 250 ? 1 : at.value; }));
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
