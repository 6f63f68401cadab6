// cellproof-keeper HARNESS PROGRAM ARGUMENT0 [ARGUMENT...]: stands between the harness, whose process id is HARNESS,
// and one worker. Whatever descends from the worker comes to its keeper when its own parent dies, so nothing escapes:
// when the worker ends, when the harness asks for it, and when the harness is gone, all of it is killed. Not started by
// hand.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "engines/keeper/process_tree.hpp"
#include "engines/keeper/report.hpp"
#include "engines/keeper/worker_start.hpp"

namespace cellproof::engines {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Helpers of a worker that has ended see their pipes close and go; only who stays longer is left behind.
constexpr milliseconds time_to_follow{50};
/// Time to kill processes: one that outlives it (in a driver's call) is left to the harness, which waits for the
/// report.
constexpr milliseconds time_to_kill{5000};

void tell(const KeeperReport& report) {
  static_cast<void>(send(control_descriptor, &report, sizeof report, MSG_NOSIGNAL));
}

/// Blocks all signals, so that a terminal's do not end the keeper; that of a child's death is read from the result.
int take_signals() {
  sigset_t all, child;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  signal(SIGCHLD, SIG_DFL);  // where it was ignored a child's status would be lost
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

class Keeper {
 public:
  Keeper(pid_t worker, int signals) : worker_(worker), signals_(signals) {}

  /// Waits until the worker has ended, or is to end, and ends what is left then.
  void keep() {
    enum class Reason { WorkerEnded, Asked, HarnessGone } reason = Reason::WorkerEnded;
    while (reap() && !status_) {
      pollfd watched[] = {{signals_, POLLIN, 0}, {control_descriptor, POLLIN, 0}};
      poll(watched, 2, -1);
      if (watched[0].revents != 0 || watched[1].revents == 0) continue;
      char request = 0;
      const ssize_t count = recv(control_descriptor, &request, 1, MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      reason = count == 1 && request == end_request ? Reason::Asked : Reason::HarnessGone;
      break;
    }
    // A worker that is killed had no chance to end its helpers: only what had left it before counts.
    std::vector<pid_t> left = reason == Reason::WorkerEnded ? followers() : daemons();
    KeeperReport report{.kind = KeeperReport::Kind::Ended, .left_behind = static_cast<std::int32_t>(left.size())};
    for (std::size_t k = 0; k < std::min(left.size(), report.names.size()); ++k) report.names[k] = described(left[k]);
    report.still_alive = end_all(reason != Reason::HarnessGone) ? 0 : 1;
    report.number = status_.value_or(SIGKILL);
    tell(report);
  }

 private:
  /// Takes the status of each child that has ended. Is there another?
  bool reap() {
    for (signalfd_siginfo ignored; read(signals_, &ignored, sizeof ignored) > 0;) {
    }
    for (;;) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, WNOHANG);
      if (pid <= 0) return pid == 0;
      if (pid == worker_) status_ = status;
    }
  }

  /// Descendants of the worker that has ended, those which are about to follow it left out.
  std::vector<pid_t> followers() {
    const auto deadline = Clock::now() + time_to_follow;
    while (reap()) {
      auto left = descendants_of(getpid());
      std::erase_if(left, is_ending);
      const auto now = Clock::now();
      if (left.empty() || now >= deadline) return left;
      wait_for_a_death(std::chrono::ceil<milliseconds>(deadline - now));
    }
    return {};
  }

  /// Descendants of this keeper that are no longer those of its worker.
  std::vector<pid_t> daemons() const {
    auto all = descendants_of(getpid());
    const auto own = descendants_of(worker_);
    std::erase_if(all, [&](pid_t pid) { return pid == worker_ || std::ranges::count(own, pid) > 0 || is_ending(pid); });
    return all;
  }

  static LeftBehind described(pid_t pid) {
    LeftBehind one{.pid = pid};
    if (const auto state = state_of(pid)) state->name.copy(one.name.data(), one.name.size() - 1);
    return one;
  }

  /// Kills all descendants. Are they gone, within the time that there is where somebody waits?
  bool end_all(bool somebody_waits) {
    const auto deadline = Clock::now() + time_to_kill;
    for (;;) {
      for (const pid_t pid : descendants_of(getpid())) kill(pid, SIGKILL);
      if (!reap()) return true;
      if (somebody_waits && Clock::now() >= deadline) return false;
      // The next list has what a death has sent here, and what was being started just then.
      wait_for_a_death(Clock::now() < deadline ? milliseconds(10) : milliseconds(1000));
    }
  }

  void wait_for_a_death(milliseconds longest) const {
    pollfd watched{signals_, POLLIN, 0};
    poll(&watched, 1, static_cast<int>(longest.count()));
  }

  pid_t worker_;
  int signals_;
  std::optional<int> status_;  ///< of the worker
};

}  // namespace
}  // namespace cellproof::engines

int main(int argc, char** argv) {
  using namespace cellproof::engines;
  if (argc < 4 || fcntl(control_descriptor, F_GETFD) < 0) {
    std::fputs("cellproof-keeper: started by Cellproof for each worker, not by hand\n", stderr);
    return 2;
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const int signals = take_signals();
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  setenv(harness_variable, argv[1], 1);
  const pid_t worker = signals < 0 ? -errno : start_worker(argv + 2);
  if (worker < 0) {
    tell({.kind = KeeperReport::Kind::Failed, .number = -worker});
    _exit(0);  // the harness may kill this at once: a look for leaks would leave its helper behind
  }
  // The pipes are the worker's alone: held open here, they would hide its end.
  close_range(request_descriptor, reply_descriptor, 0);
  tell({.kind = KeeperReport::Kind::Started, .number = worker});
  Keeper(worker, signals).keep();
  _exit(0);  // the harness waits: nothing else is to be done, no look for leaks either
}
