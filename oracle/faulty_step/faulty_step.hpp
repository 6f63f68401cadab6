#pragma once

#include <memory>

#include "oracle/faulty_step/faulty_cell.hpp"
#include "oracle/step/step.hpp"

namespace cellproof::oracle {

/// The step of the cell's operator as its switches have it: as long as they stand as they are, the very one that
/// step_of gives. Cell and arithmetic must outlive it. For double and for balls.
template <class Real>
std::unique_ptr<Step<Real>> faulty_step_of(const FaultyCell& cell, const Arithmetic& arithmetic, Tier tier);

extern template std::unique_ptr<Step<double>> faulty_step_of(const FaultyCell&, const Arithmetic&, Tier);
extern template std::unique_ptr<Step<Ball>> faulty_step_of(const FaultyCell&, const Arithmetic&, Tier);

}  // namespace cellproof::oracle
