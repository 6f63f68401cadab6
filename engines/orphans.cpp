#include "engines/orphans.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <thread>

#include "engines/keeper/process_tree.hpp"
#include "engines/keeper/report.hpp"

namespace cellproof::engines {
namespace {

/// Longest wait for orphans to die: one in a driver's call cannot be killed.
constexpr std::chrono::seconds most_patience{5};
/// Longest wait for an environment: while the kernel starts a program, a process shows none.
constexpr std::chrono::seconds longest_exec{1};

/// Does its environment name this harness? nullopt where it shows none.
std::optional<bool> carries_mark(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/environ", pid), std::ios::binary);
  const std::string environment{std::istreambuf_iterator<char>(file), {}};
  if (environment.empty()) return std::nullopt;
  const std::string entry = fmt::format("{}={}", harness_variable, harness_mark());
  for (std::string_view rest = environment; !rest.empty();) {
    const auto end = rest.find('\0');
    if (rest.substr(0, end) == entry) return true;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return false;
}

/// Adds those that it does not know yet. A zombie has no environment any more, but a group still. Is there a child that
/// may be one, and does not show it yet?
bool find_orphans(pid_t worker, std::set<pid_t>& known) {
  bool unsure = false;
  for (const pid_t child : children_of(getpid())) {
    const auto state = state_of(child);
    if (!state || known.contains(child)) continue;
    const auto marked = carries_mark(child);
    if (child == worker || state->group == worker || marked.value_or(false))
      known.insert(child);
    else if (!marked && !state->has_ended())
      unsure = true;
  }
  return unsure;
}

}  // namespace

std::string harness_mark() {
  return fmt::format("{:07}", getpid());
}

void adopt_orphans() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void end_orphans(pid_t worker) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::set<pid_t> orphans;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    bool unsure = false;
    // Processes that an orphan had started come here when it is dead.
    do {
      unsure = find_orphans(worker, orphans);
      for (const pid_t pid : orphans) ::kill(pid, SIGKILL);
    } while (std::erase_if(orphans, [](pid_t pid) { return waitpid(pid, nullptr, WNOHANG) != 0; }) > 0);
    const auto time = std::chrono::steady_clock::now() - begin;
    if (orphans.empty() ? !unsure || time >= longest_exec : time >= most_patience) return;
  }
}

}  // namespace cellproof::engines
