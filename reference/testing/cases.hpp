#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::reference::testing {

/// A valid case of the version, tiny, with every attribute, optional input, length, layout, type and size drawn from
/// the seed. Finite values only.
Case random_case(OperatorVersion version, std::uint64_t seed);

/// A case with a name that says what is not default in it.
struct NamedCase {
  std::string name;
  Case c;
};

/// Cases of the version that go through all values of its attributes one after the other, on a problem with all
/// optional inputs given and sizes that differ from each other: each activation in each slot with default and with
/// given parameters, each direction with each layout, clip, input_forget, linear_before_reset, ragged and zero lengths,
/// absent inputs ...
std::vector<NamedCase> systematic_cases(OperatorVersion version);

}  // namespace cellproof::reference::testing
