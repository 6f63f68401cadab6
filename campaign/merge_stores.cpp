#include "campaign/merge_stores.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "campaign/attribution.hpp"
#include "campaign/shard.hpp"
#include "reports/store.hpp"

namespace cellproof::campaign {
namespace {

void check_alike(const reports::Passport& first, const std::filesystem::path& first_file,
                 const reports::Passport& other, const std::filesystem::path& file) {
  const auto difference = reports::difference_of_runs(first, other, false);
  if (!difference) return;
  throw std::invalid_argument(fmt::format("{}: cannot be merged with {}: its {} is '{}', not '{}'", file.string(),
                                          first_file.string(), difference->key, difference->second, difference->first));
}

/// "1/1" where the shards are all that there are, otherwise their list.
std::string shard_of_all(const std::set<std::string>& shards) {
  std::set<int> there;
  int count = 0;
  for (const std::string& text : shards) {
    const Shard shard = parse_shard(text);
    there.insert(shard.index);
    if (count != 0 && count != shard.count) return fmt::format("{}", fmt::join(shards, "+"));
    count = shard.count;
  }
  return static_cast<int>(there.size()) == count ? "1/1" : fmt::format("{}", fmt::join(shards, "+"));
}

}  // namespace

void merge_stores(const std::vector<std::filesystem::path>& files, const std::filesystem::path& to) {
  std::vector<Finding> findings;
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::string> held_by;
  std::vector<std::pair<std::string, std::pair<std::string, std::string>>> notes;
  std::set<std::string> shards;
  reports::Passport passport;
  for (const std::filesystem::path& file : files) {
    const reports::Store store = reports::Store::open_read_only(file);
    const reports::Passport own = store.passport();
    if (passport.empty()) passport = own;
    check_alike(passport, files.front(), own, file);
    if (const std::string shard = reports::value_of(own, "shard"); !shard.empty()) shards.insert(shard);
    for (Finding& finding : store.findings()) {
      const auto [place, is_new] =
          held_by.emplace(std::tuple(finding.engine, finding.suite, finding.number), file.string());
      if (!is_new) {
        throw std::invalid_argument(fmt::format("{}: holds {} number {} on {}, and so does {}", file.string(),
                                                finding.suite, finding.number, finding.engine, place->second));
      }
      findings.push_back(std::move(finding));
    }
    for (const auto& [engine, pairs] : store.engine_notes()) {
      for (const auto& note : pairs) notes.emplace_back(engine, note);
    }
  }
  for (auto& [key, value] : passport) {
    if (key == "shard") value = shard_of_all(shards);
  }
  reports::Store merged = reports::Store::create(to, passport);
  for (const auto& [engine, note] : notes) merged.set_engine_note(engine, note.first, note.second);
  merged.add(findings);
  attribute_signatures(findings, merged);
}

}  // namespace cellproof::campaign
