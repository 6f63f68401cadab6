#include "engines/worker_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "engines/keeper/process_tree.hpp"
#include "engines/keeper/report.hpp"
#include "engines/orphans.hpp"

namespace cellproof::engines {
namespace {

using std::chrono::milliseconds;

/// Longer than a keeper needs that is asked for the end of its worker. One that is stopped never answers.
constexpr milliseconds keeper_patience{10'000};

/// Number of processes that the kernel has killed for want of memory since the machine started.
std::uint64_t kernel_memory_kills() {
  std::ifstream file("/proc/vmstat");
  std::string key;
  std::uint64_t value = 0;
  while (file >> key >> value)
    if (key == "oom_kill") return value;
  return 0;
}

/// A process may give itself any name, and this one is printed.
std::string named(pid_t pid, std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("{} (pid {})", name, pid);
}

void reap(pid_t child) {
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

std::string Death::describe() const {
  if (keeper_was_killed) return "its keeper was killed, and it died with it";
  if (signal == 0) return fmt::format("exited with code {}", exit_code);
  const char* const short_name = sigabbrev_np(signal);
  const char* const long_name = sigdescr_np(signal);
  if (short_name == nullptr || long_name == nullptr) return fmt::format("signal {}", signal);
  return fmt::format("SIG{} ({})", short_name, long_name);
}

WorkerProcess::WorkerProcess(const std::vector<std::string>& command, int log, const WorkerEnvironment& environment)
    : spawned_(spawn_worker(command, log, environment)), kernel_kills_(kernel_memory_kills()) {}

WorkerProcess::~WorkerProcess() {
  kill();
}

std::optional<Death> WorkerProcess::death() {
  return death_ ? death_ : hear(milliseconds(0));
}

Death WorkerProcess::kill() {
  if (death_) return *death_;
  static_cast<void>(::send(end_descriptor(), &end_request, 1, MSG_NOSIGNAL));
  const auto heard = hear(keeper_patience);
  return heard ? *heard : lose_keeper();
}

bool WorkerProcess::ends_within(milliseconds time) {
  return death_ || hear(time);
}

std::optional<Death> WorkerProcess::hear(milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    KeeperReport report;
    const ssize_t count = recv(end_descriptor(), &report, sizeof report, MSG_DONTWAIT);
    if (count == static_cast<ssize_t>(sizeof report)) return conclude(report);
    if (count >= 0 || (errno != EAGAIN && errno != EINTR)) return lose_keeper();
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left <= milliseconds(0)) return std::nullopt;
    pollfd watched{end_descriptor(), POLLIN, 0};
    poll(&watched, 1, static_cast<int>(left.count()));
  }
}

Death WorkerProcess::conclude(const KeeperReport& report) {
  reap(spawned_.keeper);
  spawned_.control.close();
  if (report.still_alive != 0) end_orphans(spawned_.worker);
  const auto listed = std::min<std::size_t>(report.left_behind, report.names.size());
  for (std::size_t k = 0; k < listed; ++k)
    left_behind_.push_back(named(report.names[k].pid, report.names[k].name.data()));
  if (listed < static_cast<std::size_t>(report.left_behind))
    left_behind_.push_back(fmt::format("{} more", report.left_behind - listed));
  death_.emplace();
  death_->exit_code = WIFEXITED(report.number) ? WEXITSTATUS(report.number) : 0;
  death_->signal = WIFSIGNALED(report.number) ? WTERMSIG(report.number) : 0;
  death_->killed_for_memory = death_->signal == SIGKILL && memory_ran_out();
  return *death_;
}

Death WorkerProcess::lose_keeper() {
  ::kill(spawned_.keeper, SIGKILL);  // it may only be stopped
  reap(spawned_.keeper);
  spawned_.control.close();
  end_orphans(spawned_.worker);
  death_ = Death{.signal = SIGKILL, .killed_for_memory = memory_ran_out(), .keeper_was_killed = true};
  return *death_;
}

bool WorkerProcess::memory_ran_out() const {
  return kernel_memory_kills() > kernel_kills_;
}

std::uint64_t WorkerProcess::resident_bytes() const {
  if (death_) return 0;
  std::uint64_t pages = 0;
  for (const pid_t pid : descendants_of(spawned_.keeper)) pages += resident_pages(pid);
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::vector<std::string> WorkerProcess::daemons() const {
  std::vector<std::string> names;
  if (death_) return names;
  const auto all = descendants_of(spawned_.keeper), own = descendants_of(spawned_.worker);
  for (const pid_t pid : all) {
    const auto state = state_of(pid);
    const bool stays = pid == spawned_.worker || std::ranges::count(own, pid) > 0;
    if (state && !state->has_ended() && !stays) names.push_back(named(pid, state->name));
  }
  return names;
}

}  // namespace cellproof::engines
