// cellproof-cudnn-probe LETTER [FIRST]: asks this machine's cuDNN one side's open questions, from question FIRST on;
// one line of JSON to stdout before the first answer and after each. Exit codes: 0 all answered, 1 the device or cuDNN
// failed, 2 bad usage, 77 no device or no cuDNN.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "lab/cudnn_probe/probes.hpp"

namespace {

using namespace cellproof::cudnn;

constexpr int failed = 1, usage = 2, absent = 77;

/// Each answer is told at once: what comes next may end or hold this process.
void tell(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

int ask_all(const probe::Probe& probe, std::size_t first) {
  const auto context = open_context({});
  const std::vector<probe::Question> questions = probe.questions();
  tell(probe::json_line(probe, context->description, {}, first, questions.size()));
  while (first < questions.size()) {
    const probe::Step step = probe::ask(*context, questions, first);
    first = step.next;
    tell(probe::json_line(probe, context->description, step.rows, first, questions.size()));
    if (step.is_lost) return failed;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string asked = count == 2 || count == 3 ? arguments[1] : "";
  for (const probe::Probe& one : probe::probes()) {
    if (one.name != asked) continue;
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
    unsetenv("NVIDIA_TF32_OVERRIDE");  // with 0, TF32 would look like true float
    try {
      return ask_all(one, count == 3 ? std::strtoul(arguments[2], nullptr, 10) : 0);
    } catch (const Failure& failure) {
      std::fprintf(stderr, "%s\n", failure.what());
      return failure.status() == CELLPROOF_UNAVAILABLE ? absent : failed;
    }
  }
  std::fprintf(stderr, "cellproof-cudnn-probe: expected one of A to P and a number, got '%s'\n", asked.c_str());
  return usage;
}
