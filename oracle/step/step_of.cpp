#include "oracle/step/step_of.hpp"

namespace cellproof::oracle {

template <class Real>
std::unique_ptr<Step<Real>> step_of(const Cell& cell, const Arithmetic& arithmetic, Tier tier, Units units) {
  return with_step_class<Real>(cell.op, [&]<class S>() -> std::unique_ptr<Step<Real>> {
    return std::make_unique<S>(cell, arithmetic, tier, units);
  });
}

template std::unique_ptr<Step<double>> step_of(const Cell&, const Arithmetic&, Tier, Units);
template std::unique_ptr<Step<Ball>> step_of(const Cell&, const Arithmetic&, Tier, Units);

}  // namespace cellproof::oracle
