#include "optimized/cpu/cellproof_cpu.h"

#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "optimized/cpu/node.hpp"
#include "optimized/cpu/plan.hpp"

using namespace cellproof::cpu;

struct cellproof_cpu_plan {
  Node node;
  Arguments constants;  ///< nullptr where the data comes with the run
  ExecutorChoice choice;
};

namespace {

void say(const std::string& text, char* message, std::size_t size) {
  if (message == nullptr || size == 0) return;
  const std::size_t length = std::min(text.size(), size - 1);
  std::memcpy(message, text.data(), length);
  message[length] = '\0';
}

/// Turns what `work` throws into a status.
template <class Work>
cellproof_cpu_status guarded(char* message, std::size_t size, Work work) {
  try {
    say("", message, size);
    return work();
  } catch (const Invalid& error) {
    say(error.what(), message, size);
    return CELLPROOF_CPU_INVALID;
  } catch (const std::bad_alloc&) {
    say("out of memory", message, size);
    return CELLPROOF_CPU_OUT_OF_MEMORY;
  } catch (const std::system_error& error) {
    say(std::string("no thread can be started: ") + error.what(), message, size);
    return CELLPROOF_CPU_UNAVAILABLE;
  }
}

/// A pointer for every input that the node has: an empty tensor may come without data.
const void* data_of(std::size_t input, const Node& node, const void* constant, const void* given) {
  if (!node.has(input)) return nullptr;
  if (constant) return constant;
  if (given) return given;
  static const double nothing = 0;
  if (element_count(node.inputs[input]) == 0) return &nothing;
  throw Invalid(std::string("input ") + input_name(input) + " comes without data (input " + input_name(input) + ")");
}

}  // namespace

cellproof_cpu_status cellproof_cpu_prepare(const cellproof_cpu_node* node, const cellproof_cpu_options* options,
                                           cellproof_cpu_plan** plan, char* message, size_t message_size) {
  *plan = nullptr;
  return guarded(message, message_size, [&] {
    const cellproof_cpu_options chosen = options ? *options : cellproof_cpu_options{CELLPROOF_CPU_PATH_AUTO, 1};
    auto made = std::make_unique<cellproof_cpu_plan>(cellproof_cpu_plan{checked(*node), {}, {}});
    if (const std::string missing = missing_for(chosen.path); !missing.empty()) {
      say(missing, message, message_size);
      return CELLPROOF_CPU_UNAVAILABLE;
    }
    for (std::size_t i = 0; i < CELLPROOF_CPU_INPUTS; ++i)
      made->constants.inputs[i] = std::exchange(made->node.inputs[i].data, nullptr);
    const std::size_t threads = chosen.threads > 1 ? static_cast<std::size_t>(chosen.threads) : 1;
    made->choice = make_executor(made->node, chosen.path, threads);
    made->choice.executor->pack_constants(made->constants);
    *plan = made.release();
    return CELLPROOF_CPU_OK;
  });
}

cellproof_cpu_status cellproof_cpu_run(cellproof_cpu_plan* plan, const void* const inputs[CELLPROOF_CPU_INPUTS],
                                       void* const outputs[CELLPROOF_CPU_OUTPUTS], char* message, size_t message_size) {
  return guarded(message, message_size, [&] {
    Arguments arguments;
    for (std::size_t i = 0; i < CELLPROOF_CPU_INPUTS; ++i)
      arguments.inputs[i] = data_of(i, plan->node, plan->constants.inputs[i], inputs[i]);
    for (std::size_t i = 0; i < CELLPROOF_CPU_OUTPUTS; ++i) arguments.outputs[i] = outputs[i];
    if (const auto* lengths = arguments.input<int>(CELLPROOF_CPU_SEQUENCE_LENS)) check_lengths(plan->node, lengths);
    plan->choice.executor->run(arguments);
    return CELLPROOF_CPU_OK;
  });
}

const char* cellproof_cpu_path_of(const cellproof_cpu_plan* plan) {
  return plan->choice.path;
}

const char* cellproof_cpu_path_missing(cellproof_cpu_path path) {
  return missing_for(path);
}

void cellproof_cpu_release(cellproof_cpu_plan* plan) {
  delete plan;
}
