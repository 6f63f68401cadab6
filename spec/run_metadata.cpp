#include "spec/run_metadata.hpp"

#include <algorithm>

namespace cellproof {
namespace {

struct Field {
  std::string_view name;
  std::string RunMetadata::*words;
  bool says_which_findings = false;
};

constexpr Field fields[] = {{"command", &RunMetadata::command},
                            {"cellproof", &RunMetadata::cellproof, true},
                            {"compiler", &RunMetadata::compiler},
                            {"suites", &RunMetadata::suites, true},
                            {"corpus hash", &RunMetadata::corpus_hash, true},
                            {"shard", &RunMetadata::shard, true},
                            {"shard chosen by", &RunMetadata::shard_chosen_by},
                            {"seed", &RunMetadata::seed, true},
                            {"jobs", &RunMetadata::jobs},
                            {"started", &RunMetadata::started},
                            {"cpu", &RunMetadata::cpu},
                            {"vector features", &RunMetadata::vector_features},
                            {"system", &RunMetadata::system},
                            {"last call: wall time", &RunMetadata::wall_time},
                            {"last call: inside the engines", &RunMetadata::in_engines},
                            {"ended early", &RunMetadata::ended_early}};
constexpr std::string_view not_run = "not run";  // as often as there is something

}  // namespace

void RunMetadata::forget_last_call() {
  wall_time = in_engines = ended_early = "";
  not_run.clear();
}

std::vector<std::pair<std::string, std::string>> rows_of(const RunMetadata& metadata) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Field& field : fields) {
    if (!(metadata.*field.words).empty()) rows.emplace_back(field.name, metadata.*field.words);
  }
  for (const std::string& words : metadata.not_run) rows.emplace_back(not_run, words);
  return rows;
}

RunMetadata run_metadata_of(const std::vector<std::pair<std::string, std::string>>& rows) {
  RunMetadata metadata;
  for (const auto& [name, words] : rows) {
    if (name == not_run) metadata.not_run.push_back(words);
    if (const auto* field = std::ranges::find(fields, name, &Field::name); field != std::end(fields))
      metadata.*field->words = words;
  }
  return metadata;
}

std::vector<RunDifference> differences_of_runs(const RunMetadata& first, const RunMetadata& second, bool same_shard) {
  std::vector<RunDifference> differences;
  for (const auto& [name, words, says_which_findings] : fields) {
    if (!says_which_findings || (words == &RunMetadata::shard && !same_shard)) continue;
    if (first.*words != second.*words) differences.push_back({name, first.*words, second.*words});
  }
  return differences;
}

}  // namespace cellproof
