// Bytes to a case, to one of our engines, to the judge. The naive reference looks at one case in 64 and at every
// failure, so that a find is the engine's or the judge's and not known whose only until it has been read.

#include <fmt/format.h>

#include <cstdint>
#include <span>

#include "engines/cpu/cpu_engine.hpp"
#include "engines/cuda/cuda_engine.hpp"
#include "fuzz/targets/case_bytes.hpp"
#include "fuzz/targets/target.hpp"
#include "oracle/crosscheck/crosscheck.hpp"
#include "oracle/decide.hpp"
#include "spec/case_text.hpp"

using namespace cellproof;

namespace {

constexpr std::uint64_t crosschecked_one_in = 64;

/// Is this input one of those that the naive reference sees as well? The bytes alone say so (FNV-1a), so that what it
/// finds is found again by the file that libFuzzer leaves, and no input is credited with another's coverage.
bool is_crosschecked(std::span<const std::uint8_t> data) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : data) hash = (hash ^ byte) * 0x100000001b3;
  return (hash >> 32) % crosschecked_one_in == 0;
}

engines::Engine& engine_of(std::uint8_t choice) {
  static engines::CudaEngine cuda(CELLPROOF_CUDA_HOST, "cellproof-cuda@host");
  if (choice % 4 == 1) return cuda;
  static engines::CpuEngine automatic(CELLPROOF_CPU_PATH_AUTO, "cellproof-cpu");
  static engines::CpuEngine scalar(CELLPROOF_CPU_PATH_SCALAR, "cellproof-cpu@scalar");
  return choice % 4 == 0 ? scalar : automatic;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Case c = fuzz::case_of_bytes({data, size});
  engines::Engine& engine = engine_of(size == 0 ? 0 : data[size - 1]);
  const Problem problem = make_problem(c);
  const Outcome outcome = engine.run(problem);
  const oracle::EngineContext context{
      .declared = {}, .proved = {}, .probe = [&](const Problem& p) { return engine.run(p); }, .names_faults = false};
  const Judgement judgement = oracle::decide(problem, expectation_of(problem), outcome, context);
  const bool passes = judgement.verdict == Verdict::Undecided || oracle::passes_gate(outcome, judgement, std::nullopt);
  if (!passes || is_crosschecked({data, size})) {
    const auto disagreement = oracle::crosscheck(problem, {{}, default_contract(c.type)});
    if (disagreement)
      fuzz::found(fmt::format("{}\noracle and naive reference disagree: {}", to_text(c), *disagreement));
  }
  if (!passes) {
    fuzz::found(fmt::format("./cellproof replay '{}' --engine {}\n{}: {} {}", to_text(c), engine.describe().name,
                            judgement.verdict ? name(*judgement.verdict) : name(outcome.kind), outcome.message,
                            judgement.message));
  }
  return 0;
}
