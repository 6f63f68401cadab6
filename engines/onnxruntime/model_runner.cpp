#include "engines/onnxruntime/model_runner.hpp"

#include <fmt/format.h>

#include <chrono>
#include <tuple>
#include <utility>

#include "corpus/model.hpp"
#include "engines/messages.hpp"
#include "engines/onnxruntime/capability.hpp"
#include "engines/onnxruntime/tensor_values.hpp"
#include "engines/threads.hpp"

namespace cellproof::engines::ort {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int log_errors_only = 3;  // ORT_LOGGING_LEVEL_ERROR; what it logs goes to stderr, and so to the worker's log
constexpr int device_allocator = 0, default_memory = 0;

std::vector<const char*> pointers_to(const std::vector<std::string>& names) {
  std::vector<const char*> pointers;
  pointers.reserve(names.size());
  for (const auto& name : names) pointers.push_back(name.c_str());
  return pointers;
}

/// Adds the time of a scope to a figure, also when the scope is left by an exception.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  double& seconds_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

OnnxRuntimeRunner::OnnxRuntimeRunner(const std::filesystem::path& library, std::optional<Provider> provider)
    : api_(library),
      environment_(api_.create<CApi::ReleaseEnv>(CApi::CreateEnv, log_errors_only, "cellproof")),
      options_(api_.create<CApi::ReleaseSessionOptions>(CApi::CreateSessionOptions)),
      memory_(api_.create<CApi::ReleaseMemoryInfo>(CApi::CreateCpuMemoryInfo, device_allocator, default_memory)) {
  api_.call(CApi::SetIntraOpNumThreads, options_.get(), threads_asked_for());
  api_.call(CApi::SetInterOpNumThreads, options_.get(), 1);
  if (!provider || provider->name == cpu_provider) return;
  choose(api_, *provider, environment_.get(), options_.get());
  provider_ = provider->name;
  provider_version_ = provider->version;
  contract_ = provider->contract;
}

EngineDescription OnnxRuntimeRunner::describe() {
  const std::string version = provider_version_.empty()
                                  ? api_.version()
                                  : fmt::format("{} (ONNX Runtime {})", provider_version_, api_.version());
  return {"onnxruntime", version, contract_, true};
}

CApi::Session OnnxRuntimeRunner::open(std::string_view model) const {
  return api_.create<CApi::ReleaseSession>(CApi::CreateSessionFromArray, static_cast<const void*>(environment_.get()),
                                           static_cast<const void*>(model.data()), model.size(),
                                           static_cast<const void*>(options_.get()));
}

Support OnnxRuntimeRunner::supports(std::string_view model) {
  try {
    open(model);
  } catch (const CallError& error) {
    auto [kind, message] = answer_to(error);
    if (kind == OutcomeKind::NotSupported) return {false, std::move(message)};
  }
  return {};
}

std::pair<OutcomeKind, std::string> OnnxRuntimeRunner::answer_to(const CallError& error) const {
  if (is_fallback(error.what()))
    return {OutcomeKind::NotSupported,
            fmt::format("fell back: {} does not take the model, or a part of it", provider_)};
  return {meaning_of(error.code(), error.what()), error.what()};
}

std::vector<Tensor> OnnxRuntimeRunner::compute(const ModelRequest& request, std::vector<Tensor>& inputs,
                                               Timings& timings) const {
  CApi::Session session;
  std::vector<CApi::Value> owned;
  {
    const Stopwatch stopwatch(timings.prepare);
    session = open(request.model);
  }
  std::vector<const void*> given;
  for (auto& input : inputs) {
    owned.push_back(borrow(api_, memory_.get(), input));
    given.push_back(owned.back().get());
  }
  const auto input_names = pointers_to(request.input_names), output_names = pointers_to(request.output_names);
  std::vector<void*> returned(output_names.size(), nullptr);
  {
    const Stopwatch stopwatch(timings.run);
    api_.call(CApi::RunSession, session.get(), static_cast<const void*>(nullptr), input_names.data(),
              static_cast<const void* const*>(given.data()), given.size(), output_names.data(), output_names.size(),
              returned.data());
  }
  for (auto* const value : returned) owned.push_back(api_.adopt<CApi::ReleaseValue>(value));
  std::vector<Tensor> outputs;
  for (auto* const value : returned)
    if (value != nullptr) outputs.push_back(copy_out(api_, value));
  {
    const Stopwatch stopwatch(timings.release);
    owned.clear();
    session.reset();
  }
  return outputs;
}

ModelReply OnnxRuntimeRunner::run(const ModelRequest& request) {
  // With constants alone the node is folded by the CPU code before any provider is asked.
  if (!provider_.empty() && request.inputs.empty())
    return {.kind = OutcomeKind::NotSupported,
            .message = fmt::format("fell back: all inputs are constant, and {} is not asked", provider_),
            .outputs = {},
            .inputs_crc32 = {},
            .timings = {}};
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < request.inputs.size(); ++k)
    inputs.push_back(corpus::from_tensor_proto(request.inputs[k], request.input_names[k]));
  ModelReply reply;
  try {
    const auto outputs = compute(request, inputs, reply.timings);
    for (std::size_t k = 0; k < outputs.size(); ++k)
      reply.outputs.push_back(corpus::to_tensor_proto(outputs[k], request.output_names[k]));
  } catch (const CallError& error) {
    std::tie(reply.kind, reply.message) = answer_to(error);
    return reply;
  }
  for (const auto& input : inputs) reply.inputs_crc32.push_back(crc32(input.bytes()));
  return reply;
}

}  // namespace cellproof::engines::ort
