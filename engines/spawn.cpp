#include "engines/spawn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <system_error>
#include <utility>

#include "engines/keeper/report.hpp"
#include "engines/orphans.hpp"
#include "engines/paths.hpp"
#include "engines/protocol.hpp"

namespace cellproof::engines {
namespace {

/// Milliseconds until a keeper has started its worker. Only one that was stopped, by a hostile worker, needs as much.
constexpr int longest_start = 30'000;

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

/// Errors of a system that has no more to give: they say nothing of the program.
constexpr std::array want_of_the_system{EAGAIN, ENOMEM, EMFILE, ENFILE};

[[noreturn]] void fail_to_start(const std::string& program, int why) {
  const std::string what = fmt::format("cannot start {}", program);
  if (std::ranges::count(want_of_the_system, why) > 0) throw std::system_error(why, std::generic_category(), what);
  throw SpawnError(fmt::format("{}: {}", what, std::generic_category().message(why)));
}

/// The two ends of a socket that keeps messages apart, closed on exec.
std::pair<FileDescriptor, FileDescriptor> make_control() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot make a socket to a worker's keeper");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// Which descriptors the keeper gets. Throws std::bad_alloc.
class Placement {
 public:
  Placement() { check(posix_spawn_file_actions_init(&actions_)); }
  Placement(const Placement&) = delete;
  Placement& operator=(const Placement&) = delete;
  ~Placement() { posix_spawn_file_actions_destroy(&actions_); }
  void open_null(int place) { check(posix_spawn_file_actions_addopen(&actions_, place, "/dev/null", O_RDWR, 0)); }
  void put(const FileDescriptor& from, int place) {
    check(posix_spawn_file_actions_adddup2(&actions_, from.number(), place));
  }
  void close_from(int place) { check(posix_spawn_file_actions_addclosefrom_np(&actions_, place)); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int error) {
    if (error != 0) throw std::bad_alloc();
  }
  posix_spawn_file_actions_t actions_;
};

/// A process group of its own: a terminal's signals do not reach the keeper.
class OwnGroup {
 public:
  OwnGroup() {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  OwnGroup(const OwnGroup&) = delete;
  OwnGroup& operator=(const OwnGroup&) = delete;
  ~OwnGroup() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Waits for the keeper's first report. Returns the worker's process id.
pid_t worker_of(const Spawned& made, const std::string& program, const std::string& keeper) {
  pollfd watched{made.control.number(), POLLIN, 0};
  int ready;
  while ((ready = poll(&watched, 1, longest_start)) < 0 && errno == EINTR) {
  }
  KeeperReport report;
  const ssize_t count = recv(made.control.number(), &report, sizeof report, MSG_DONTWAIT);
  const bool whole = count == static_cast<ssize_t>(sizeof report);
  if (whole && report.kind == KeeperReport::Kind::Started) return report.number;
  kill(made.keeper, SIGKILL);
  while (waitpid(made.keeper, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (whole) fail_to_start(program, report.number);
  end_orphans(0);
  throw SpawnError(
      fmt::format("cannot start {}: {} {}", program, keeper, ready == 0 ? "does not answer" : "was killed"));
}

}  // namespace

Spawned spawn_worker(const std::vector<std::string>& command, int log, const WorkerEnvironment& environment) {
  if (command.empty() || command.front().empty()) throw SpawnError("cannot start an engine without a command");
  const std::string program = find_program(command.front()), keeper = keeper_program().string();
  std::vector<std::string> words{keeper, harness_mark(), program};
  words.insert(words.end(), command.begin(), command.end());
  const std::vector<std::string> variables = strings_of(environment, environ);
  const auto arguments = pointers_to(words), settings = pointers_to(variables);

  Spawned made;
  Pipe request = make_pipe(), reply = make_pipe();
  auto [ours, keepers] = make_control();
  // Above the numbers that are filled, so that filling one never overwrites another.
  const FileDescriptor high_log = duplicate_high(log), high_request = duplicate_high(request.read_end.number()),
                       high_reply = duplicate_high(reply.write_end.number());
  FileDescriptor high_control = duplicate_high(keepers.number());
  Placement places;
  places.open_null(STDIN_FILENO);
  places.put(high_log, STDOUT_FILENO);
  places.put(high_log, STDERR_FILENO);
  places.put(high_request, request_descriptor);
  places.put(high_reply, reply_descriptor);
  places.put(high_control, control_descriptor);
  places.close_from(control_descriptor + 1);
  adopt_orphans();
  const OwnGroup group;
  if (const int error =
          posix_spawn(&made.keeper, keeper.c_str(), places.get(), group.get(), arguments.data(), settings.data());
      error != 0)
    fail_to_start(keeper, error);
  keepers.close();
  high_control.close();

  made.control = std::move(ours);
  made.to_worker = std::move(request.write_end);
  made.from_worker = std::move(reply.read_end);
  made.worker = worker_of(made, program, keeper);
  set_nonblocking(made.to_worker);
  set_nonblocking(made.from_worker);
  return made;
}

}  // namespace cellproof::engines
