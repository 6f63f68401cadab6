#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/faults/fault_class.hpp"
#include "spec/operator.hpp"

namespace cellproof::oracle {

/// One way to be wrong, in words. Judge and mutants implement it by its id, each with code of its own.
struct FaultInfo {
  std::string id;  ///< "gate-order-ifoc"
  FaultClass cls = FaultClass::Corner;
  /// The axes on which it shows, with blanks between them: a family stands for each of its axes, "?" behind what it may
  /// need besides, "|" between alternatives. "-": it shows at every axis's default.
  std::string blames = "-";
  std::string what;                 ///< what such an implementation does, as a sentence
  std::vector<Operator> operators;  ///< where it can occur
  std::string family = "";          ///< the id of its row, "gate-order-{}"
  std::string member = "";          ///< what stands for {} there, "ifoc"; the condition of a corner, "h-16"
  std::string corner_of = "";       ///< the fault that shows in this corner only; "" for all others
  std::string_view clause = "";     ///< of the operators' text that it breaks, in our words (specification_page)
  bool reads_memory = false;        ///< what it takes is there by chance: another call may find something else
  bool changes_shapes = false;      ///< its outputs have other shapes: it acts before all other faults of an engine
};

/// Returns all of them, by class.
std::span<const FaultInfo> fault_catalogue();
/// Throws std::logic_error for an id that is not there.
const FaultInfo& fault_info(std::string_view id);
/// Returns the faults of a row, "gate-order-{}". Throws std::logic_error where there are none.
std::span<const FaultInfo> fault_family(std::string_view family);
/// Returns the faults that show in a corner only.
std::span<const FaultInfo> fault_corners();

}  // namespace cellproof::oracle
