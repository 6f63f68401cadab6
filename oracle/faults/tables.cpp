#include "oracle/faults/tables.hpp"

#include <algorithm>
#include <utility>

#include "oracle/layout.hpp"
#include "oracle/values_of.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::oracle::fault_tables {

std::string_view gate_letters(Operator op) {
  return rules_of(newest(op)).gates;
}

std::size_t gate_of(const FaultInfo& info) {
  return gate_letters(info.operators.front()).find(info.member);
}

Fault of_cell(std::string_view id, Needs needs, CellChange change) {
  const auto put_on = [change = std::move(change)](View& view) {
    add_to(view.fault_hooks.cell, change);
    return true;
  };
  return {fault_info(id), std::move(needs), put_on};
}

Fault with_quantised(Fault fault, MatrixChange change) {
  fault.put_on = [of_cells = std::move(fault.put_on), change = std::move(change)](View& view) {
    add_to(view.fault_hooks.matrices, change);
    return of_cells(view);
  };
  return fault;
}

Fault of_step(std::string_view id, Needs needs, std::function<void(StepSwitches&)> change) {
  return of_cell(id, std::move(needs),
                 [change = std::move(change)](FaultyCell& cell, const CellSource&) { change(cell.switches); });
}

Fault of_problem(std::string_view id, Needs needs, std::function<void(Problem&)> change) {
  const auto put_on = [change = std::move(change)](View& view) {
    change(view.own_problem());
    return true;
  };
  return {fault_info(id), std::move(needs), put_on};
}

bool always(const Problem&) {
  return true;
}

Needs given(std::size_t position) {
  return [position](const Problem& problem) {
    const Tensor* tensor = problem.input(position);
    if (!tensor) return false;
    for (std::size_t k = 0; k < tensor->size(); ++k) {
      if (tensor->value(k) != 0) return true;
    }
    return false;
  };
}

Needs both(Needs a, Needs b) {
  return [a = std::move(a), b = std::move(b)](const Problem& problem) { return a(problem) && b(problem); };
}

bool is_bidirectional(const Problem& problem) {
  return layout_of(problem).D == 2;
}
bool has_reverse(const Problem& problem) {
  return layout_of(problem).reversed.back();
}
bool is_batch_first(const Problem& problem) {
  return layout_of(problem).batchwise;
}
bool clips(const Problem& problem) {
  return problem.attributes.clip.has_value();
}
bool is_coupled(const Problem& problem) {
  return problem.attributes.input_forget.value_or(0) != 0;
}
bool is_uncoupled(const Problem& problem) {
  return !is_coupled(problem);
}
bool resets_linearly(const Problem& problem) {
  return problem.attributes.linear_before_reset.value_or(0) != 0;
}
bool has_wide_type(const Problem& problem) {
  const ElementType type = problem.inputs.at(input::X).tensor->type();
  return type == ElementType::Float || type == ElementType::Double;
}
bool has_several_rows(const Problem& problem) {
  return layout_of(problem).N > 1;
}
bool is_ragged(const Problem& problem) {
  const Layout layout = layout_of(problem);
  return std::ranges::any_of(layout.lengths, [&](std::int64_t length) { return length < layout.T; });
}
bool some_row_runs(const Problem& problem) {
  return std::ranges::any_of(layout_of(problem).lengths, [](std::int64_t length) { return length > 0; });
}
bool every_row_runs(const Problem& problem) {
  return std::ranges::all_of(layout_of(problem).lengths, [](std::int64_t length) { return length > 0; });
}
Needs asks(std::size_t which) {
  return [which](const Problem& problem) { return problem.asks_for(which); };
}

Needs uses(ActivationKind kind) {
  return [kind](const Problem& problem) {
    for (int d = 0; d < static_cast<int>(dimensions_of(problem).D); ++d) {
      const auto functions = activations_of(problem, Readings{}, d);
      for (std::size_t slot = 0; slot < static_cast<std::size_t>(activation_count(problem.version.op)); ++slot) {
        if (functions[slot].kind == kind) return true;
      }
    }
    return false;
  };
}

void change_values(Problem& problem, std::size_t position, const std::function<void(std::vector<double>&)>& change) {
  if (!problem.input(position)) return;
  Tensor& tensor = *problem.inputs[position].tensor;
  std::vector<double> values = values_of(tensor);
  change(values);
  tensor = Tensor::from_values(tensor.type(), tensor.shape(), values);
}

void change_lengths(Problem& problem, const std::function<void(std::vector<double>&, double T)>& change) {
  const Layout layout = layout_of(problem);
  std::vector<double> lengths(layout.lengths.begin(), layout.lengths.end());
  change(lengths, static_cast<double>(layout.T));
  if (problem.inputs.size() <= input::sequence_lens) problem.inputs.resize(input::sequence_lens + 1);
  problem.inputs[input::sequence_lens] = {Presence::Given, Source::GraphInput,
                                          Tensor::from_values(ElementType::Int32, {layout.N}, lengths)};
}

}  // namespace cellproof::oracle::fault_tables
