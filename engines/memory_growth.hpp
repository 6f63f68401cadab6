#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cellproof::engines {

/// A process's resident memory over what it has answered: does it grow with every case? Takes little room however often
/// it is told.
class MemoryGrowth {
 public:
  /// Takes in that `resident` bytes were seen when `answers` had been given; in order of `answers`.
  void note(std::int64_t answers, std::uint64_t resident);
  /// Bytes an answer by which the memory grows, where it does so from beginning to end; nullopt where it does not, or
  /// too little was seen. Growth counts only where in each fourth of the answers the least seen lies above that of the
  /// fourth before, by a fair share of the whole: what a first large case takes, or a cache, does not.
  std::optional<double> per_answer() const;

 private:
  struct Seen {
    std::int64_t answers = 0;
    std::uint64_t resident = 0;
  };
  std::vector<Seen> seen_;
};

}  // namespace cellproof::engines
