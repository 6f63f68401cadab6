#include "optimized/cudnn/cellproof_cudnn.h"

#include <limits>
#include <memory>

#include "optimized/cudnn/capability.hpp"
#include "optimized/cudnn/plan.hpp"
#include "optimized/node/call.hpp"

using namespace cellproof::cudnn;
namespace node = cellproof::node;

struct cellproof_cudnn_plan {
  const cellproof_cudnn_context& context;
  Plan plan;
};

namespace {

/// Lets go of something on its context's device; where that cannot be reached any more, on the current one.
template <class Object>
void let_go(const cellproof_cudnn_context& context, Object* object) {
  try {
    const OnDeviceOf device(context);
    delete object;
  } catch (const Failure&) {
    delete object;
  }
}

/// The node, found valid and expressible. Throws Failure.
Node accepted(const cellproof_node& node, cellproof_cudnn_math math, std::size_t version) {
  Node result = node::checked(node);
  check_capability({result, math, version});
  node::check_countable(result);
  return result;
}

}  // namespace

cellproof_status cellproof_cudnn_open(const cellproof_cudnn_options* options, cellproof_cudnn_context** context,
                                      char* message, size_t message_size) {
  *context = nullptr;
  return node::status_of(message, message_size,
                         [&] { *context = open_context(options ? *options : cellproof_cudnn_options{}).release(); });
}

void cellproof_cudnn_close(cellproof_cudnn_context* context) {
  if (context != nullptr) let_go(*context, context);
}

const char* cellproof_cudnn_description(const cellproof_cudnn_context* context) {
  return context->description.c_str();
}

void* cellproof_cudnn_stream(const cellproof_cudnn_context* context) {
  return context->stream;
}

cellproof_status cellproof_cudnn_prepare(cellproof_cudnn_context* context, const cellproof_node* node,
                                         cellproof_cudnn_plan** plan, char* message, size_t message_size) {
  *plan = nullptr;
  return node::status_of(message, message_size, [&] {
    const Node ready = accepted(*node, context->options.math, context->api.cudnnGetVersion());
    const OnDeviceOf device(*context);
    *plan = new cellproof_cudnn_plan{*context, Plan(*context, ready)};
  });
}

cellproof_status cellproof_cudnn_run(cellproof_cudnn_plan* plan, const void* const inputs[CELLPROOF_INPUTS],
                                     void* const outputs[CELLPROOF_OUTPUTS], char* message, size_t message_size) {
  return node::status_of(message, message_size, [&] {
    const OnDeviceOf device(plan->context);
    plan->plan.run(inputs, outputs);
  });
}

void cellproof_cudnn_release(cellproof_cudnn_plan* plan) {
  if (plan != nullptr) let_go(plan->context, plan);
}

const cellproof_cudnn_limit* cellproof_cudnn_limits(size_t* count) {
  *count = limits().size();
  return limits().data();
}

cellproof_status cellproof_cudnn_supports(const cellproof_node* node, cellproof_cudnn_math math, char* message,
                                          size_t message_size) {
  return node::status_of(message, message_size,
                         [&] { accepted(*node, math, std::numeric_limits<std::size_t>::max()); });
}
