#include "oracle/faults/every_fault.hpp"

#include <algorithm>
#include <iterator>

#include "oracle/faults/tables.hpp"

namespace cellproof::oracle {
namespace {

std::vector<Fault> all_faults() {
  using namespace fault_tables;
  Table all;
  for (const auto table : {gate_order, blocks, biases, peepholes, clipping, functions, gates, directions, lengths,
                           states, fault_tables::outputs, precision}) {
    std::ranges::move(table(), std::back_inserter(all));
  }
  std::ranges::move(axes(all), std::back_inserter(all));
  std::ranges::move(corners(all), std::back_inserter(all));
  std::ranges::move(quantisation(), std::back_inserter(all));
  return all;
}

}  // namespace

std::span<const Fault> faults() {
  static const std::vector<Fault> all = all_faults();
  return all;
}

const Fault* fault_named(std::string_view id) {
  const auto all = faults();
  const auto found = std::ranges::find(all, id, &Fault::id);
  return found == all.end() ? nullptr : &*found;
}

FaultList every_fault() {
  static const std::vector<const Fault*> all = every_fault_but("");
  return all;
}

std::vector<const Fault*> every_fault_but(std::string_view id) {
  std::vector<const Fault*> list;
  for (const Fault& fault : faults()) {
    if (fault.id != id) list.push_back(&fault);
  }
  return list;
}

std::vector<const Fault*> only_fault(std::string_view id) {
  const Fault* fault = fault_named(id);
  if (fault == nullptr || fault->cls == FaultClass::Precision) return {every_fault().begin(), every_fault().end()};
  std::vector<const Fault*> list{fault};
  if (const Fault* base = fault_named(fault->base)) list.insert(list.begin(), base);
  return list;
}

}  // namespace cellproof::oracle
