#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "spec/axes/groups.hpp"
#include "spec/axes/settle.hpp"

namespace cellproof::axes_detail {
namespace {

/// Values of an axis by version, made once: cases are asked for them by the ten thousand.
class ValueLists {
 public:
  explicit ValueLists(const std::function<std::vector<std::string>(OperatorVersion)>& values) {
    for (const OperatorVersion each : all_operator_versions()) lists_.push_back(values(each));
  }

  /// None for a version that does not exist.
  const std::vector<std::string>& of(OperatorVersion version) const {
    static const std::vector<std::string> none;
    const auto versions = all_operator_versions();
    const auto found = std::ranges::find(versions, version);
    return found == versions.end() ? none : lists_[static_cast<std::size_t>(found - versions.begin())];
  }

 private:
  std::vector<std::vector<std::string>> lists_;
};

}  // namespace

Axis make_axis(std::string_view name, std::string_view what,
               const std::function<std::vector<std::string>(OperatorVersion)>& values,
               const std::function<std::string(const Case&)>& of, const Change& change) {
  const auto lists = std::make_shared<const ValueLists>(values);
  auto apply = [=](const Case& c, std::string_view value) {
    const std::vector<std::string>& allowed = lists->of(c.version);
    if (std::ranges::find(allowed, value) == allowed.end()) {
      throw std::invalid_argument(fmt::format("axis {} of {} has no value '{}'; it has: {}", name, to_string(c.version),
                                              value, fmt::join(allowed, ", ")));
    }
    if (of(c) == value) return c;
    Case changed = c;
    change(changed, value);
    return settle(c, std::move(changed), name);
  };
  auto of_any = [=](const Case& c) { return lists->of(c.version).empty() ? std::string() : of(c); };
  auto values_of = [=](OperatorVersion version) { return lists->of(version); };
  return {
      .name = name, .what = what, .values = std::move(values_of), .of = std::move(of_any), .apply = std::move(apply)};
}

}  // namespace cellproof::axes_detail
