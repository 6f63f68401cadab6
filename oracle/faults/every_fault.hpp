#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "oracle/fault.hpp"

namespace cellproof::oracle {

/// Returns all of them, by class.
std::span<const Fault> faults();
/// nullptr for an unknown id.
const Fault* fault_named(std::string_view id);

/// A fault that takes what memory holds by chance, which is 0 in the catalogue, with each other number that may be
/// there. Empty for other faults.
std::span<const Fault> with_other_memory(const Fault& fault);

/// The faults that a search may try: all of them, ...
FaultList every_fault();
/// ... all but one, as if nobody knew of it, ...
std::vector<const Fault*> every_fault_but(std::string_view id);
/// ... or one and the fault that it is a corner of. Of a fault of precision, which is named only where no other
/// explains as much, and of an unknown one: all.
std::vector<const Fault*> only_fault(std::string_view id);

}  // namespace cellproof::oracle
