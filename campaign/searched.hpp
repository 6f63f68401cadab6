#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "campaign/searched_note.hpp"
#include "campaign/shard.hpp"
#include "corpus/suite.hpp"
#include "spec/finding.hpp"
#include "spec/signature.hpp"

namespace cellproof::campaign {

/// Results of the cases of suites without end on one engine. The store keeps few of them (is_kept), so a long search
/// does not fill the disk: all are counted, and the counts are the engine's note "searched".
class Searched {
 public:
  /// Number below which all cases of a suite are kept, whatever comes of them: what else fared well tells which
  /// axis values are to blame for a failure.
  static constexpr std::int64_t all_kept_below = 1000;
  /// Failures that say the same but for the axes (Signature) are kept up to this count.
  static constexpr std::int64_t most_alike = 100;

  /// `taken_over`: note() of the run that this one resumes, {} where there is none; `kept`: its findings on the engine.
  Searched(const std::vector<corpus::Suite>& suites, const Shard& shard, const SearchedNote& taken_over,
           const std::vector<Finding>& kept);

  /// Returns the number below which all cases of the shard have been tried.
  std::int64_t tried_below(const std::string& suite) const { return suites_.at(suite).counted.tried_below; }
  /// Returns a number behind all that have been tried.
  std::int64_t seen_below(const std::string& suite) const;
  bool is_tried(const std::string& suite, std::int64_t number) const;

  /// Counts a case that has been tried, in whatever order. Returns whether the store is to keep it.
  bool add(const Finding& finding);

  /// Counts, of each suite, the cases before the first that has not been tried. What was tried behind it is tried again
  /// where the run is resumed from here.
  SearchedNote note() const;

 private:
  struct OfSuite {
    SearchedSuite counted;
    std::map<std::int64_t, std::string> ahead;  ///< results of cases behind one that has not been tried
  };

  bool is_kept(const Finding& finding);
  void count(OfSuite& suite, const Finding& finding) const;

  Shard shard_;
  std::map<std::string, OfSuite, std::less<>> suites_;
  std::map<Signature, std::int64_t> alike_;  ///< failures that are kept, by their signature without axes
};

}  // namespace cellproof::campaign
