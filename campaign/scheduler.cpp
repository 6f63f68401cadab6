#include "campaign/scheduler.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <stdexcept>

#include "spec/files/output_file.hpp"

namespace cellproof::campaign {
namespace {

/// The environment of a scheduler, asked for one option: each complaint begins with it.
class Asked {
 public:
  Asked(std::string_view option, const Environment& environment) : option_(option), environment_(environment) {}

  bool has(const char* name) const { return environment_(name) != nullptr; }

  std::string text_or_none(const char* name) const {
    const char* const text = environment_(name);
    return text == nullptr ? "" : text;
  }

  std::int64_t number(const char* name, std::int64_t least) const {
    if (!has(name)) refuse(fmt::format("{} is not set", name));
    const std::string text = text_or_none(name);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least)
      refuse(fmt::format("{} is '{}', expected a number from {} on", name, text, least));
    return value;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument(fmt::format("--shard {}: {}", option_, why));
  }

 private:
  std::string_view option_;
  const Environment& environment_;
};

ShardChoice of_bazel(const Asked& asked) {
  ShardChoice choice;
  choice.junit = asked.text_or_none("XML_OUTPUT_FILE");
  if (!asked.has("TEST_TOTAL_SHARDS") && !asked.has("TEST_SHARD_INDEX")) {  // a test without shard_count
    if (!asked.has("TEST_SRCDIR"))
      asked.refuse("neither TEST_TOTAL_SHARDS nor TEST_SRCDIR is set: this is no test of Bazel");
    return choice;
  }
  choice.shard = {asked.number("TEST_SHARD_INDEX", 0), asked.number("TEST_TOTAL_SHARDS", 1)};
  choice.chosen_by = fmt::format("TEST_SHARD_INDEX={} of TEST_TOTAL_SHARDS={}", choice.shard.index, choice.shard.count);
  if (choice.shard.index >= choice.shard.count) asked.refuse(choice.chosen_by + ": expected an index below the total");
  choice.status_file = asked.text_or_none("TEST_SHARD_STATUS_FILE");
  return choice;
}

/// Tasks of an array are numbered MIN, MIN + STEP, ... MAX.
ShardChoice of_slurm(const Asked& asked) {
  const std::int64_t id = asked.number("SLURM_ARRAY_TASK_ID", 0), first = asked.number("SLURM_ARRAY_TASK_MIN", 0);
  const std::int64_t last = asked.number("SLURM_ARRAY_TASK_MAX", 0), count = asked.number("SLURM_ARRAY_TASK_COUNT", 1);
  const std::int64_t step = asked.has("SLURM_ARRAY_TASK_STEP") ? asked.number("SLURM_ARRAY_TASK_STEP", 1) : 1;
  const std::string chosen_by = fmt::format("SLURM_ARRAY_TASK_ID={} of {} to {}", id, first, last) +
                                (step == 1 ? "" : fmt::format(" by {}", step));
  if (last < first || (last - first) / step != count - 1)
    asked.refuse(
        fmt::format("{} are not SLURM_ARRAY_TASK_COUNT={} tasks: expected an array without gaps", chosen_by, count));
  if (id < first || id > last || (id - first) % step != 0)
    asked.refuse(chosen_by + ": expected one of the array's tasks");
  return {{(id - first) / step, count}, chosen_by, "", ""};
}

/// Kubernetes tells a pod its index alone.
ShardChoice of_kubernetes(const Asked& asked, std::optional<std::int64_t> expected) {
  if (!expected) asked.refuse("expected kubernetes/N with N as the job's completions: no variable holds them");
  const std::int64_t index = asked.number("JOB_COMPLETION_INDEX", 0);
  const std::string chosen_by = fmt::format("JOB_COMPLETION_INDEX={} of {}", index, *expected);
  if (index >= *expected) asked.refuse(chosen_by + ": expected an index below the total");
  return {{index, *expected}, chosen_by, "", ""};
}

}  // namespace

ShardChoice choose_shard(std::string_view text, const Environment& environment) {
  const auto slash = text.find('/');
  const std::string_view scheduler = text.substr(0, slash);
  if (scheduler != "bazel" && scheduler != "slurm" && scheduler != "kubernetes") return {parse_shard(text), "", "", ""};
  const Asked asked(text, environment);
  std::optional<std::int64_t> expected;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 1)
      asked.refuse(fmt::format("expected {0} or {0}/N with 1 <= N", scheduler));
    expected = value;
  }
  ShardChoice choice = scheduler == "bazel"   ? of_bazel(asked)
                       : scheduler == "slurm" ? of_slurm(asked)
                                              : of_kubernetes(asked, expected);
  if (expected && choice.shard.count != *expected)
    asked.refuse(fmt::format("{} parts expected, and {} has {}", *expected, scheduler, choice.shard.count));
  return choice;
}

void advertise_sharding(const ShardChoice& choice) {
  if (!choice.status_file.empty()) write_file(choice.status_file, "");
}

std::string line_on_shard(const ShardChoice& choice) {
  if (choice.shard.count == 1) return "";
  return fmt::format("shard {}/{}{}: a part of the cases\n", choice.shard.index + 1, choice.shard.count,
                     choice.chosen_by.empty() ? "" : fmt::format(" ({})", choice.chosen_by));
}

}  // namespace cellproof::campaign
