#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/law.hpp"
#include "spec/case.hpp"

namespace cellproof::fuzz {

/// What an engine makes of a law on a case, tried anew at each call.
using LawAttempt = std::function<LawResult(const Case&)>;

/// A case on which a law is broken, or an engine dies of it, made small.
struct LawBreach {
  Case smallest;
  /// The axis values without which it does not come.
  std::vector<std::pair<std::string, std::string>> needs;
  /// What the law said of the smallest case when it came to the same there: never empty.
  std::string message;
};

/// Makes the case smaller as long as the law comes to what it came to in `found`, in at most `most_attempts` attempts.
/// Some engines break a law at times only (they read what is not there, or threads of theirs share memory): the message
/// then is that of the time when it was broken, and says so.
LawBreach reduce_breach(const Case& c, const LawResult& found, const LawAttempt& attempt,
                        const std::function<bool()>& stop, int most_attempts = 200);

}  // namespace cellproof::fuzz
