#include "engines/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "engines/threads.hpp"

namespace cellproof::engines {
namespace {

/// Variables that a clean environment keeps. docs/worker-protocol.md says why each is there.
constexpr std::array<std::string_view, 8> kept_names{
    "PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"};
constexpr std::array<std::string_view, 2> kept_prefixes{"LC_", "CELLPROOF_"};

/// Python's standard streams then hold nothing back: the last words of an interpreter that dies are in the log.
constexpr std::string_view unbuffered_python = "PYTHONUNBUFFERED";

constexpr std::string_view tunables_name = "GLIBC_TUNABLES";
constexpr std::string_view perturb_alias = "MALLOC_PERTURB_";
constexpr std::array<std::string_view, 2> fill_tunables{"glibc.malloc.perturb", "glibc.malloc.tcache_count"};

std::string_view name_of(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}

bool is_kept(const WorkerEnvironment& environment, std::string_view name) {
  return !environment.clean || std::ranges::count(kept_names, name) > 0 ||
         std::ranges::any_of(kept_prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
         std::ranges::count(environment.passed, name) > 0;
}

void check(const WorkerEnvironment& environment) {
  for (const std::string& name : environment.passed) {
    if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos)
      throw std::invalid_argument(fmt::format("'{}' is no name of an environment variable, expected NAME", name));
  }
  if (environment.fill == 0xff) throw std::invalid_argument("fill 255: expected 0 to 254, glibc cannot fill with 255");
}

void set(std::vector<std::string>& strings, std::string_view name, std::string_view value) {
  std::erase_if(strings, [&](const std::string& entry) { return name_of(entry) == name; });
  strings.push_back(fmt::format("{}={}", name, value));
}

/// The tunables of before but for those that fill memory, and ours behind them. An allocation is filled with the
/// complement of the number; what the cache of each thread hands out is not filled at all.
std::string with_fill(std::string_view tunables, std::uint8_t fill) {
  std::string merged;
  while (!tunables.empty()) {
    const std::string_view one = tunables.substr(0, tunables.find(':'));
    tunables.remove_prefix(std::min(one.size() + 1, tunables.size()));
    if (!one.empty() && std::ranges::count(fill_tunables, name_of(one)) == 0) merged += fmt::format("{}:", one);
  }
  return merged + fmt::format("{}={}:{}=0", fill_tunables[0], fill ^ 0xff, fill_tunables[1]);
}

}  // namespace

std::vector<std::string> strings_of(const WorkerEnvironment& environment, const char* const* inherited) {
  check(environment);
  std::vector<std::string> strings;
  std::string tunables;
  for (; *inherited != nullptr; ++inherited) {
    const std::string_view entry = *inherited;
    if (!is_kept(environment, name_of(entry))) continue;
    if (name_of(entry) == tunables_name) tunables = entry.substr(std::min(tunables_name.size() + 1, entry.size()));
    if (environment.fill && name_of(entry) == perturb_alias) continue;
    strings.emplace_back(entry);
  }
  if (environment.fill) set(strings, tunables_name, with_fill(tunables, *environment.fill));
  set(strings, unbuffered_python, "1");
  if (environment.threads > 0) set(strings, threads_variable, std::to_string(environment.threads));
  return strings;
}

}  // namespace cellproof::engines
