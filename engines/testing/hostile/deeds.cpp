#include "engines/testing/hostile/deeds.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "engines/protocol.hpp"
#include "engines/testing/hostile/answers.hpp"
#include "engines/threads.hpp"

namespace cellproof::engines::hostile {
namespace {

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

/// Which of some variables are set; a message holds no more.
std::string names_of_environment() {
  std::string names;
  for (const char* name : {"CELLPROOF_HARNESS", "CELLPROOF_ROOT", "GH_TOKEN", "PATH"})
    if (std::getenv(name) != nullptr) names += std::string(name) + " ";
  return names;
}

}  // namespace

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

}  // namespace cellproof::engines::hostile
