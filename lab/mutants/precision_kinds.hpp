#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::lab::mutants {

/// An engine that computes with less precision than the default contract asks for, or damages what it has computed, and
/// what may rightly be said of it.
struct PrecisionKind {
  std::string id;
  std::string what;
  std::function<bool(const Problem&)> applies;
  std::function<Outputs(const Problem&, std::uint64_t seed)> run;  ///< the seed says where damage is
  std::vector<std::string> right;  ///< ids of contracts and faults; none: no listed cause
};

/// The labelled set: kinds of engines that causes are to be named for, or not.
std::span<const PrecisionKind> precision_kinds();

}  // namespace cellproof::lab::mutants
