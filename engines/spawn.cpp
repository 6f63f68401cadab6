#include "engines/spawn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "engines/protocol.hpp"

namespace cellproof::engines {
namespace {

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* variable = std::getenv("PATH");
  std::string path = variable == nullptr ? "/usr/bin:/bin" : variable;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    std::string candidate = path.substr(begin, end - begin) + "/" + name;
    if (end > begin && access(candidate.c_str(), X_OK) == 0) return candidate;
    begin = end + 1;
  }
  throw SpawnError(fmt::format("cannot start {}: there is no such program in PATH", name));
}

/// What the child needs between fork and exec, made before the fork: there it may neither allocate nor lock.
struct Plan {
  const char* program;
  char* const* arguments;
  int null, log, request, reply, failure;
  pid_t parent;
};

[[noreturn]] void give_up(const Plan& plan) {
  const int why = errno;
  static_cast<void>(!write(plan.failure, &why, sizeof why));
  _exit(127);
}

[[noreturn]] void become_worker(const Plan& plan) {
  setpgid(0, 0);
  // The harness may have died before the request took effect; then nobody is left to send the signal.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != plan.parent) give_up(plan);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int places[][2] = {{plan.null, STDIN_FILENO},
                           {plan.log, STDOUT_FILENO},
                           {plan.log, STDERR_FILENO},
                           {plan.request, request_descriptor},
                           {plan.reply, reply_descriptor}};
  for (const auto& [from, to] : places)
    if (dup2(from, to) < 0) give_up(plan);
  close_range(reply_descriptor + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &plain, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execv(plan.program, plan.arguments);
  give_up(plan);
}

Spawned spawn_here(const std::vector<std::string>& command, int log) {
  if (command.empty() || command.front().empty()) throw SpawnError("cannot start an engine without a command");
  const std::string program = find_program(command.front());
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  Pipe request = make_pipe(), reply = make_pipe(), failure = make_pipe();
  const Descriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null) throw std::system_error(errno, std::generic_category(), "/dev/null");
  // Above the numbers that the child fills, so that filling one never overwrites another.
  const Descriptor high_null = duplicate_high(null.number()), high_log = duplicate_high(log),
                   high_request = duplicate_high(request.read_end.number()),
                   high_reply = duplicate_high(reply.write_end.number());
  Descriptor high_failure = duplicate_high(failure.write_end.number());
  const Plan plan{.program = program.c_str(),
                  .arguments = arguments.data(),
                  .null = high_null.number(),
                  .log = high_log.number(),
                  .request = high_request.number(),
                  .reply = high_reply.number(),
                  .failure = high_failure.number(),
                  .parent = getpid()};
  const pid_t pid = fork();
  if (pid < 0) throw SpawnError(fmt::format("cannot start {}: {}", program, std::generic_category().message(errno)));
  if (pid == 0) become_worker(plan);

  Spawned made{pid, std::move(request.write_end), std::move(reply.read_end)};
  failure.write_end.close();
  high_failure.close();
  int why = 0;  // the child's errno; exec closes the pipe without a word when it succeeds
  const auto told = read_some(failure.read_end.number(), reinterpret_cast<char*>(&why), sizeof why);
  if (told.what == Transfer::Moved) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    throw SpawnError(fmt::format("cannot start {}: {}", program, std::generic_category().message(why)));
  }
  set_nonblocking(made.to_worker);
  set_nonblocking(made.from_worker);
  return made;
}

/// PR_SET_PDEATHSIG means the death of the *thread* that forked. Workers outlive the threads that ask for them, so one
/// thread, which lives as long as the process, forks them all.
class Spawner {
 public:
  static Spawner& instance() {
    static auto* const only = new Spawner;  // never destroyed: its thread runs to the end
    return *only;
  }

  Spawned spawn(const std::vector<std::string>& command, int log) {
    const auto task = std::make_shared<Task>([&] { return spawn_here(command, log); });
    auto made = task->get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(task);
    }
    wake_.notify_one();
    return made.get();
  }

 private:
  using Task = std::packaged_task<Spawned()>;

  Spawner() {
    std::thread([this] { work(); }).detach();
  }

  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !tasks_.empty(); });
      const auto task = tasks_.front();
      tasks_.pop_front();
      lock.unlock();
      (*task)();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Task>> tasks_;
};

}  // namespace

Spawned spawn_worker(const std::vector<std::string>& command, int log) {
  return Spawner::instance().spawn(command, log);
}

}  // namespace cellproof::engines
