#pragma once

#include <span>

#include "causes/cover.hpp"

namespace cellproof::causes {

/// Takes out faults of which the cases that stay open say that something unknown looks like them. Returns whether there
/// was any. So it is where
/// - half as many cases as a fault explains are open about the very axes that it shows on, by the reduction of one of
///   them, which needs nothing else, unless it takes what memory holds by chance;
/// - no fewer cases of its operators are open than are explained, and plain ones among them;
/// - nearly all that its operator answers is wrong where the fault cannot act, and less is open where it can: two
///   defects do not share the cases of an operator among themselves;
/// - as many cases are open beyond its scope that it would explain: what speaks against it there is against the scope;
/// - in more operators most is open where it can act than it explains most of;
/// - it explains nothing by itself, and a quarter as much is open where it acts: of a pair that nothing shows apart a
///   twentieth, as there are so many of them.
bool take_back_outweighed(Cover& cover, std::span<const Answered> answers);

}  // namespace cellproof::causes
