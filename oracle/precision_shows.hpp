#pragma once

#include "oracle/evaluate.hpp"

namespace cellproof::oracle {

/// Must the wider contract be seen in the outputs before it counts as an explanation? What flushes subnormals shows in
/// those alone, while in 16 bit one rounding more is a unit in the last place of any element.
bool must_show(ContractId base, ContractId wide);

/// A less precise arithmetic is seen in a share of the elements: an arithmetic that only one of many needs, and which
/// all others do without, would excuse damage. So it must take more than setting that one right to make the outputs fit
/// the narrower contract, and rounding every factor of every product, as TF32 does, must show in many elements, by
/// errors of the size that it makes. One of few elements is a share of them. `narrow`: what became of the same readings
/// under the contract `base`, described.
bool shows_as_it_would(const Observed& seen, const Evaluation& narrow, const Readings& readings, ContractId base,
                       ContractId wide);

}  // namespace cellproof::oracle
