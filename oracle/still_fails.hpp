#pragma once

#include <functional>

#include "spec/case.hpp"

namespace cellproof::oracle {

/// Does a case still show what it is minimised for?
using StillFails = std::function<bool(const Case&)>;

}  // namespace cellproof::oracle
