#include "campaign/merge_stores.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "campaign/attribution.hpp"
#include "campaign/shard.hpp"
#include "reports/store.hpp"
#include "spec/files/owner_lock.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view not_run = "not run";

void check_alike(const reports::Passport& first, const fs::path& first_file, const reports::Passport& other,
                 const fs::path& file) {
  const auto difference = reports::difference_of_runs(first, other, false);
  if (!difference) return;
  throw std::invalid_argument(fmt::format("{}: cannot be merged with {}: its {} is '{}', not '{}'", file.string(),
                                          first_file.string(), difference->key, difference->second, difference->first));
}

Shard shard_of(const fs::path& file, const std::string& text) {
  if (text.find('+') != std::string::npos) {
    throw std::invalid_argument(fmt::format(
        "{}: is merged of some of the shards ({}); merge the stores of all of them at once", file.string(), text));
  }
  return parse_shard(text);
}

/// One engine, in all files that have tried it.
struct Engine {
  fs::path first_file;
  reports::Passport notes;       ///< of the first file in which it ran, or else of the first one
  bool ran = false;              ///< in some file
  std::set<std::string> shards;  ///< in which it ran
  std::vector<std::string> absences;
  std::map<std::string, std::vector<std::string>>
      remarks;  ///< by key, of all files in which it ran, start trouble, too
};

/// What is made of several stores.
class Merge {
 public:
  void add(const fs::path& file) {
    const reports::Store store = reports::Store::open_read_only(file);
    const reports::Passport own = store.passport();
    if (first_file_.empty()) first_file_ = file;
    if (passport_.empty()) passport_ = own;
    check_alike(passport_, first_file_, own, file);
    const std::string shard = reports::value_of(own, "shard");
    if (!shard.empty()) shards_.emplace(shard, shard_of(file, shard));
    for (const auto& [key, value] : own) {
      if (key == not_run) missing_.push_back(fmt::format("{}: {}", file.string(), value));
    }
    for (std::string& line : store.damage()) {
      missing_.push_back(line);
      damage_.push_back(std::move(line));
    }
    for (const auto& [engine, notes] : store.engine_notes()) add(engine, notes, shard, file);
    for (Finding& finding : store.findings()) add(std::move(finding), file);
  }

  const std::vector<std::string>& damage() const { return damage_; }

  void write(const fs::path& to) {
    for (const std::string& name : order_) {
      const Engine& engine = engines_.at(name);
      if (engine.ran) missing_.insert(missing_.end(), engine.absences.begin(), engine.absences.end());
    }
    const std::string all = is_whole() ? "1/1" : fmt::format("{}", fmt::join(names_of_shards(), "+"));
    std::erase_if(passport_,
                  [](const auto& entry) { return entry.first == not_run || entry.first.starts_with("last call: "); });
    for (auto& [key, value] : passport_) {
      if (key == "shard") value = all;
    }
    for (const std::string& what : missing_) passport_.emplace_back(not_run, what);
    reports::Store merged = reports::Store::create(to, passport_);
    for (const std::string& name : order_) {
      for (const auto& [key, value] : engines_.at(name).notes) merged.set_engine_note(name, key, value);
      for (const auto& [key, texts] : engines_.at(name).remarks)
        merged.set_engine_note(name, key, fmt::format("{}", fmt::join(texts, "; ")));
    }
    merged.add(findings_);
    attribute_signatures(findings_, merged);
  }

 private:
  void add(const std::string& name, const reports::Passport& notes, const std::string& shard, const fs::path& file) {
    const auto [place, is_new] = engines_.try_emplace(name);
    Engine& engine = place->second;
    if (is_new) {
      order_.push_back(name);
      engine.first_file = file;
      engine.notes = notes;
    }
    const std::string absent = reports::value_of(notes, "absent"), failure = reports::value_of(notes, "cannot start");
    if (!absent.empty() || !failure.empty()) {  // on the machine of this shard
      engine.absences.push_back(fmt::format("{}: {} {} there: {}", file.string(), name,
                                            absent.empty() ? "cannot start" : "was absent", absent + failure));
      return;
    }
    if (engine.ran) check_same_engine(name, engine, notes, file);
    if (!engine.ran) {
      engine.first_file = file;
      engine.notes = notes;
    }
    engine.ran = true;
    for (const auto& [key, text] : notes) {
      const bool is_remark = std::ranges::count(reports::remark_keys, key) > 0;
      if ((is_remark || key == reports::start_trouble_keys[1]) && !text.empty()) engine.remarks[key].push_back(text);
    }
    if (!shard.empty()) engine.shards.insert(shard);
  }

  static void check_same_engine(const std::string& name, const Engine& engine, const reports::Passport& notes,
                                const fs::path& file) {
    for (const std::string_view key : std::array{"version", "contract"}) {
      const std::string before = reports::value_of(engine.notes, key), here = reports::value_of(notes, key);
      if (before == here) continue;
      throw std::invalid_argument(fmt::format("{}: cannot be merged with {}: the {} of {} is '{}', not '{}'",
                                              file.string(), engine.first_file.string(), key, name, here, before));
    }
  }

  void add(Finding finding, const fs::path& file) {
    const auto [holder, is_new] =
        held_by_.emplace(std::tuple(finding.engine, finding.suite, finding.number), file.string());
    if (!is_new) {
      throw std::invalid_argument(fmt::format("{}: holds {} number {} on {}, and so does {}", file.string(),
                                              finding.suite, finding.number, finding.engine, holder->second));
    }
    // It lies in the report of its shard, and the merged store may be anywhere.
    if (finding.reduction) finding.reduction->folder.clear();
    findings_.push_back(std::move(finding));
  }

  std::vector<std::string> names_of_shards() const {
    std::vector<std::string> names;
    for (const auto& [name, shard] : shards_) names.push_back(name);
    return names;
  }

  /// Are there all shards, of all engines, each run to its end? Says what is missing.
  bool is_whole() {
    if (shards_.empty()) return missing_.empty();
    const std::int64_t count = shards_.begin()->second.count;
    if (std::ranges::any_of(shards_, [&](const auto& entry) { return entry.second.count != count; })) return false;
    for (const std::string& name : order_) {
      const Engine& engine = engines_.at(name);
      if (!engine.ran) continue;  // nowhere: its note says so
      for (std::int64_t k = 1; k <= count; ++k) {
        const std::string shard = fmt::format("{}/{}", k, count);
        if (!engine.shards.contains(shard)) missing_.push_back(fmt::format("shard {} on {}", shard, name));
      }
    }
    return missing_.empty();
  }

  fs::path first_file_;
  reports::Passport passport_;
  std::map<std::string, Shard> shards_;
  std::vector<std::string> missing_, damage_;
  std::map<std::string, Engine> engines_;
  std::vector<std::string> order_;  ///< of the engines, as the files have them
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::string> held_by_;
};

}  // namespace

std::vector<std::string> merge_stores(const std::vector<fs::path>& files, const fs::path& to) {
  const OwnerLock lock(lock_file_of_store(to), to.string());
  Merge merge;
  for (const fs::path& file : files) merge.add(file);
  merge.write(to);
  return merge.damage();
}

}  // namespace cellproof::campaign
