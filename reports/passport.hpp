#pragma once

#include <array>
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

/// Keys of an engine's notes that say why it did not start, or could not be started again. Each fails the run.
inline constexpr std::array<std::string_view, 2> start_trouble_keys{"cannot start", "can no longer be started"};

/// "cannot start: no answer within 8 s", from an engine's notes; "" where it did start.
std::string start_trouble_of(const Passport& notes);

/// Key of an engine's note on what came of the cases of suites without end.
inline constexpr std::string_view searched_key = "searched";

/// Keys of an engine's notes on what no finding says, such as how it behaved where no case is charged with it. None
/// fails the run.
inline constexpr std::array<std::string_view, 5> remark_keys{"memory", "slow", "starts", "left behind", searched_key};

/// "memory: grew by 12 KiB a case", one for each such note.
std::vector<std::string> remarks_of(const Passport& notes);

/// A key in which two passports differ, and what they say.
struct PassportDifference {
  std::string key, first, second;
};

/// The first of the keys that say which findings there are (program, suites and their cases, seed) in which the two
/// differ; nothing where findings of both can stand in one store. `same_shard`: the shard counts, too.
std::optional<PassportDifference> difference_of_runs(const Passport& first, const Passport& second, bool same_shard);

}  // namespace cellproof::reports
