#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cellproof::reports {

/// What a run was: keys and values in the order in which they are shown (version, suites, seed, machine, ...).
using Passport = std::vector<std::pair<std::string, std::string>>;

/// The value of a key, "" where it is not there.
std::string value_of(const Passport& passport, std::string_view key);

/// A key in which two passports differ, and what they say.
struct PassportDifference {
  std::string key, first, second;
};

/// The first of the keys that say which findings there are (program, suites and their cases, seed) in which the two
/// differ; nothing where findings of both can stand in one store. `same_shard`: the shard counts, too.
std::optional<PassportDifference> difference_of_runs(const Passport& first, const Passport& second, bool same_shard);

}  // namespace cellproof::reports
