#include "campaign/merge_stores.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "campaign/attribution.hpp"
#include "campaign/causes_note.hpp"
#include "campaign/kept_answers.hpp"
#include "campaign/shard.hpp"
#include "campaign/share.hpp"
#include "campaign/stop.hpp"
#include "reports/store.hpp"
#include "spec/files/owner_lock.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;

void check_alike(const RunMetadata& first, const fs::path& first_file, const RunMetadata& other, const fs::path& file) {
  const std::vector<RunDifference> differences = differences_of_runs(first, other, false);
  if (differences.empty()) return;
  const auto& [name, before, here] = differences.front();
  throw std::invalid_argument(fmt::format("{}: cannot be merged with {}: its {} is '{}', not '{}'", file.string(),
                                          first_file.string(), name, here, before));
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
  EngineNotes notes;                                ///< of the first file in which it ran, or else of the first one
  bool ran = false;                                 ///< in some file
  bool ran_again = false;                           ///< in another one, too
  std::set<std::string> shards;                     ///< in which it ran
  std::chrono::steady_clock::duration asked_for{};  ///< in all files together, as one run takes
  std::vector<std::string> absences;
  std::map<EngineNote, std::vector<std::string>> remarks;  ///< of all files in which it ran, start trouble, too
};

/// Merges several stores into one.
class Merge {
 public:
  void add(const fs::path& file) {
    const reports::Store store = reports::Store::open_read_only(file);
    const RunMetadata own = store.metadata();
    if (first_file_.empty()) {
      first_file_ = file;
      metadata_ = own;
    }
    check_alike(metadata_, first_file_, own, file);
    const std::string& shard = own.shard;
    if (!shard.empty()) shards_.emplace(shard, shard_of(file, shard));
    for (const std::string& left : own.not_run) missing_.push_back(fmt::format("{}: {}", file.string(), left));
    for (std::string& line : store.damage()) {
      missing_.push_back(line);
      damage_.push_back(std::move(line));
    }
    for (const auto& [engine, notes] : store.engine_notes()) {
      add(engine, notes, shard, file);
      std::ranges::move(store.answers(engine), std::back_inserter(answers_));
    }
    for (Finding& finding : store.findings()) add(std::move(finding), file);
  }

  const std::vector<std::string>& damage() const { return damage_; }

  void write(const fs::path& to, bool with_causes) {
    for (const std::string& name : order_) {
      const Engine& engine = engines_.at(name);
      if (engine.ran) missing_.insert(missing_.end(), engine.absences.begin(), engine.absences.end());
    }
    metadata_.wall_time = metadata_.in_engines = "";
    const std::string all = is_whole() ? "1/1" : fmt::format("{}", fmt::join(names_of_shards(), "+"));
    if (!metadata_.shard.empty()) metadata_.shard = all;
    metadata_.shard_chosen_by = "";
    metadata_.not_run = missing_;
    reports::Store merged = reports::Store::create(to, metadata_);
    for (const std::string& name : order_) {
      // The causes of a part explain that part alone.
      const auto is_of_a_part = [&](EngineNote note) {
        const bool is_of_causes = note == EngineNote::Causes || note == EngineNote::CausesCutShort;
        return is_of_causes && engines_.at(name).ran_again;
      };
      for (const auto& [note, words] : engines_.at(name).notes)
        if (!is_of_a_part(note)) merged.set_engine_note(name, note, words);
      for (const auto& [note, all_words] : engines_.at(name).remarks)
        if (!is_of_a_part(note)) merged.set_engine_note(name, note, fmt::format("{}", fmt::join(all_words, "; ")));
      const auto asked_for = engines_.at(name).asked_for;
      if (asked_for.count() > 0) merged.set_engine_note(name, EngineNote::AskedFor, text_of_time(asked_for));
    }
    merged.add(findings_, answers_);
    attribute_signatures(findings_, merged);
    for (const auto& [name, engine] : engines_)
      if (with_causes && engine.ran_again) find_causes(name, engine, merged);
  }

 private:
  void add(const std::string& name, const EngineNotes& notes, const std::string& shard, const fs::path& file) {
    const auto [place, is_new] = engines_.try_emplace(name);
    Engine& engine = place->second;
    if (is_new) {
      order_.push_back(name);
      engine.first_file = file;
      engine.notes = notes;
    }
    const std::string absent = words_of(notes, EngineNote::Absent), failure = words_of(notes, EngineNote::CannotStart);
    if (!absent.empty() || !failure.empty()) {  // on the machine of this shard
      engine.absences.push_back(fmt::format("{}: {} {} there: {}", file.string(), name,
                                            absent.empty() ? "cannot start" : "was absent", absent + failure));
      return;
    }
    if (engine.ran) check_same_engine(name, engine, notes, file);
    engine.ran_again = engine.ran;
    if (!engine.ran) {
      engine.first_file = file;
      engine.notes = notes;
    }
    engine.ran = true;
    for (const auto& [note, words] : notes) {
      const bool of_each_file = is_remark(note) || note == EngineNote::CannotStartAgain;
      if (of_each_file && !words.empty()) engine.remarks[note].push_back(words);
    }
    engine.asked_for += time_of_text(words_of(notes, EngineNote::AskedFor));
    if (!shard.empty()) engine.shards.insert(shard);
  }

  /// Looks at all parts together. Nobody can ask the engine here.
  void find_causes(const std::string& name, const Engine& engine, reports::Store& merged) const {
    std::vector<Finding> own;
    std::ranges::copy_if(findings_, std::back_inserter(own), [&](const Finding& each) { return each.engine == name; });
    EngineUnderTest under_test{name, words_of(engine.notes, EngineNote::Version), {}};
    under_test.declared = contract_named(words_of(engine.notes, EngineNote::Contract));
    KeptAnswers kept;
    kept.take_over(own, answers_of(name));
    for (const auto& [note, words] :
         notes_on_causes(causes_of(own, kept, under_test, stop_is_requested), own, under_test, ""))
      merged.set_engine_note(name, note, words);
  }

  std::vector<reports::StoredAnswer> answers_of(const std::string& engine) const {
    std::vector<reports::StoredAnswer> own;
    std::ranges::copy_if(answers_, std::back_inserter(own), [&](const auto& each) { return each.engine == engine; });
    return own;
  }

  static void check_same_engine(const std::string& name, const Engine& engine, const EngineNotes& notes,
                                const fs::path& file) {
    for (const EngineNote note : {EngineNote::Version, EngineNote::Contract}) {
      const std::string before = words_of(engine.notes, note), here = words_of(notes, note);
      if (before == here) continue;
      throw std::invalid_argument(fmt::format("{}: cannot be merged with {}: the {} of {} is '{}', not '{}'",
                                              file.string(), engine.first_file.string(), cellproof::name(note), name,
                                              here, before));
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
  RunMetadata metadata_;
  std::map<std::string, Shard> shards_;
  std::vector<std::string> missing_, damage_;
  std::map<std::string, Engine> engines_;
  std::vector<std::string> order_;  ///< of the engines, as the files have them
  std::vector<Finding> findings_;
  std::vector<reports::StoredAnswer> answers_;
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::string> held_by_;
};

}  // namespace

std::vector<std::string> merge_stores(const std::vector<fs::path>& files, const fs::path& to, bool with_causes) {
  const OwnerLock lock(lock_file_of_store(to), to.string());
  Merge merge;
  for (const fs::path& file : files) merge.add(file);
  merge.write(to, with_causes);
  return merge.damage();
}

}  // namespace cellproof::campaign
