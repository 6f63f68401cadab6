#include "spec/cause.hpp"

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr NameTable<3> status_names = {"proved", "likely", "unexplained"};

}  // namespace

std::string_view name(CauseStatus status) {
  return status_names.at(static_cast<std::size_t>(status));
}

std::optional<CauseStatus> cause_status_named(std::string_view text) {
  return find_name<CauseStatus>(status_names, text);
}

}  // namespace cellproof
