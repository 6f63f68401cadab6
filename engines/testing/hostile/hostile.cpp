// cellproof-engine-hostile MODE [FILE [forks]]: a worker that misbehaves in one way, for the tests of WorkerEngine.
// Every mode answers HELLO (but those that die before it) and then does to the first RUN what its name says; a file
// beside, given as a second argument, is made first, and where it exists already the worker behaves: so a test sees the
// next run work.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "engines/protocol.hpp"
#include "engines/serve.hpp"
#include "engines/serve_in_forks.hpp"
#include "engines/testing/hostile/answers.hpp"
#include "engines/testing/hostile/deeds.hpp"
#include "engines/worker_engine.hpp"
#include "spec/case.hpp"

namespace cellproof::engines::hostile {
namespace {

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

/// Misdeeds before or in HELLO.
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
}  // namespace cellproof::engines::hostile

int main(int argc, char** argv) {
  using namespace cellproof::engines;
  using namespace cellproof::engines::hostile;
  const std::string_view mode = argc > 1 ? argv[1] : "";
  misbehave_at_start(mode);
  const auto deed = deeds().find(mode);
  if (deed == deeds().end()) {
    std::fprintf(stderr, "no mode '%s'\n", argc > 1 ? argv[1] : "");
    return 2;
  }
  if (argc > 2) misbehave_once(argv[2]);
  Hostile hostile(deed->second, mode == "answer-again-in-the-next", mode == "print-parent");
  return argc > 3 && std::string_view(argv[3]) == "forks" ? serve_in_forks(hostile) : serve(hostile);
}
