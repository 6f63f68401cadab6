#include "optimized/cuda/cellproof_cuda.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "optimized/cuda/executor.hpp"
#include "optimized/node/call.hpp"

using namespace cellproof::cuda;
namespace node = cellproof::node;

struct cellproof_cuda_plan {
  Node node;
  Arguments constants;  ///< nullptr where the data comes with the run
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Executor> executor;  ///< goes before the backend that its memory is of
  mutable std::string path;            ///< as it was last asked for
};

namespace {

/// The path that is asked for: where the options leave it open, by the environment.
cellproof_cuda_path path_asked_for(const cellproof_cuda_options& options) {
  const char* const named = std::getenv("CELLPROOF_CUDA_PATH");
  if (options.path != CELLPROOF_CUDA_PATH_AUTO || named == nullptr) return options.path;
  const std::string name = named;
  if (name == "steps") return CELLPROOF_CUDA_PATH_STEPS;
  if (name == "persistent") return CELLPROOF_CUDA_PATH_PERSISTENT;
  if (name == "barrier") return CELLPROOF_CUDA_PATH_BARRIER;
  throw DeviceFailure("CELLPROOF_CUDA_PATH is '" + name + "', expected steps, persistent or barrier");
}

}  // namespace

cellproof_status cellproof_cuda_probe(cellproof_cuda_machine machine, char* message, size_t message_size) {
  return node::status_of(message, message_size, [&] {
    if (machine == CELLPROOF_CUDA_DEVICE) probe_device();
  });
}

void cellproof_cuda_describe(cellproof_cuda_machine machine, char* text, size_t text_size) {
  try {
    node::say(machine == CELLPROOF_CUDA_HOST ? "host" : describe_device(), text, text_size);
  } catch (const std::exception&) {
    node::say("", text, text_size);
  }
}

cellproof_status cellproof_cuda_prepare(const cellproof_node* node, const cellproof_cuda_options* options,
                                        cellproof_cuda_plan** plan, char* message, size_t message_size) {
  *plan = nullptr;
  return node::status_of(message, message_size, [&] {
    const cellproof_cuda_options chosen = options == nullptr ? cellproof_cuda_options{} : *options;
    auto made = std::make_unique<cellproof_cuda_plan>();
    made->node = checked(*node);
    for (std::size_t i = 0; i < CELLPROOF_INPUTS; ++i)
      made->constants.inputs.at(i) = std::exchange(made->node.inputs.at(i).data, nullptr);
    made->backend = chosen.machine == CELLPROOF_CUDA_HOST ? make_host_backend() : make_device_backend();
    made->executor = make_executor(made->node, *made->backend,
                                   {chosen.tensors_on_device != 0, path_asked_for(chosen), chosen.asynchronous != 0});
    made->executor->pack_constants(made->constants);
    *plan = made.release();
  });
}

cellproof_status cellproof_cuda_run(cellproof_cuda_plan* plan, const void* const inputs[CELLPROOF_INPUTS],
                                    void* const outputs[CELLPROOF_OUTPUTS], char* message, size_t message_size) {
  return node::status_of(message, message_size, [&] {
    Arguments arguments;
    for (std::size_t i = 0; i < CELLPROOF_INPUTS; ++i) {
      const void* constant = plan->constants.inputs.at(i);
      arguments.inputs.at(i) = node::required_data(plan->node, i, constant != nullptr ? constant : inputs[i]);
    }
    std::copy_n(outputs, arguments.outputs.size(), arguments.outputs.begin());
    if (const auto* lengths = arguments.input<std::int32_t>(CELLPROOF_SEQUENCE_LENS))
      node::check_lengths(plan->node, lengths);
    const OnDeviceOf device(*plan->backend);
    plan->executor->run(arguments);
  });
}

const char* cellproof_cuda_path_of(const cellproof_cuda_plan* plan) {
  plan->path = plan->executor->path();
  if (!plan->backend->is_recordable()) plan->path += ", not recorded";
  return plan->path.c_str();
}

void* cellproof_cuda_stream(const cellproof_cuda_plan* plan) {
  return plan->backend->first_stream();
}

void cellproof_cuda_release(cellproof_cuda_plan* plan) {
  if (plan == nullptr) return;
  node::status_of(nullptr, 0, [&] {
    const OnDeviceOf device(*plan->backend);
    plan->executor.reset();
  });
  delete plan;
}
