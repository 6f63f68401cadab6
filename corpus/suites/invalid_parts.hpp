#pragma once

#include <string>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::corpus::catalogue {

/// A case that breaks one rule: the rule's id (spec/expectation.hpp), and which of several ways of breaking it this is.
struct Breach {
  std::string rule;
  std::string way;
  Case c;
};

/// Which breaches of a version are wanted.
enum class Breaches {
  OfEveryVersion,    ///< those that can be made of this version
  ThatTellVersions,  ///< of versions before the newest, only those of rules that are not the same in the newest
};

/// Each appends the breaches of its kind, made from a valid case, which is left as it is but for the one rule where
/// that can be: what a case holds already can break a second one.
void break_attributes(const Case& valid, Breaches wanted, std::vector<Breach>& breaches);
void break_arguments(const Case& valid, Breaches wanted, std::vector<Breach>& breaches);
void break_shapes(const Case& valid, Breaches wanted, std::vector<Breach>& breaches);

/// All three.
std::vector<Breach> breaches_of(const Case& valid, Breaches wanted);

}  // namespace cellproof::corpus::catalogue
