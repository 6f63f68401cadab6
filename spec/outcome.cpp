#include "spec/outcome.hpp"

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr NameTable<8> kinds = {"RAN",       "NOT_SUPPORTED", "REJECTED",      "CRASHED",
                                "TIMED_OUT", "OUT_OF_MEMORY", "ENGINE_ABSENT", "HARNESS_ERROR"};
constexpr NameTable<3> misconducts = {"changed its inputs", "differs between two identical calls",
                                      "returns uninitialised memory"};

}  // namespace

std::string_view name(OutcomeKind kind) {
  return kinds.at(static_cast<std::size_t>(kind));
}

std::optional<OutcomeKind> outcome_kind_named(std::string_view text) {
  return find_name<OutcomeKind>(kinds, text);
}

std::string_view describe(Misconduct misconduct) {
  return misconducts.at(static_cast<std::size_t>(misconduct));
}

}  // namespace cellproof
