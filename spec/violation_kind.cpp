#include "spec/violation_kind.hpp"

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr NameTable<violation_kind_count> violation_names = {"value", "shape",  "type",   "padding", "state",
                                                             "count", "repeat", "memory", "inputs",  "nan",
                                                             "law",   "rule",   "outcome"};

}  // namespace

std::string_view name(ViolationKind kind) {
  return violation_names.at(static_cast<std::size_t>(kind));
}

}  // namespace cellproof
