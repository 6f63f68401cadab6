// cellproof-engine-hostile MODE [FILE [forks]]: a worker that misbehaves in one way, for the tests of WorkerEngine.
// Every mode answers HELLO (but those that die before it) and then does to the first RUN what its name says; a file
// beside, given as a second argument, is made first, and where it exists already the worker behaves: so a test sees the
// next run work.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/model.hpp"
#include "engines/protocol.hpp"
#include "engines/serve.hpp"
#include "engines/serve_in_forks.hpp"
#include "engines/threads.hpp"
#include "engines/worker_engine.hpp"
#include "spec/case.hpp"
#include "spec/tensor.hpp"

namespace cellproof::engines {
namespace {

void write_raw(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(reply_descriptor, bytes.data(), bytes.size());
    if (count <= 0) _exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string ran_frame(const std::vector<std::string_view>& tensors, std::string_view json = "{}") {
  return encode({.kind = FrameKind::Ran, .json = json, .blobs = tensors});
}

[[noreturn]] void hang() {
  for (;;) pause();
}

/// The good behaviour: every output is a [2,3] float tensor of ones.
const Shape good_shape{2, 3};

std::string ones(ElementType type, const Shape& shape, double value = 1) {
  Tensor tensor(type, shape);
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set_value(i, value);
  return corpus::to_tensor_proto(tensor, "Y");
}

ModelReply behave(const ModelRequest& request, double value = 1) {
  ModelReply reply;
  reply.outputs.assign(request.output_names.size(), ones(ElementType::Float, good_shape, value));
  return reply;
}

ModelReply with_outputs(std::vector<std::string> outputs) {
  ModelReply reply;
  reply.outputs = std::move(outputs);
  return reply;
}

/// Touches memory until something stops it.
[[noreturn]] void eat_memory() {
  constexpr std::size_t piece = 64 << 20;
  for (;;) {
    auto* const bytes = static_cast<volatile char*>(std::malloc(piece));
    if (bytes == nullptr) _exit(3);
    for (std::size_t k = 0; k < piece; k += 4096) bytes[k] = 1;
    usleep(1000);
  }
}

ModelReply change_inputs(const ModelRequest& request) {
  ModelReply reply = behave(request);
  reply.inputs_crc32.assign(request.inputs.size(), 12345);
  return reply;
}

std::string numbered(const ModelRequest& request) {
  return R"({"number":)" + std::to_string(request.number) + "}";
}

/// The file beside; empty: there is none.
std::filesystem::path once_file;

/// Is it the first time that any worker asks this? Without a file beside it always is.
bool is_first_time() {
  if (once_file.empty()) return true;
  if (std::filesystem::exists(once_file)) return false;
  const int mark = open(once_file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  if (mark < 0) _exit(9);
  close(mark);
  return true;
}

/// Answers the request before a second time, and only then its own.
ModelReply answer_again_in_the_next(const ModelRequest& request) {
  static std::string before;
  if (!before.empty() && is_first_time()) write_raw(ran_frame({}, before));
  before = numbered(request);
  return behave(request);
}

/// Answers the request behind this one first; it takes its number for the next.
ModelReply answer_the_next_first(const ModelRequest& request) {
  ModelRequest next = request;
  ++next.number;
  const std::string one = ones(ElementType::Float, good_shape);
  write_raw(ran_frame(std::vector<std::string_view>(request.output_names.size(), one), numbered(next)));
  return behave(request);
}

/// Answers, and then does something else.
template <class Deed>
ModelReply behind_the_answer(const ModelRequest& request, Deed deed) {
  const std::string one = ones(ElementType::Float, good_shape);
  write_raw(ran_frame(std::vector<std::string_view>(request.output_names.size(), one), numbered(request)));
  deed();
  hang();
}

/// Two answers, with the values 7 and 8, to one request; `pause`: microseconds between them.
ModelReply answer_again(const ModelRequest& request, useconds_t pause) {
  const std::string first = ones(ElementType::Float, good_shape, 7);
  write_raw(ran_frame(std::vector<std::string_view>(request.output_names.size(), first), numbered(request)));
  usleep(pause);
  return behave(request, 8);
}

/// Forked twice, in a session of its own, as daemons are.
void start_daemon(void (*work)()) {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) work();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

/// The byte that all fresh memory holds, or -1: of small and large blocks, of new ones and of those that were freed.
double fresh_byte() {
  constexpr std::size_t sizes[] = {1, 16, 24, 100, 1000, 1032, 5000, 100'000, 1'000'000, 40'000'000};
  std::vector<std::unique_ptr<unsigned char, decltype(&std::free)>> blocks;
  int byte = -1;
  for (int round = 0; round < 3; ++round) {
    for (const std::size_t size : sizes) {
      for (int k = 0; k < 3; ++k) {
        auto* const bytes = static_cast<unsigned char*>(std::malloc(size));
        blocks.emplace_back(bytes, &std::free);
        if (byte < 0) byte = bytes[0];
        if (std::any_of(bytes, bytes + size, [&](unsigned char one) { return one != byte; })) return -1;
        std::memset(bytes, 0x11, size);
      }
    }
    blocks.clear();
  }
  return byte;
}

ModelReply reject(std::string message) {
  ModelReply reply;
  reply.kind = OutcomeKind::Rejected;
  reply.message = std::move(message);
  return reply;
}

/// Which of some variables are set; a message holds no more.
std::string names_of_environment() {
  std::string names;
  for (const char* name : {"CELLPROOF_HARNESS", "CELLPROOF_ROOT", "GH_TOKEN", "PATH"})
    if (std::getenv(name) != nullptr) names += std::string(name) + " ";
  return names;
}

using Deed = std::function<ModelReply(const ModelRequest&)>;

/// Also where a sanitizer has put a handler of its own.
[[noreturn]] void die_of(int number) {
  signal(number, SIG_DFL);
  raise(number);
  hang();
}

ModelReply raw_then_hang(std::string_view bytes) {
  write_raw(bytes);
  hang();
}

const std::map<std::string_view, Deed>& deeds() {
  static const std::map<std::string_view, Deed> table{
      {"behave", [](const auto& r) { return behave(r); }},
      {"segfault-at-end",
       [](const auto& r) {
         std::atexit([] { die_of(SIGSEGV); });
         return behave(r);
       }},
      {"segfault",
       [](const auto&) -> ModelReply {
         std::fputs("about to fall\n", stderr);
         die_of(SIGSEGV);
       }},
      {"chatter-then-segfault",
       [](const auto& r) -> ModelReply {
         static int call = 0;
         std::fprintf(stderr, "words of call %d\n", ++call);
         if (call == 3) die_of(SIGSEGV);
         return behave(r);
       }},
      {"flood-then-segfault",
       [](const auto& r) -> ModelReply {
         static bool flooded = false;
         if (flooded) {
           std::fputs("words after the flood\n", stderr);
           die_of(SIGSEGV);
         }
         flooded = true;
         for (int line = 0; line < 40'000; ++line) std::fputs("a line of many, of thirty-two..\n", stderr);
         return behave(r);
       }},
      {"abort", [](const auto&) -> ModelReply { std::abort(); }},
      {"print-parent", [](const auto&) -> ModelReply { std::abort(); }},
      {"throw", [](const auto&) -> ModelReply { throw std::runtime_error("the engine's own trouble"); }},
      {"exit", [](const auto&) -> ModelReply { _exit(0); }},
      {"exit-3", [](const auto&) -> ModelReply { _exit(3); }},
      {"killed", [](const auto&) -> ModelReply { die_of(SIGKILL); }},
      {"hang", [](const auto&) -> ModelReply { hang(); }},
      {"slow",
       [](const auto& r) {
         usleep(200'000);
         return behave(r);
       }},
      {"hang-with-child",
       [](const auto&) -> ModelReply {
         fork();
         hang();
       }},
      {"die-with-child",
       [](const auto&) -> ModelReply {
         if (fork() == 0) hang();
         std::abort();
       }},
      {"eat-memory", [](const auto&) -> ModelReply { eat_memory(); }},
      {"bad-alloc", [](const auto&) -> ModelReply { throw std::bad_alloc(); }},
      {"bad-alloc-abort",
       [](const auto&) -> ModelReply {
         std::fputs("terminate called after throwing an instance of 'std::bad_alloc'\n", stderr);
         std::abort();
       }},
      {"print",
       [](const auto& r) {
         for (int line = 0; line < 100'000; ++line) std::printf("line %d of an engine that cannot be quiet\n", line);
         std::fflush(stdout);
         return behave(r);
       }},
      {"garbage", [](const auto&) { return raw_then_hang("Hello, I am a log line on the wrong descriptor\n"); }},
      {"short-garbage", [](const auto&) { return raw_then_hang("oops"); }},
      {"wrong-kind",
       [](const auto&) { return raw_then_hang(encode({.kind = FrameKind::HelloReply, .json = "{}", .blobs = {}})); }},
      {"bad-json",
       [](const auto&) {
         return raw_then_hang(encode({.kind = FrameKind::Ran, .json = "{\"timings\":", .blobs = {}}));
       }},
      {"bad-timings", [](const auto&) { return raw_then_hang(ran_frame({}, R"({"timings":{"run":-1}})")); }},
      {"no-tensor", [](const auto&) { return raw_then_hang(ran_frame({"this is no TensorProto"})); }},
      {"two-answers",
       [](const auto& r) {
         const std::string json = numbered(r);
         return raw_then_hang(ran_frame({ones(ElementType::Float, good_shape)}, json) + ran_frame({}, json));
       }},
      {"answer-again", [](const auto& r) { return answer_again(r, 0); }},
      {"answer-again-later", [](const auto& r) { return answer_again(r, 100'000); }},
      {"answer-again-in-the-next", answer_again_in_the_next},
      {"answer-the-next-first", answer_the_next_first},
      {"die-behind-the-answer", [](const auto& r) { return behind_the_answer(r, [] { die_of(SIGSEGV); }); }},
      {"exit-behind-the-answer", [](const auto& r) { return behind_the_answer(r, [] { _exit(3); }); }},
      {"garbage-behind-the-answer",
       [](const auto& r) { return behind_the_answer(r, [] { write_raw("oops, and more of it\n"); }); }},
      {"gigantic-frame", [](const auto&) { return raw_then_hang(std::string_view("\xf0\xff\xff\xff\x83", 5)); }},
      {"large-empty-frame",
       [](const auto&) { return raw_then_hang(std::string_view("\x00\x00\x00\x20\x83\x00\x00\x00\x00", 9)); }},
      {"gigantic-json",
       [](const auto&) { return raw_then_hang(std::string_view("\x00\x00\x00\x20\x83\x00\x00\x00\x10", 9)); }},
      {"die-mid-frame",
       [](const auto&) -> ModelReply {
         const auto frame = ran_frame({ones(ElementType::Float, good_shape)});
         write_raw(std::string_view(frame).substr(0, frame.size() / 2));
         die_of(SIGSEGV);
       }},
      {"close-pipe",
       [](const auto&) -> ModelReply {
         close(reply_descriptor);
         hang();
       }},
      {"change-inputs", [](const auto& r) { return change_inputs(r); }},
      {"wrong-type",
       [](const auto& r) {
         return with_outputs(std::vector<std::string>(r.output_names.size(), ones(ElementType::Double, good_shape)));
       }},
      {"wrong-shape",
       [](const auto& r) {
         return with_outputs(std::vector<std::string>(r.output_names.size(), ones(ElementType::Float, {3, 2})));
       }},
      {"too-few-outputs", [](const auto&) { return with_outputs({ones(ElementType::Float, good_shape)}); }},
      {"too-many-outputs",
       [](const auto& r) {
         return with_outputs(std::vector<std::string>(r.output_names.size() + 1, ones(ElementType::Float, good_shape)));
       }},
      {"differ",
       [](const auto& r) {
         static double call = 0;
         return behave(r, ++call);
       }},
      {"twos", [](const auto& r) { return behave(r, 2); }},
      {"nans", [](const auto& r) { return behave(r, std::numeric_limits<double>::quiet_NaN()); }},
      {"threads", [](const auto& r) { return behave(r, threads_asked_for()); }},
      {"reject", [](const auto&) { return reject("I do not\nlike this model"); }},
      {"environment", [](const auto&) { return reject(names_of_environment()); }},
      {"fresh-memory", [](const auto& r) { return behave(r, fresh_byte()); }},
      {"daemon-eats-memory",
       [](const auto&) -> ModelReply {
         start_daemon(eat_memory);
         hang();
       }},
      {"kill-keeper",
       [](const auto&) -> ModelReply {
         start_daemon(hang);
         if (fork() == 0) hang();
         kill(getppid(), SIGKILL);
         hang();
       }},
      {"not-supported",
       [](const auto&) {
         ModelReply reply;
         reply.kind = OutcomeKind::NotSupported;
         reply.message = "no kernel for it";
         return reply;
       }},
  };
  return table;
}

class Hostile : public ModelRunner {
 public:
  Hostile(Deed deed, bool keeps_count, bool print_parent)
      : deed_(std::move(deed)), keeps_count_(keeps_count), print_parent_(print_parent) {}
  EngineDescription describe() override { return {"hostile", "1", std::nullopt, true}; }
  Support supports(std::string_view) override { return {true, ""}; }
  ModelReply run(const ModelRequest& request) override {
    if (print_parent_) std::fprintf(stderr, "child of %d\n", static_cast<int>(getppid()));
    // Those that need a second request look by themselves.
    return keeps_count_ || is_first_time() ? deed_(request) : behave(request);
  }

 private:
  Deed deed_;
  bool keeps_count_;
  bool print_parent_;
};

std::string hello_of(std::string_view json) {
  return encode({.kind = FrameKind::HelloReply, .json = json, .blobs = {}});
}

/// No worker, but a harness whose worker hangs; for a test that kills it. Says on stdout when it has come so far.
[[noreturn]] void be_a_harness() {
  WorkerEngine engine("hostile", {std::filesystem::read_symlink("/proc/self/exe").string(), "hang"}, {});
  engine.start(make_problem(plain_case({Operator::RNN, 14}, ElementType::Float, 1, 1, 1, 1)));
  std::puts("started");
  std::fflush(stdout);
  engine.finish();
  std::exit(0);
}

/// What goes wrong before or in HELLO.
bool misbehave_at_start(std::string_view mode) {
  if (mode == "absent") {
    std::fputs("libfancy.so is not installed\n", stderr);
    std::exit(absent_exit_code);
  }
  if (mode == "crash-at-start") die_of(SIGSEGV);
  if (mode == "hang-at-start") hang();
  if (mode == "garbage-at-start") raw_then_hang("#!/bin/sh\n");
  if (mode == "other-protocol") raw_then_hang(hello_of(R"({"protocol":2,"name":"x","version":"1"})"));
  if (mode == "harness") be_a_harness();
  if (mode == "unknown-contract")
    raw_then_hang(hello_of(R"({"protocol":1,"name":"x","version":"1","contract":"vague"})"));
  return false;
}

}  // namespace
}  // namespace cellproof::engines

int main(int argc, char** argv) {
  using namespace cellproof::engines;
  const std::string_view mode = argc > 1 ? argv[1] : "";
  misbehave_at_start(mode);
  const auto deed = deeds().find(mode);
  if (deed == deeds().end()) {
    std::fprintf(stderr, "no mode '%s'\n", argc > 1 ? argv[1] : "");
    return 2;
  }
  if (argc > 2) once_file = argv[2];
  Hostile hostile(deed->second, mode == "answer-again-in-the-next", mode == "print-parent");
  return argc > 3 && std::string_view(argv[3]) == "forks" ? serve_in_forks(hostile) : serve(hostile);
}
