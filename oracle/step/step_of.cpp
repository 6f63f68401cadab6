#include "oracle/step/step_of.hpp"

#include "oracle/step/gru_step.hpp"
#include "oracle/step/lstm_step.hpp"
#include "oracle/step/rnn_step.hpp"

namespace cellproof::oracle {

template <class Real>
std::unique_ptr<Step<Real>> step_of(const Cell& cell, const Arithmetic& arithmetic, Tier tier, Units units) {
  switch (cell.op) {
    case Operator::GRU:
      return std::make_unique<GruStep<Real>>(cell, arithmetic, tier, units);
    case Operator::RNN:
      return std::make_unique<RnnStep<Real>>(cell, arithmetic, tier, units);
    default:
      return std::make_unique<LstmStep<Real>>(cell, arithmetic, tier, units);
  }
}

template std::unique_ptr<Step<double>> step_of(const Cell&, const Arithmetic&, Tier, Units);
template std::unique_ptr<Step<Ball>> step_of(const Cell&, const Arithmetic&, Tier, Units);

}  // namespace cellproof::oracle
