#pragma once

#include <cstdint>
#include <string_view>

namespace cellproof::campaign {

/// Shard `index` of `count`, counted from 0: the cases whose number is `index` modulo `count`. A pure function of the
/// suite.
struct Shard {
  std::int64_t index = 0;
  std::int64_t count = 1;

  bool contains(std::int64_t case_number) const { return case_number % count == index; }
};

/// Reads "I/N" with 1 <= I <= N, as people write it. Throws std::invalid_argument with one clear line.
Shard parse_shard(std::string_view text);

}  // namespace cellproof::campaign
