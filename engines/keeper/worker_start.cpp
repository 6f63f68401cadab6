#include "engines/keeper/worker_start.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "engines/keeper/report.hpp"

namespace cellproof::engines {
namespace {

[[noreturn]] void give_up(int failure) {
  const int why = errno;
  static_cast<void>(!write(failure, &why, sizeof why));
  _exit(127);
}

[[noreturn]] void become_worker(char* const* command, pid_t keeper, int failure) {
  setpgid(0, 0);
  // The keeper may have died before the request took effect; then nobody is left to send the signal.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper) give_up(failure);
  close_range(control_descriptor, ~0U, CLOSE_RANGE_CLOEXEC);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &plain, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execv(command[0], command + 1);
  give_up(failure);
}

}  // namespace

pid_t start_worker(char* const* command) {
  int failure[2];  // exec closes it without a word when it succeeds
  if (pipe2(failure, O_CLOEXEC) != 0) return -errno;
  const pid_t keeper = getpid(), worker = fork();
  if (worker == 0) become_worker(command, keeper, failure[1]);
  int why = worker < 0 ? errno : 0;
  close(failure[1]);
  if (worker > 0) {
    while (read(failure[0], &why, sizeof why) < 0 && errno == EINTR) {
    }
    if (why != 0) waitpid(worker, nullptr, 0);
  }
  close(failure[0]);
  return why == 0 ? worker : -why;
}

}  // namespace cellproof::engines
