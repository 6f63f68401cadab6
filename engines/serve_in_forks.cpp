#include "engines/serve_in_forks.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "engines/file_descriptor.hpp"

namespace cellproof::engines {
namespace {

bool has_one_thread() {
  std::error_code unknown;
  const std::filesystem::directory_iterator tasks("/proc/self/task", unknown);
  return !unknown && std::distance(begin(tasks), end(tasks)) == 1;
}

/// Forks; the child serves and ends. The status of its end.
int serve_in_one_fork(ModelRunner& runner, int requests, int replies) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(1);
    _exit(serve(runner, requests, replies));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  }
  return status;
}

}  // namespace

int serve_in_forks(ModelRunner& runner, int requests, int replies) {
  if (!has_one_thread()) return serve(runner, requests, replies);
  for (;;) {
    const int status = serve_in_one_fork(runner, requests, replies);
    const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (exit_code == 0 && signal == 0) return 0;
    const auto json = fmt::format("{{\"exit_code\":{},\"signal\":{},\"printed\":{}}}", exit_code, signal,
                                  printed_so_far().value_or(0));
    const auto frame = encode({.kind = FrameKind::Died, .json = json, .blobs = {}});
    if (write_some(replies, frame).what == Transfer::Closed) return 0;
  }
}

}  // namespace cellproof::engines
