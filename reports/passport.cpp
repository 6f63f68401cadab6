#include "reports/passport.hpp"

#include <algorithm>
#include <array>

namespace cellproof::reports {

std::string value_of(const Passport& passport, std::string_view key) {
  const auto entry = std::ranges::find(passport, key, [](const auto& pair) { return std::string_view(pair.first); });
  return entry == passport.end() ? "" : entry->second;
}

std::string start_trouble_of(const Passport& notes) {
  for (const std::string_view key : start_trouble_keys) {
    const std::string why = value_of(notes, key);
    if (!why.empty()) return std::string(key) + ": " + why;
  }
  return "";
}

std::vector<std::string> remarks_of(const Passport& notes) {
  std::vector<std::string> remarks;
  for (const std::string_view key : remark_keys) {
    const std::string text = value_of(notes, key);
    if (!text.empty()) remarks.push_back(std::string(key) + ": " + text);
  }
  return remarks;
}

std::optional<PassportDifference> difference_of_runs(const Passport& first, const Passport& second, bool same_shard) {
  for (const std::string_view key : std::array{"cellproof", "suites", "corpus hash", "shard", "seed"}) {
    if (key == "shard" && !same_shard) continue;
    const std::string a = value_of(first, key), b = value_of(second, key);
    if (a != b) return PassportDifference{std::string(key), a, b};
  }
  return std::nullopt;
}

}  // namespace cellproof::reports
