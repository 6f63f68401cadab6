#include "lab/mutants/tables.hpp"

#include <algorithm>

#include "spec/rules/rules.hpp"

namespace cellproof::lab::mutants {

Sow each_direction(std::function<void(const ResolvedNode&, ResolvedDirection&)> change) {
  return [change = std::move(change)](Sowing& sowing) {
    for (ResolvedDirection& direction : sowing.node.directions) change(sowing.node, direction);
  };
}

Sow each_direction(std::function<void(ResolvedDirection&)> change) {
  return each_direction([change = std::move(change)](const ResolvedNode&, ResolvedDirection& d) { change(d); });
}

Sow and_quantised(Sow sow, std::function<void(const ResolvedNode&, QuantizedDirection&)> change) {
  return [sow = std::move(sow), change = std::move(change)](Sowing& sowing) {
    sow(sowing);
    if (!sowing.quantized) return;
    for (QuantizedDirection& direction : sowing.quantized->directions) change(sowing.node, direction);
  };
}

Sow switched(std::function<void(Faults&)> change) {
  return [change = std::move(change)](Sowing& sowing) { change(sowing.faults); };
}

std::string letters_of(Operator op) {
  return std::string(rules_of(newest(op)).gates);
}

std::size_t gate_of(const FaultInfo& info) {
  return letters_of(info.operators.front()).find(info.member);
}

bool anything(const Facts&) {
  return true;
}
Needs is(Operator op) {
  return [op](const Facts& facts) { return facts.node.op == op; };
}
Needs has(std::size_t position) {
  return [position](const Facts& facts) {
    const Tensor* tensor = facts.problem.input(position);
    if (!tensor) return false;
    for (std::size_t i = 0; i < tensor->size(); ++i) {
      if (tensor->value(i) != 0) return true;
    }
    return false;
  };
}
Needs wants(std::size_t position) {
  return [position](const Facts& facts) { return facts.problem.asks_for(position); };
}
Needs operator&&(Needs a, Needs b) {
  return [a = std::move(a), b = std::move(b)](const Facts& facts) { return a(facts) && b(facts); };
}
bool two_directions(const Facts& facts) {
  return facts.node.directions.size() == 2;
}
bool reverses(const Facts& facts) {
  return facts.node.directions.back().reverse;
}
bool only_reverse(const Facts& facts) {
  return facts.node.directions.front().reverse;
}
bool batch_first(const Facts& facts) {
  return facts.node.batch_first;
}
bool several_rows(const Facts& facts) {
  return facts.node.N > 1;
}
bool ragged(const Facts& facts) {
  return std::ranges::any_of(facts.node.lengths, [&](std::size_t length) { return length < facts.node.T; });
}
bool some_row_runs(const Facts& facts) {
  return std::ranges::any_of(facts.node.lengths, [](std::size_t length) { return length > 0; });
}
bool every_row_runs(const Facts& facts) {
  return std::ranges::all_of(facts.node.lengths, [](std::size_t length) { return length > 0; });
}
bool unequal(const Facts& facts) {
  return std::ranges::any_of(facts.node.lengths, [&](std::size_t length) { return length != facts.node.lengths[0]; });
}
bool clips(const Facts& facts) {
  return facts.node.clip.has_value();
}
bool coupled(const Facts& facts) {
  return facts.node.coupled;
}
bool wide_type(const Facts& facts) {
  return facts.node.type == ElementType::Float || facts.node.type == ElementType::Double;
}
bool names_functions(const Facts& facts) {
  return facts.problem.attributes.activations.has_value();
}

}  // namespace cellproof::lab::mutants
