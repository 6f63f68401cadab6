#include "engines/keeper/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

// The keeper is started once for each worker: no streams and no format library, which cost it more than its work.
namespace cellproof::engines {
namespace {

std::string whole_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::string text;
  char piece[4096];
  for (ssize_t count; (count = read(file, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(count));
  close(file);
  return text;
}

std::string in_proc(pid_t pid, std::string_view file) {
  return "/proc/" + std::to_string(pid) + "/" + std::string(file);
}

/// The numbers that name entries of a folder: processes of /proc, threads of a process.
std::vector<pid_t> numbers_in(const std::string& path) {
  std::vector<pid_t> numbers;
  DIR* const folder = opendir(path.c_str());
  if (folder == nullptr) return numbers;
  while (const dirent* const entry = readdir(folder)) {
    if (const auto number = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10)); number > 0)
      numbers.push_back(number);
  }
  closedir(folder);
  return numbers;
}

std::vector<pid_t> words_as_numbers(std::string_view text) {
  std::vector<pid_t> numbers;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    pid_t number = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), number);
    if (error == std::errc()) numbers.push_back(number);
    at = error == std::errc() ? end : at + 1;
  }
  return numbers;
}

/// A child belongs to the thread that forked it.
std::vector<pid_t> listed_children(pid_t parent) {
  std::vector<pid_t> found;
  for (const pid_t thread : numbers_in(in_proc(parent, "task"))) {
    for (const pid_t child :
         words_as_numbers(whole_file(in_proc(parent, "task/") + std::to_string(thread) + "/children")))
      found.push_back(child);
  }
  return found;
}

/// Who is whose child, of all processes.
using Parentage = std::vector<std::pair<pid_t, pid_t>>;

Parentage every_process() {
  Parentage all;
  for (const pid_t pid : numbers_in("/proc")) {
    if (const auto state = state_of(pid)) all.emplace_back(pid, state->parent);
  }
  return all;
}

std::vector<pid_t> children_among(const Parentage& all, pid_t wanted) {
  std::vector<pid_t> found;
  for (const auto& [pid, parent] : all)
    if (parent == wanted) found.push_back(pid);
  return found;
}

}  // namespace

std::optional<ProcessState> state_of(pid_t pid) {
  // "123 (a name) S 1 123 ...", and the name may hold blanks and parentheses.
  const std::string line = whole_file(in_proc(pid, "stat"));
  const auto open_at = line.find('('), close_at = line.rfind(')');
  if (open_at == std::string::npos || close_at == std::string::npos || close_at + 3 > line.size()) return std::nullopt;
  const auto numbers = words_as_numbers(std::string_view(line).substr(close_at + 3));
  if (numbers.size() < 2) return std::nullopt;
  return ProcessState{.name = line.substr(open_at + 1, close_at - open_at - 1),
                      .state = line[close_at + 2],
                      .parent = numbers[0],
                      .group = numbers[1]};
}

bool is_ending(pid_t pid) {
  const auto state = state_of(pid);
  if (!state || state->has_ended()) return true;
  const std::string status = whole_file(in_proc(pid, "status"));
  for (const std::string_view key : {"SigPnd:\t", "ShdPnd:\t"}) {
    const auto at = status.find(key);
    if (at == std::string::npos) continue;
    const auto pending = std::strtoull(status.c_str() + at + key.size(), nullptr, 16);
    if ((pending >> (SIGKILL - 1) & 1) != 0) return true;
  }
  return false;
}

std::uint64_t resident_pages(pid_t pid) {
  const auto numbers = words_as_numbers(whole_file(in_proc(pid, "statm")));
  return numbers.size() < 2 ? 0 : static_cast<std::uint64_t>(numbers[1]);
}

bool kernel_lists_children() {
  static const bool listed = access("/proc/thread-self/children", R_OK) == 0;
  return listed;
}

std::vector<pid_t> children_of(pid_t parent, bool by_lists) {
  return by_lists ? listed_children(parent) : children_among(every_process(), parent);
}

std::vector<pid_t> descendants_of(pid_t ancestor, bool by_lists) {
  const Parentage all = by_lists ? Parentage() : every_process();
  std::vector<pid_t> found{ancestor};
  std::set<pid_t> seen{ancestor};  // a number that is given anew meanwhile must not lead in a circle
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const pid_t child : by_lists ? listed_children(found[k]) : children_among(all, found[k]))
      if (seen.insert(child).second) found.push_back(child);
  }
  found.erase(found.begin());
  return found;
}

}  // namespace cellproof::engines
