#pragma once

#include <functional>

#include "oracle/evaluate.hpp"

namespace cellproof::oracle {

/// Must the wider contract be seen in the outputs before it counts as an explanation? In 16 bit one rounding more is a
/// unit in the last place of any element, and needs no proof.
bool must_show(ContractId base, ContractId wide);

/// May a contract that must show be seen in the outputs, as far as a glance at them tells?
bool might_show(const Observed& seen, ContractId base, ContractId wide);

/// Does everything else fit the contract once elements of a single step of a row are set right? The step after it
/// started from the engine's own values, which differ a little from what is put in their place: there, twice the bounds
/// have room for that. Where a row is a quarter of all elements, a single one is set right; where there are few, none.
bool is_damage_to_one_row(const Observed& seen, const Evaluation& narrow, const Readings& readings, ContractId base);

/// Describes what became of readings under a narrower contract, once it is asked for.
using Narrow = std::function<const Evaluation&()>;

/// A less precise arithmetic is seen in a share of the elements: an arithmetic that only one of many needs, and which
/// all others do without, would excuse damage. So it must also take more than setting one step of one row right to make
/// the outputs fit the narrower contract (is_damage_to_one_row). Rounding every factor of every product, as TF32 does,
/// must show in many elements, and by its own numbers: once the factors are rounded, the outputs fit the rest. States
/// of 16 bits must have 16 bits, or the outputs must fit once factors and products have them. No subnormal must be left
/// where they are flushed, and the first element that is wrong without must be as good as 0, or NaN where none is due.
/// Less precise functions explain nothing that a precision of the catalogue explains. One of few elements is a share of
/// them. `narrow`: of the same readings under the contract `base`.
bool shows_as_it_would(const Observed& seen, const Narrow& narrow, const Readings& readings, ContractId base,
                       ContractId wide);

}  // namespace cellproof::oracle
