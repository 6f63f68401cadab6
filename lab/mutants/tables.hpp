#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/mutants/faults.hpp"
#include "lab/mutants/mutants.hpp"

// Tools to write the tables of mutants with. Ids are those of the catalogue of faults.
namespace cellproof::lab::mutants {

using oracle::fault_family;
using oracle::fault_info;
using oracle::FaultInfo;
using zoo::QuantizedDirection;
using zoo::QuantizedMatrix;
using Needs = std::function<bool(const Facts&)>;
using Sow = std::function<void(Sowing&)>;

struct Table : std::vector<Mutant> {
  void add(std::string_view id, Needs needs, Sow sow, Mutant::Shows shows = Mutant::Shows::Always) {
    push_back({fault_info(id), std::move(needs), std::move(sow), shows});
  }
};

Table weight_mutants();
Table block_mutants();
Table bias_mutants();
Table clip_mutants();
Table function_mutants();
Table gate_mutants();
Table order_mutants();
Table state_mutants();
Table output_mutants();
Table precision_mutants();
Table corner_mutants(const Table& others);
Table quantized_mutants();
Table axes_mutants(const Table& others);

/// For each direction.
Sow each_direction(std::function<void(const ResolvedNode&, ResolvedDirection&)> change);
Sow each_direction(std::function<void(ResolvedDirection&)> change);
/// The same, and a change of each quantised direction where there are such.
Sow and_quantised(Sow sow, std::function<void(const ResolvedNode&, QuantizedDirection&)> change);
/// A change of the switches alone.
Sow switched(std::function<void(Faults&)> change);
template <class Switch, class Value>
Sow switched(Switch Faults::*which, Value value) {
  return switched([=](Faults& faults) { faults.*which = static_cast<Switch>(value); });
}

/// "iofc" or "zrh".
std::string letters_of(Operator op);
/// The place of the gate that is named in the id.
std::size_t gate_of(const FaultInfo& info);

// Preconditions.
bool anything(const Facts& facts);
Needs is(Operator op);
Needs has(std::size_t input);
Needs wants(std::size_t output);
Needs operator&&(Needs a, Needs b);
bool two_directions(const Facts& facts);
bool reverses(const Facts& facts);
bool only_reverse(const Facts& facts);
bool batch_first(const Facts& facts);
bool several_rows(const Facts& facts);
bool ragged(const Facts& facts);
bool some_row_runs(const Facts& facts);
bool every_row_runs(const Facts& facts);
bool unequal(const Facts& facts);
bool clips(const Facts& facts);
bool coupled(const Facts& facts);
bool wide_type(const Facts& facts);
bool names_functions(const Facts& facts);

}  // namespace cellproof::lab::mutants
