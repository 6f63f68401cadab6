#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "spec/axes/groups.hpp"
#include "spec/axes/settle.hpp"

namespace cellproof::axes_detail {

Axis make_axis(std::string_view name, std::string_view what,
               const std::function<std::vector<std::string>(OperatorVersion)>& values,
               const std::function<std::string(const Case&)>& of, const Change& change) {
  auto apply = [=](const Case& c, std::string_view value) {
    const std::vector<std::string> allowed = values(c.version);
    if (std::ranges::find(allowed, value) == allowed.end()) {
      throw std::invalid_argument(fmt::format("axis {} of {} has no value '{}'; it has: {}", name, to_string(c.version),
                                              value, fmt::join(allowed, ", ")));
    }
    if (of(c) == value) return c;
    Case changed = c;
    change(changed, value);
    return settle(c, std::move(changed), name);
  };
  auto of_any = [=](const Case& c) { return values(c.version).empty() ? std::string() : of(c); };
  return {.name = name, .what = what, .values = values, .of = std::move(of_any), .apply = std::move(apply)};
}

}  // namespace cellproof::axes_detail
