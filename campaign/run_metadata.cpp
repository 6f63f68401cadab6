#include <fmt/format.h>
#include <sys/utsname.h>
#include <xxhash.h>

#include <array>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "campaign/run.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

std::string cpu_field(std::string_view field) {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (line.starts_with(field) && colon != std::string::npos && colon + 2 <= line.size())
      return line.substr(colon + 2);
  }
  return "unknown";
}

std::string vector_features() {
  std::istringstream flags(cpu_field("flags"));
  std::string found;
  for (std::string flag; flags >> flag;) {
    if (flag == "avx2" || flag == "fma" || flag == "avx512f" || flag == "avx512_vnni" || flag == "avx_vnni" ||
        flag == "avx512_bf16" || flag == "amx_bf16") {
      found += (found.empty() ? "" : " ") + flag;
    }
  }
  return found.empty() ? "none of those asked for" : found;
}

std::string kernel() {
  utsname names{};
  uname(&names);
  return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
}

std::string compiler() {
  return fmt::format("{} {}, {}", CELLPROOF_COMPILER, __VERSION__, CELLPROOF_BUILD_TYPE);
}

/// One hash over the lines of all cases in order: two runs with the same one ran the same cases.
std::string corpus_hash(const RunOptions& options) {
  std::string all;
  for (const corpus::Suite& suite : options.suites) {
    if (suite.is_endless()) all += suite.name + ": " + suite.what + "\n";
    for (const corpus::SuiteCase& suite_case : suite.cases) all += to_text(suite_case.c) + "\n";
  }
  return fmt::format("{:016x}", XXH64(all.data(), all.size(), 0));
}

std::string names_of(const std::vector<corpus::Suite>& suites) {
  std::string text;
  for (const corpus::Suite& suite : suites) text += (text.empty() ? "" : ", ") + suite.name;
  return text;
}

}  // namespace

RunMetadata metadata_of_machine(const std::string& command_line) {
  RunMetadata metadata;
  metadata.command = command_line;
  metadata.cellproof = CELLPROOF_VERSION;
  metadata.compiler = compiler();
  metadata.started = now_utc();
  metadata.cpu = cpu_field("model name");
  metadata.vector_features = vector_features();
  metadata.system = kernel();
  return metadata;
}

RunMetadata metadata_of_run(const RunOptions& options, const std::string& command_line) {
  RunMetadata metadata = metadata_of_machine(command_line);
  metadata.suites = names_of(options.suites);
  metadata.corpus_hash = corpus_hash(options);
  metadata.shard = fmt::format("{}/{}", options.shard.index + 1, options.shard.count);
  metadata.shard_chosen_by = options.shard_chosen_by;
  metadata.seed = fmt::format("{}", options.seed);
  metadata.jobs = fmt::format("{}", options.jobs);
  return metadata;
}

}  // namespace cellproof::campaign
