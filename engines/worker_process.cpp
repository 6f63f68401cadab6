#include "engines/worker_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <thread>

namespace cellproof::engines {
namespace {

/// How often the kernel has killed a process for want of memory since the machine started.
std::uint64_t kernel_memory_kills() {
  std::ifstream file("/proc/vmstat");
  std::string key;
  std::uint64_t value = 0;
  while (file >> key >> value)
    if (key == "oom_kill") return value;
  return 0;
}

constexpr int most_generations = 4;  // a wrapper, the worker, what it forks

/// Of a process and its descendants.
std::uint64_t resident_pages(pid_t pid, int generations) {
  std::uint64_t all = 0, resident = 0;
  std::ifstream(fmt::format("/proc/{}/statm", pid)) >> all >> resident;
  if (generations == 0) return resident;
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", pid));
  for (pid_t child = 0; children >> child;) resident += resident_pages(child, generations - 1);
  return resident;
}

}  // namespace

std::string Death::describe() const {
  if (signal == 0) return fmt::format("exited with code {}", exit_code);
  const char* const short_name = sigabbrev_np(signal);
  const char* const long_name = sigdescr_np(signal);
  if (short_name == nullptr || long_name == nullptr) return fmt::format("signal {}", signal);
  return fmt::format("SIG{} ({})", short_name, long_name);
}

WorkerProcess::WorkerProcess(const std::vector<std::string>& command, int log)
    : spawned_(spawn_worker(command, log)), kernel_kills_(kernel_memory_kills()) {}

WorkerProcess::~WorkerProcess() {
  kill();
}

std::optional<Death> WorkerProcess::death() {
  if (death_) return death_;
  siginfo_t state{};
  // Only looks: the process id must stay taken until its group has been killed.
  const int rc = waitid(P_PID, static_cast<id_t>(spawned_.pid), &state, WEXITED | WNOHANG | WNOWAIT);
  if (rc == 0 && state.si_pid == 0) return std::nullopt;
  return reap();
}

Death WorkerProcess::kill() {
  if (!death_) {
    ::kill(spawned_.pid, SIGKILL);
    reap();
  }
  return *death_;
}

bool WorkerProcess::ends_within(std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (!death() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return death().has_value();
}

Death WorkerProcess::reap() {
  siginfo_t state{};
  while (waitid(P_PID, static_cast<id_t>(spawned_.pid), &state, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  ::kill(-spawned_.pid, SIGKILL);
  int status = 0;
  pid_t reaped;
  while ((reaped = waitpid(spawned_.pid, &status, 0)) < 0 && errno == EINTR) {
  }
  death_.emplace();
  if (reaped == spawned_.pid) {
    death_->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    death_->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
  death_->killed_for_memory = death_->signal == SIGKILL && memory_ran_out();
  return *death_;
}

bool WorkerProcess::memory_ran_out() const {
  return kernel_memory_kills() > kernel_kills_;
}

std::uint64_t WorkerProcess::resident_bytes() const {
  if (death_) return 0;
  return resident_pages(spawned_.pid, most_generations) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace cellproof::engines
