#pragma once

#include <memory>

#include "oracle/step/step.hpp"

namespace cellproof::oracle {

/// The step of the cell's operator. Cell and arithmetic must outlive it. For double and for balls.
template <class Real>
std::unique_ptr<Step<Real>> step_of(const Cell& cell, const Arithmetic& arithmetic, Tier tier,
                                    Units units = Units::AtOnce);

extern template std::unique_ptr<Step<double>> step_of(const Cell&, const Arithmetic&, Tier, Units);
extern template std::unique_ptr<Step<Ball>> step_of(const Cell&, const Arithmetic&, Tier, Units);

}  // namespace cellproof::oracle
