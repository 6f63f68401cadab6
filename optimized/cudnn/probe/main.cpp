// cellproof-cudnn-probe LETTER: asks this machine's cuDNN one of the open questions; one line of JSON to stdout.
// Exit codes: 0 answered, 1 the device or cuDNN failed, 2 bad usage, 77 no device or no cuDNN.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "optimized/cudnn/probe/probes.hpp"

int main(int count, char** arguments) {
  using namespace cellproof::cudnn;
  constexpr int failed = 1, usage = 2, absent = 77;
  const std::string asked = count == 2 ? arguments[1] : "";
  for (const probe::Probe& one : probe::probes()) {
    if (one.name != asked) continue;
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
    unsetenv("NVIDIA_TF32_OVERRIDE");  // with 0, TF32 would look like true float
    try {
      const auto context = open_context({});
      std::puts(probe::json_line(one, context->description, one.ask(*context)).c_str());
      return 0;
    } catch (const Failure& failure) {
      std::fprintf(stderr, "%s\n", failure.message.c_str());
      return failure.status == CELLPROOF_CUDNN_ABSENT ? absent : failed;
    }
  }
  std::fprintf(stderr, "cellproof-cudnn-probe: expected one of A to I, got '%s'\n", asked.c_str());
  return usage;
}
