#pragma once

#include <stdexcept>

#include "reference/float_cells.hpp"
#include "reference/quantized_cell.hpp"
#include "spec/expectation.hpp"

namespace cellproof::reference {

/// The definition of evaluate(), for the files that instantiate it for one number type each.
template <class Real>
Trajectory<Real> evaluate(const Problem& problem, const Readings& readings, std::int64_t sequences_together) {
  const Expectation expectation = expectation_of(problem);
  if (expectation.kind == Expectation::Kind::Refuse) {
    throw std::invalid_argument("invalid problem: " + expectation.violations.at(0).message);
  }
  const Node<Real> node(problem, settings_of(problem, readings));
  const Shape state = node.layout.state();
  const Numbers<Real> initial_h(problem.input(input::initial_h), state);
  const auto run = [&](auto cell, const Numbers<Real>& initial_c) {
    return run_sequences<Real>(node.settings, initial_h, initial_c, cell);
  };
  const auto initial_c = [&] { return Numbers<Real>(problem.input(input::initial_c), state); };
  switch (problem.version.op) {
    case Operator::RNN:
      return run(RnnCell<Real>(node), {});
    case Operator::GRU:
      return run(GruCell<Real>(node), {});
    case Operator::LSTM:
      return run(LstmCell<Real>(node), initial_c());
    case Operator::DynamicQuantizeLSTM:
      return run(QuantizedCell<Real>(node, problem, readings, sequences_together), initial_c());
  }
  throw std::invalid_argument("evaluate: no such operator");
}

}  // namespace cellproof::reference
