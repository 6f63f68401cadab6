#include "fuzz/law_breach.hpp"

#include <fmt/format.h>

#include "oracle/minimise.hpp"

namespace cellproof::fuzz {

LawBreach reduce_breach(const Case& c, const LawResult& found, const LawAttempt& attempt,
                        const std::function<bool()>& stop, int most_attempts) {
  std::vector<std::pair<Case, std::string>> broken{{c, found.message}};
  int attempts = 0;
  const auto still_broken = [&](const Case& smaller) {
    if (attempts++ >= most_attempts || (stop && stop())) return false;
    LawResult result = attempt(smaller);
    if (result.kind != found.kind || result.agree_on_nan != found.agree_on_nan) return false;
    broken.emplace_back(smaller, std::move(result.message));
    return true;
  };
  oracle::Minimised minimised = oracle::minimise(c, still_broken);
  LawBreach breach{std::move(minimised.smallest), std::move(minimised.guilty), ""};
  // An engine that keeps the law when it is asked again has nothing to say then: what it said before is the reason.
  for (const auto& [which, message] : broken) {
    if (which == breach.smallest) breach.message = message;
  }
  if (const LawResult again = attempt(breach.smallest); again.kind != found.kind)
    breach.message += fmt::format("; not each time (tried once more: {})", name(again.kind));
  return breach;
}

}  // namespace cellproof::fuzz
