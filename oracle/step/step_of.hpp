#pragma once

#include <memory>

#include "oracle/step/gru_step.hpp"
#include "oracle/step/lstm_step.hpp"
#include "oracle/step/rnn_step.hpp"

namespace cellproof::oracle {

/// Calls `make.template operator()<S>()` with S the class of the operator's step, and returns what it returns.
template <class Real, class Make>
std::unique_ptr<Step<Real>> with_step_class(Operator op, const Make& make) {
  switch (op) {
    case Operator::GRU:
      return make.template operator()<GruStep<Real>>();
    case Operator::RNN:
      return make.template operator()<RnnStep<Real>>();
    default:
      return make.template operator()<LstmStep<Real>>();
  }
}

/// The step of the cell's operator. Cell and arithmetic must outlive it. For double and for balls.
template <class Real>
std::unique_ptr<Step<Real>> step_of(const Cell& cell, const Arithmetic& arithmetic, Tier tier,
                                    Units units = Units::AtOnce);

extern template std::unique_ptr<Step<double>> step_of(const Cell&, const Arithmetic&, Tier, Units);
extern template std::unique_ptr<Step<Ball>> step_of(const Cell&, const Arithmetic&, Tier, Units);

}  // namespace cellproof::oracle
