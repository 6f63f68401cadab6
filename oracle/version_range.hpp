#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cellproof::oracle {

/// Versions of an engine: ">=1.31,<1.32", "==1.31.1", or "*" for all. Versions are compared number by number; what is
/// missing counts as 0, and what follows the numbers ("-rc1", "+cu12") does not count.
class VersionRange {
 public:
  /// Throws std::invalid_argument: what was expected.
  explicit VersionRange(std::string_view text);

  bool contains(std::string_view version) const;
  const std::string& text() const { return text_; }

 private:
  enum class Relation { Less, AtMost, Equal, AtLeast, More };
  struct Bound {
    Relation relation;
    std::vector<int> version;
  };
  std::string text_;
  std::vector<Bound> bounds_;
};

}  // namespace cellproof::oracle
