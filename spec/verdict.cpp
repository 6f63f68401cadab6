#include "spec/verdict.hpp"

#include <stdexcept>

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr NameTable<element_class_count> classes = {"EXACT",      "ROUNDING",     "SUSPECT",    "DIVERGENT",
                                                    "UNRESOLVED", "UNVERIFIABLE", "UNSPECIFIED"};
constexpr NameTable<9> verdicts = {"CONFORMS",  "READING",   "PRECISION",           "SUSPECT",
                                   "DIVERGES",  "UNDECIDED", "REFUSED_AS_EXPECTED", "ACCEPTED_INVALID",
                                   "UNREADABLE"};

}  // namespace

std::string_view name(ElementClass c) {
  return classes.at(static_cast<std::size_t>(c));
}

std::string_view name(Verdict verdict) {
  return verdicts.at(static_cast<std::size_t>(verdict));
}

std::optional<Verdict> verdict_named(std::string_view text) {
  return find_name<Verdict>(verdicts, text);
}

int severity(Verdict verdict) {
  switch (verdict) {
    case Verdict::Conforms:
    case Verdict::RefusedAsExpected:
      return 0;
    case Verdict::Undecided:
      return 1;
    case Verdict::Reading:
      return 2;
    case Verdict::Precision:
      return 3;
    case Verdict::Suspect:
      return 4;
    case Verdict::Diverges:
    case Verdict::AcceptedInvalid:
      return 5;
    case Verdict::Unreadable:
      return 6;
  }
  throw std::logic_error("severity: no such verdict");
}

}  // namespace cellproof
