#pragma once

#include <rapidcheck.h>

#include "spec/case.hpp"

namespace cellproof {

/// Everything that a Case can say, valid or not (most are not), with strings of any bytes, floats of any bits and
/// literal tensors of any type.
rc::Gen<Case> any_case();

}  // namespace cellproof

/// Lets a property take a case.
template <>
struct rc::Arbitrary<cellproof::Case> {
  static Gen<cellproof::Case> arbitrary() { return cellproof::any_case(); }
};
