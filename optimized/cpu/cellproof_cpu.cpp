#include "optimized/cpu/cellproof_cpu.h"

#include <string>
#include <string_view>
#include <utility>

#include "optimized/cpu/plan.hpp"
#include "optimized/node/call.hpp"

using namespace cellproof::cpu;
namespace node = cellproof::node;

struct cellproof_cpu_plan {
  Node node;
  Arguments constants;  ///< nullptr where the data comes with the run
  ExecutorChoice choice;
};

cellproof_status cellproof_cpu_prepare(const cellproof_node* node, const cellproof_cpu_options* options,
                                       cellproof_cpu_plan** plan, char* message, size_t message_size) {
  *plan = nullptr;
  return node::status_of(message, message_size, [&] {
    const cellproof_cpu_options chosen = options ? *options : cellproof_cpu_options{CELLPROOF_CPU_PATH_AUTO, 1};
    auto made = std::make_unique<cellproof_cpu_plan>(cellproof_cpu_plan{node::checked(*node), {}, {}});
    node::check_countable(made->node);
    if (const std::string missing = missing_for(chosen.path); !missing.empty())
      throw node::Failure(CELLPROOF_UNAVAILABLE, missing);
    for (std::size_t i = 0; i < CELLPROOF_INPUTS; ++i)
      made->constants.inputs[i] = std::exchange(made->node.inputs[i].data, nullptr);
    const std::size_t threads = chosen.threads > 1 ? static_cast<std::size_t>(chosen.threads) : 1;
    made->choice = make_executor(made->node, chosen.path, threads);
    made->choice.executor->pack_constants(made->constants);
    *plan = made.release();
  });
}

cellproof_status cellproof_cpu_run(cellproof_cpu_plan* plan, const void* const inputs[CELLPROOF_INPUTS],
                                   void* const outputs[CELLPROOF_OUTPUTS], char* message, size_t message_size) {
  return node::status_of(message, message_size, [&] {
    Arguments arguments;
    for (std::size_t i = 0; i < CELLPROOF_INPUTS; ++i) {
      const void* const constant = plan->constants.inputs[i];
      arguments.inputs[i] = node::required_data(plan->node, i, constant != nullptr ? constant : inputs[i]);
    }
    for (std::size_t i = 0; i < CELLPROOF_OUTPUTS; ++i) arguments.outputs[i] = outputs[i];
    if (const auto* lengths = arguments.input<std::int32_t>(CELLPROOF_SEQUENCE_LENS))
      node::check_lengths(plan->node, lengths);
    plan->choice.executor->run(arguments);
  });
}

const char* cellproof_cpu_path_of(const cellproof_cpu_plan* plan) {
  return plan->choice.path;
}

int cellproof_cpu_path_named(const char* name, cellproof_cpu_path* path) {
  constexpr std::pair<std::string_view, cellproof_cpu_path> paths[] = {
      {"auto", CELLPROOF_CPU_PATH_AUTO},     {"scalar", CELLPROOF_CPU_PATH_SCALAR},
      {"avx2", CELLPROOF_CPU_PATH_AVX2},     {"avx-vnni", CELLPROOF_CPU_PATH_AVX_VNNI},
      {"avx512", CELLPROOF_CPU_PATH_AVX512}, {"avx512-bf16", CELLPROOF_CPU_PATH_AVX512_BF16},
      {"amx", CELLPROOF_CPU_PATH_AMX},       {"openblas", CELLPROOF_CPU_PATH_OPENBLAS}};
  for (const auto& [known, value] : paths) {
    if (name != known) continue;
    *path = value;
    return 1;
  }
  return 0;
}

const char* cellproof_cpu_path_missing(cellproof_cpu_path path) {
  return missing_for(path);
}

void cellproof_cpu_release(cellproof_cpu_plan* plan) {
  delete plan;
}
