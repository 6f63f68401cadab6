// cellproof-engine-nemesis FOLDER RATE SEED numbered|unnumbered COMMAND...: passes requests on to a real worker and its
// answers back, and does something else instead to RATE cases of a thousand, chosen by SEED, to each once: the file
// FOLDER/IDENTITY then holds the misdeed's name. `unnumbered`: takes the numbers out of what the worker says.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "engines/file_descriptor.hpp"
#include "engines/testing/nemesis.hpp"

namespace cellproof::engines {
namespace {

using Json = nlohmann::json;

[[noreturn]] void hang() {
  for (;;) pause();
}

[[noreturn]] void die_of(int number) {
  signal(number, SIG_DFL);
  raise(number);
  hang();
}

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto wrote = write_some(descriptor, bytes);
    if (wrote.what == Transfer::Closed) _exit(0);
    if (wrote.what == Transfer::Moved) bytes.remove_prefix(wrote.count);
  }
}

/// One side's frames, each read to its last byte and no further.
class Frames {
 public:
  explicit Frames(int descriptor) : descriptor_(descriptor) {}

  /// The next one's bytes; the process ends where there is none any more.
  std::string next() {
    if (!kept_.empty()) {
      std::string frame = std::move(kept_.front());
      kept_.pop_front();
      return frame;
    }
    FrameReader reader;
    for (;;) {
      if (const auto frame = reader.next()) return encode(*frame);
      const auto room = reader.space();
      const auto got = read_some(descriptor_, room.data(), std::min(room.size(), reader.missing()));
      if (got.what == Transfer::Closed) _exit(0);
      if (got.what == Transfer::Moved) reader.received(got.count);
    }
  }

  /// Gives back what was read, to be read again behind what was given back before.
  void keep(std::string frame) { kept_.push_back(std::move(frame)); }

  bool has_one_soon() const {
    pollfd watched{descriptor_, POLLIN, 0};
    return !kept_.empty() || poll(&watched, 1, 30) == 1;
  }

 private:
  int descriptor_;
  std::deque<std::string> kept_;
};

/// A whole frame in bytes, which must outlive it.
class Parsed {
 public:
  explicit Parsed(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto room = reader_.space();
      const std::size_t count = std::min(room.size(), bytes.size());
      std::ranges::copy(bytes.substr(0, count), room.data());
      reader_.received(count);
      bytes.remove_prefix(count);
      frame_ = reader_.peek();
    }
  }
  const Frame& operator*() const { return *frame_; }
  const Frame* operator->() const { return &*frame_; }

 private:
  FrameReader reader_;
  std::optional<Frame> frame_;
};

struct Worker {
  FileDescriptor requests, replies;
};

Worker start(char** command) {
  Pipe request = make_pipe(), reply = make_pipe();
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(request.read_end.number(), request_descriptor);
    dup2(reply.write_end.number(), reply_descriptor);
    execvp(command[0], command);  // NOLINT(clang-analyzer-optin.taint.GenericTaint): the test names it
    _exit(127);
  }
  return {std::move(request.write_end), std::move(reply.read_end)};
}

class Nemesis {
 public:
  explicit Nemesis(char** arguments)
      : folder_(arguments[1]),
        rate_(std::strtoull(arguments[2], nullptr, 10)),
        seed_(std::strtoull(arguments[3], nullptr, 10)),
        numbered_(std::string_view(arguments[4]) == "numbered"),
        worker_(start(arguments + 5)),
        requests_(request_descriptor),
        replies_(worker_.replies.number()) {}

  [[noreturn]] void run() {
    for (;;) {
      const std::string request = requests_.next();
      const Parsed frame(request);
      if (frame->kind == FrameKind::Run)
        serve(request, *frame);
      else
        pass_on(request, frame->kind != FrameKind::Bye);
    }
  }

 private:
  void pass_on(const std::string& request, bool is_answered) {
    write_all(worker_.requests.number(), request);
    if (is_answered) write_all(reply_descriptor, in_our_manner(replies_.next()));
  }

  std::string in_our_manner(std::string reply) const {
    if (numbered_) return reply;
    const Parsed parsed(reply);
    Json json = Json::parse(parsed->json);
    json.erase("numbered");
    json.erase("number");
    const std::string text = json.dump();
    return encode({.kind = parsed->kind, .json = text, .blobs = parsed->blobs});
  }

  void serve(const std::string& request, const Frame& run) {
    if (!owed_.empty()) {  // to the case before
      const auto [identity, answer] = std::exchange(owed_, {});
      if (claim(identity, "twice-in-the-next")) {
        write_all(reply_descriptor, answer);
        hang();
      }
    }
    const std::string identity = testing::identity_of(run);
    const std::string_view misdeed = misdeed_to(identity);
    if (misdeed.empty()) return pass_on(request, true);
    if (misdeed == "early") return answer_early(request);
    if (misdeed == "twice-in-the-next") {
      write_all(worker_.requests.number(), request);
      owed_ = {identity, replies_.next()};
      return write_all(reply_descriptor, owed_.answer);
    }
    if (!claim(identity, misdeed)) return pass_on(request, true);
    do_instead(misdeed);
    write_all(worker_.requests.number(), request);
    do_with_answer(misdeed, in_our_manner(replies_.next()));
  }

  /// Does it instead of computing.
  static void do_instead(std::string_view misdeed) {
    if (misdeed == "kill") die_of(SIGKILL);
    if (misdeed == "segfault") die_of(SIGSEGV);
    if (misdeed == "abort") die_of(SIGABRT);
    if (misdeed == "exit-0") _exit(0);
    if (misdeed == "exit-5") _exit(5);
    if (misdeed == "hang") hang();
    if (misdeed == "stop") die_of(SIGSTOP);
    if (misdeed == "close") {
      close(reply_descriptor);
      hang();
    }
    if (misdeed == "garbage") {
      write_all(reply_descriptor, "Hello, I am a log line on the wrong descriptor\n");
      hang();
    }
    if (misdeed == "wrong-kind") {
      write_all(reply_descriptor, encode({.kind = FrameKind::SupportsReply, .json = "{}", .blobs = {}}));
      hang();
    }
  }

  [[noreturn]] void do_with_answer(std::string_view misdeed, const std::string& answer) {
    if (misdeed == "truncate") {
      write_all(reply_descriptor, std::string_view(answer).substr(0, answer.size() / 2));
      _exit(5);
    }
    if (misdeed == "twice") write_all(reply_descriptor, answer + answer);
    if (misdeed == "twice-late") {
      write_all(reply_descriptor, answer);
      requests_.next();  // the HELLO behind it
      write_all(reply_descriptor, answer);
    }
    if (misdeed == "garbage-behind") write_all(reply_descriptor, answer + "and a line of a log\n");
    if (misdeed == "die-behind" || misdeed == "exit-behind") {
      write_all(reply_descriptor, answer);
      if (misdeed == "exit-behind") _exit(5);
      die_of(SIGSEGV);
    }
    hang();
  }

  /// Answers the request behind this one first, where there is one.
  void answer_early(const std::string& request) {
    std::string hello, next;
    if (requests_.has_one_soon()) hello = requests_.next();
    if (!hello.empty() && requests_.has_one_soon()) next = requests_.next();
    if (!next.empty()) {
      const Parsed parsed(next);
      if (parsed->kind == FrameKind::Run && claim(testing::identity_of(*parsed), "early")) {
        const std::string json =
            fmt::format(R"({{"number":{}}})", Json::parse(parsed->json).at("number").get<std::uint64_t>());
        write_all(reply_descriptor, encode({.kind = FrameKind::Ran, .json = json, .blobs = {}}));
        hang();
      }
    }
    if (!hello.empty()) requests_.keep(std::move(hello));
    if (!next.empty()) requests_.keep(std::move(next));
    pass_on(request, true);
  }

  /// The name of what is to be done to a case, "" for nothing.
  std::string_view misdeed_to(const std::string& identity) const {
    const std::uint64_t draw = (std::stoull(identity, nullptr, 16) ^ seed_) * 0x9e3779b97f4a7c15u >> 20;
    if (draw % 1000 >= rate_) return "";
    const auto& list = testing::misdeeds();
    const testing::Misdeed& misdeed = list[draw / 1000 % list.size()];
    return misdeed.by_number && !numbered_ ? "twice" : misdeed.name;
  }

  /// Is it the first misdeed to the case? Writes it down.
  bool claim(const std::string& identity, std::string_view misdeed) const {
    const int file = open((folder_ / identity).c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (file < 0) return false;
    write_all(file, misdeed);
    close(file);
    return true;
  }

  struct Owed {
    std::string identity, answer;
    bool empty() const { return identity.empty(); }
  };

  std::filesystem::path folder_;
  std::uint64_t rate_, seed_;
  bool numbered_;
  Worker worker_;
  Frames requests_, replies_;
  Owed owed_;  ///< a case that is going to be answered a second time
};

}  // namespace
}  // namespace cellproof::engines

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  cellproof::engines::Nemesis(argv).run();
}
