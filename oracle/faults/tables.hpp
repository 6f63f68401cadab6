#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "oracle/fault.hpp"

// Tools to write the tables of faults with. Ids are those of the catalogue.
namespace cellproof::oracle::fault_tables {

using Table = std::vector<Fault>;
using Needs = std::function<bool(const Problem&)>;
using CellChange = std::function<void(FaultyCell&, const CellSource&)>;
using MatrixChange = FaultHooks::MatrixChange;

Table gate_order();
Table blocks();
Table biases();
Table peepholes();
Table clipping();
Table functions();
Table gates();
Table directions();
Table lengths();
Table states();
Table outputs();
Table precision();
Table quantisation();
/// Faults of several of the other tables at once, and of axes that change places everywhere.
Table axes(const Table& others);
/// Faults of the other tables that show only in some corner.
Table corners(const Table& others);

/// The letters that the pages give the gates, in the order of W, R and B: "iofc", "zrh", "i".
std::string_view gate_letters(Operator op);

/// The place of the gate that is named in the id.
std::size_t gate_of(const FaultInfo& info);

/// A fault that is a change of each direction's cell.
Fault of_cell(std::string_view id, Needs needs, CellChange change);
/// The same fault where W and R are quantised: there it is a change of each direction's matrices.
Fault with_quantised(Fault fault, MatrixChange change);
/// A fault that is a change of the step's switches.
Fault of_step(std::string_view id, Needs needs, std::function<void(StepSwitches&)> change);
/// A fault that is a change of the problem: what the implementation takes it for.
Fault of_problem(std::string_view id, Needs needs, std::function<void(Problem&)> change);

// Needs that a fault may have of a problem.
bool always(const Problem& problem);
/// Is a tensor there that is not all zeros?
Needs given(std::size_t position);
Needs both(Needs a, Needs b);
bool is_bidirectional(const Problem& problem);
bool has_reverse(const Problem& problem);
bool is_batch_first(const Problem& problem);
bool clips(const Problem& problem);
bool is_coupled(const Problem& problem);
bool is_uncoupled(const Problem& problem);
bool resets_linearly(const Problem& problem);
bool has_wide_type(const Problem& problem);
bool has_several_rows(const Problem& problem);
bool is_ragged(const Problem& problem);
bool some_row_runs(const Problem& problem);
bool every_row_runs(const Problem& problem);
Needs asks(std::size_t output);
/// Does a direction use the function?
Needs uses(ActivationKind kind);

/// Values of an input, to be changed in place; the input is left alone where it is absent.
void change_values(Problem& problem, std::size_t position, const std::function<void(std::vector<double>&)>& change);
/// The lengths as written or, where they are not, all T; then changed and written.
void change_lengths(Problem& problem, const std::function<void(std::vector<double>&, double T)>& change);

}  // namespace cellproof::oracle::fault_tables
