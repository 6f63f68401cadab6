#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/mutants/faults.hpp"
#include "lab/mutants/mutants.hpp"

// What the tables of mutants are written with.
namespace cellproof::lab::mutants {

using Table = std::vector<Mutant>;
using Needs = std::function<bool(const Facts&)>;
using Sow = std::function<void(Sowing&)>;

Table weight_mutants();
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
/// Those of these that DynamicQuantizeLSTM has as LSTM has them get it into their scope.
void let_quantized_have_them(Table& table);

/// For each direction.
Sow each_direction(std::function<void(const ResolvedNode&, ResolvedDirection&)> change);
/// A change of the switches alone.
Sow switched(std::function<void(Faults&)> change);

/// All orders of the letters but this one.
std::vector<std::string> other_orders(std::string letters);
/// "iofc" or "zrh".
std::string letters_of(Operator op);

// Preconditions.
bool anything(const Facts& facts);
Needs is(Operator op);
Needs has(std::size_t input);
Needs wants(std::size_t output);
Needs operator&&(Needs a, Needs b);
bool gated(const Facts& facts);
bool two_directions(const Facts& facts);
bool reverses(const Facts& facts);
bool only_reverse(const Facts& facts);
bool batch_first(const Facts& facts);
bool several_rows(const Facts& facts);
bool ragged(const Facts& facts);
bool unequal(const Facts& facts);
bool clips(const Facts& facts);
bool coupled(const Facts& facts);
bool wide_type(const Facts& facts);
bool names_functions(const Facts& facts);

}  // namespace cellproof::lab::mutants
