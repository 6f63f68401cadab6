#include "optimized/cudnn/cellproof_cudnn.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "optimized/cudnn/capability.hpp"
#include "optimized/cudnn/plan.hpp"

using namespace cellproof::cudnn;

struct cellproof_cudnn_plan {
  const cellproof_cudnn_context& context;
  Plan plan;
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
cellproof_cudnn_status guarded(char* message, std::size_t size, Work work) {
  try {
    say("", message, size);
    work();
    return CELLPROOF_CUDNN_OK;
  } catch (const Failure& failure) {
    say(failure.message, message, size);
    return failure.status;
  } catch (const std::bad_alloc&) {
    say("out of memory", message, size);
    return CELLPROOF_CUDNN_OUT_OF_MEMORY;
  }
}

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
Node accepted(const cellproof_cudnn_node& node, cellproof_cudnn_math math, std::size_t version) {
  check_operator(node.op);
  Node result = checked(node);
  check_capability({result, math, version});
  return result;
}

}  // namespace

cellproof_cudnn_status cellproof_cudnn_open(const cellproof_cudnn_options* options, cellproof_cudnn_context** context,
                                            char* message, size_t message_size) {
  *context = nullptr;
  return guarded(message, message_size,
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

cellproof_cudnn_status cellproof_cudnn_prepare(cellproof_cudnn_context* context, const cellproof_cudnn_node* node,
                                               cellproof_cudnn_plan** plan, char* message, size_t message_size) {
  *plan = nullptr;
  return guarded(message, message_size, [&] {
    Node ready = accepted(*node, context->options.math, context->api.cudnnGetVersion());
    const OnDeviceOf device(*context);
    *plan = new cellproof_cudnn_plan{*context, Plan(*context, std::move(ready))};
  });
}

cellproof_cudnn_status cellproof_cudnn_run(cellproof_cudnn_plan* plan, const void* const inputs[CELLPROOF_CUDNN_INPUTS],
                                           void* const outputs[CELLPROOF_CUDNN_OUTPUTS], char* message,
                                           size_t message_size) {
  return guarded(message, message_size, [&] {
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

cellproof_cudnn_status cellproof_cudnn_supports(const cellproof_cudnn_node* node, cellproof_cudnn_math math,
                                                char* message, size_t message_size) {
  return guarded(message, message_size, [&] { accepted(*node, math, std::numeric_limits<std::size_t>::max()); });
}
