#include "campaign/journal.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <utility>

#include "spec/files/regular_file.hpp"

namespace cellproof::campaign {
namespace {

constexpr std::uint64_t largest_journal = std::uint64_t{1} << 32;

std::string key_of(const std::string& engine, const std::string& suite, std::int64_t number) {
  return fmt::format("{} {} {}", engine, suite, number);
}

}  // namespace

Journal::Journal(std::filesystem::path file, std::size_t most_bytes)
    : path_(std::move(file)), most_bytes_(most_bytes), file_(std::in_place, path_) {}

void Journal::enter(const std::string& engine, const std::string& suite, std::int64_t number,
                    const std::string& case_line) {
  const std::scoped_lock lock(mutex_);
  const std::string key = key_of(engine, suite, number);
  add(open_[key] = fmt::format("> {} {}\n", key, case_line));
}

void Journal::leave(const std::string& engine, const std::string& suite, std::int64_t number) {
  const std::scoped_lock lock(mutex_);
  const std::string key = key_of(engine, suite, number);
  open_.erase(key);
  add(fmt::format("< {}\n", key));
}

/// With the mutex held. A file that is begun anew is written at once, so what it names is lost for a moment at most.
void Journal::add(const std::string& line) {
  if (!file_) file_.emplace(path_);  // it could not be begun anew
  file_->add(line);
  bytes_ += line.size();
  if (bytes_ <= most_bytes_) return;
  std::string left;
  for (const auto& [key, entry] : open_) left += entry;
  file_.emplace(path_);
  file_->add(left);
  bytes_ = 0;
}

void Journal::remove() {
  const std::scoped_lock lock(mutex_);
  if (file_) file_->remove();
}

std::vector<std::string> unfinished_entries(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return {};
  std::istringstream in(read_regular_file(file, largest_journal));
  std::map<std::string, std::string> open_entries;
  for (std::string line; std::getline(in, line);) {
    if (line.size() < 2) continue;
    const std::string rest = line.substr(2);
    // The key is "engine suite number": its third blank ends it in an entry, the line's end in a leave.
    std::size_t blank = rest.find(' ');
    for (int k = 0; k < 2 && blank != std::string::npos; ++k) blank = rest.find(' ', blank + 1);
    const std::string key = rest.substr(0, blank);
    if (line[0] == '>') open_entries[key] = rest;
    if (line[0] == '<') open_entries.erase(key);
  }
  std::vector<std::string> entries;
  entries.reserve(open_entries.size());
  for (const auto& [key, entry] : open_entries) entries.push_back(entry);
  return entries;
}

}  // namespace cellproof::campaign
