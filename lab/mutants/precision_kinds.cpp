#include "lab/mutants/precision_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "lab/mutants/faults.hpp"
#include "lab/mutants/mutants.hpp"
#include "lab/mutants/tables.hpp"
#include "lab/mutants/with_bits.hpp"
#include "lab/zoo/zoo.hpp"

namespace cellproof::lab::mutants {
namespace {

using Kinds = std::vector<PrecisionKind>;
using Names = std::vector<std::string>;

const std::vector<Operator> of_all = {Operator::LSTM, Operator::GRU, Operator::RNN, Operator::DynamicQuantizeLSTM};
const std::vector<Operator> of_floats = {Operator::LSTM, Operator::GRU, Operator::RNN};
const std::vector<Operator> with_cell = {Operator::LSTM, Operator::DynamicQuantizeLSTM};

bool is_wide(const Problem& problem) {
  const ElementType type = problem.inputs.at(input::X).tensor->type();
  return type == ElementType::Float || type == ElementType::Double;
}

/// An engine that is a mutant, with a fault that the catalogue need not have.
PrecisionKind planted(std::string id, std::string what, const std::vector<Operator>& operators, Sow sow, Names right) {
  Mutant mutant{{id, oracle::FaultClass::Precision, "-", "", operators}, anything, std::move(sow)};
  const auto applies = [operators](const Problem& problem) {
    return is_wide(problem) && std::ranges::find(operators, problem.version.op) != operators.end();
  };
  const auto run_it = [mutant = std::move(mutant)](const Problem& problem, std::uint64_t) {
    return run(problem, mutant);
  };
  return {std::move(id), std::move(what), applies, run_it, std::move(right)};
}

/// A precision that numbers may be kept with, by its name in ids of faults.
struct Bits {
  const char* name;
  int bits;
  bool in_16_bits;  ///< has a type of 16 bits this precision?
};
constexpr std::array precisions{Bits{"bf16", 8, true}, Bits{"10-bit", 10, false}, Bits{"f16", 11, true},
                                Bits{"16-bit", 16, false}};

/// Contracts that have such numbers, where there are any, and the fault.
Names contract_or(const Bits& precision, const char* fault) {
  Names names{fmt::format("{}-{}", precision.name, fault)};
  if (precision.in_16_bits) {
    for (const char* tensors : {"f32", "f64"}) names.push_back(fmt::format("{}-in-{}", tensors, precision.name));
  }
  return names;
}

void round_gate_of_W(ResolvedNode& node, int bits) {
  const std::size_t gate = letters_of(node.op).size() - 1, size = node.H * node.I;
  for (ResolvedDirection& direction : node.directions) {
    for (std::size_t k = 0; k < size && !direction.W.empty(); ++k) {
      double& weight = direction.W[gate * size + k];
      weight = with_bits(weight, bits);
    }
  }
}

void add_of_bits(Kinds& kinds, const Bits& p) {
  const auto add = [&](const char* part, const char* what, const std::vector<Operator>& operators, Sow sow,
                       Names right) {
    kinds.push_back(planted(fmt::format("{}-{}", part, p.bits), fmt::format("{} with {} bits", what, p.bits), operators,
                            std::move(sow), std::move(right)));
  };
  add("cell", "keeps C", with_cell, switched(&Faults::cell_bits, p.bits), contract_or(p, "cell"));
  add("state", "keeps H", of_all, switched(&Faults::state_bits, p.bits), contract_or(p, "state"));
  add("gates", "keeps gates", of_all, switched(&Faults::gate_bits, p.bits), contract_or(p, "gates"));
  add("preactivations", "keeps pre-activations", of_all, switched(&Faults::argument_bits, p.bits),
      contract_or(p, "preactivations"));
  add("weights-of-a-gate", "keeps the last gate's W", of_floats,
      [bits = p.bits](Sowing& s) { round_gate_of_W(s.node, bits); }, {});
  add("tables", "looks functions up", of_all, switched(&Faults::table_bits, p.bits), {"f32-fast-activations"});
  Names of_division = contract_or(p, "sigmoid");
  of_division.emplace_back("f32-fast-activations");
  add("reciprocals", "divides in Sigmoid", of_all, switched(&Faults::reciprocal_bits, p.bits), of_division);
}

void add_of_products(Kinds& kinds) {
  const auto with = [](int bits, bool cut) {
    return switched([=](Faults& f) {
      f.operand_bits = bits;
      f.operands_are_cut = cut;
    });
  };
  kinds.push_back(planted("tf32-rounded", "rounds factors to TF32", of_floats, with(11, false),
                          {"tf32", "f32-by-f16", "tf32-operands"}));
  kinds.push_back(planted("tf32-cut", "cuts factors to TF32", of_floats, with(11, true), {"tf32"}));
  kinds.push_back(planted("bf16-products", "rounds factors to bfloat16", of_floats, with(8, false),
                          {"f32-by-bf16", "bf16-operands"}));
  kinds.push_back(
      planted("half-sums", "adds products with 11 bits", of_floats, switched(&Faults::accumulator_bits, 11), {}));
  kinds.push_back(planted("tanh-off", "has a tanh that errs by 1e-4", of_all, switched(&Faults::tanh_error, 1e-4), {}));
  kinds.push_back(planted("saturating", "takes Sigmoid for 0 and 1 beyond +-8", of_all,
                          switched(&Faults::sigmoid_saturates_early, true), {"sigmoid-saturates-early"}));
  const auto late = [](auto which, int bits) {
    return switched([=](Faults& f) {
      f.*which = bits;
      f.only_in_last_step = true;
    });
  };
  const auto add_late = [&](PrecisionKind kind) {
    kind.applies = [any = std::move(kind.applies)](const Problem& p) { return any(p) && dimensions_of(p).T > 1; };
    kinds.push_back(std::move(kind));
  };
  add_late(planted("last-step-operands", "rounds factors to 11 bits in the last step", of_floats,
                   late(&Faults::operand_bits, 11), {}));
  add_late(
      planted("last-step-gates", "keeps gates with 8 bits in the last step", of_all, late(&Faults::gate_bits, 8), {}));
  kinds.push_back(planted("w-of-a-unit", "keeps one unit's W with 8 bits", of_floats,
                          [](Sowing& s) {
                            for (ResolvedDirection& d : s.node.directions) {
                              for (std::size_t k = 0; k < std::min(s.node.I, d.W.size()); ++k)
                                d.W[k] = with_bits(d.W[k], 8);
                            }
                          },
                          {}));
}

/// The same of a DynamicQuantizeLSTM that is computed as an LSTM on real weights.
PrecisionKind of_real_weights(const PrecisionKind& kind) {
  PrecisionKind real = kind;
  real.id += "-of-real-weights";
  real.applies = [](const Problem& problem) { return is_quantised(problem.version.op); };
  real.run = [run_it = kind.run](const Problem& problem, std::uint64_t seed) {
    return run_it(zoo::with_real_weights(problem), seed);
  };
  return real;
}

/// Engines of the zoo that round or flush, under the contract that they declare.
void add_declared(Kinds& kinds) {
  for (const zoo::DeclaredStyle& declared : zoo::declared_styles()) {
    const auto applies = [type = declared.type](const Problem& problem) {
      return !is_quantised(problem.version.op) && problem.inputs.at(input::X).tensor->type() == type;
    };
    if (declared.type != ElementType::Float && declared.type != ElementType::Double) continue;
    const auto run_it = [style = declared.style](const Problem& problem, std::uint64_t seed) {
      return zoo::run(problem, style, seed);
    };
    Names right{std::string(name(declared.contract)), std::string(name(without_flushing(declared.contract)))};
    if (!declared.style.factors && !declared.style.factors_of_tf32) right.pop_back();
    // Both are 11 bits: where no exponent tells them apart, either name is right.
    if (declared.contract == ContractId::F32ByF16) right.emplace_back("tf32");
    if (declared.contract == ContractId::Tf32) right.emplace_back("f32-by-f16");
    kinds.push_back({std::string(declared.style.name), "of the zoo", applies, run_it, std::move(right)});
    if (declared.style.factors && declared.type == ElementType::Float) kinds.push_back(of_real_weights(kinds.back()));
  }
}

/// Right outputs with some elements of Y off by a share of themselves.
PrecisionKind damaged(std::string id, std::string what, double share,
                      std::function<bool(const Tensor& Y, std::size_t element, std::size_t struck)> is_hit) {
  const auto applies = [](const Problem& p) { return is_wide(p) && p.asks_for(output::Y) && dimensions_of(p).T > 0; };
  const auto run_it = [share, is_hit = std::move(is_hit)](const Problem& problem, std::uint64_t seed) {
    Outputs outputs = run_without_fault(problem);
    Tensor& Y = *outputs[output::Y];
    if (Y.size() == 0) return outputs;
    const std::size_t struck = seed * 0x9E3779B97F4A7C15ull % Y.size();
    for (std::size_t k = 0; k < Y.size(); ++k) {
      if (is_hit(Y, k, struck)) Y.set_value(k, Y.value(k) * (1 + share));
    }
    return outputs;
  };
  return {std::move(id), std::move(what), applies, run_it, {}};
}

void add_damaged(Kinds& kinds) {
  const auto is_it = [](const Tensor&, std::size_t k, std::size_t struck) { return k == struck; };
  const auto row = [](const Tensor& Y, std::size_t k, std::size_t struck) {
    const auto H = static_cast<std::size_t>(Y.shape().back());
    return k / H == struck / H;
  };
  for (const auto& [digits, share] : {std::pair{3, 1e-3}, std::pair{4, 1e-4}, std::pair{5, 1e-5}, std::pair{6, 2e-6}}) {
    kinds.push_back(damaged(fmt::format("one-element-1e-{}", digits), "stores one element wrongly", share, is_it));
    kinds.push_back(damaged(fmt::format("one-row-1e-{}", digits), "stores a step's row wrongly", share, row));
  }
}

Kinds all_kinds() {
  Kinds kinds;
  for (const Bits& precision : precisions) add_of_bits(kinds, precision);
  add_of_products(kinds);
  add_declared(kinds);
  add_damaged(kinds);
  return kinds;
}

}  // namespace

std::span<const PrecisionKind> precision_kinds() {
  static const Kinds all = all_kinds();
  return all;
}

}  // namespace cellproof::lab::mutants
