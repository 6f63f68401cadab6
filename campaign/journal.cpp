#include "campaign/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

namespace cellproof::campaign {

Journal::Journal(std::filesystem::path file)
    : file_(std::move(file)),
      descriptor_(open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) {
    throw std::system_error(errno, std::generic_category(), fmt::format("{}: cannot be written", file_.string()));
  }
}

Journal::~Journal() {
  close(descriptor_);
}

void Journal::enter(const std::string& engine, const std::string& suite, std::int64_t number,
                    const std::string& case_line) {
  write(fmt::format("> {} {} {} {}\n", engine, suite, number, case_line));
}

void Journal::leave(const std::string& engine, const std::string& suite, std::int64_t number) {
  write(fmt::format("< {} {} {}\n", engine, suite, number));
}

void Journal::remove() {
  std::filesystem::remove(file_);
}

void Journal::write(const std::string& line) {
  const std::scoped_lock lock(mutex_);
  if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    throw std::system_error(errno, std::generic_category(), fmt::format("{}: cannot be written", file_.string()));
  }
}

std::vector<std::string> unfinished_entries(const std::filesystem::path& file) {
  std::ifstream in(file);
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
