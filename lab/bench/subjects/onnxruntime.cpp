#include <cstdlib>
#include <utility>

#include "corpus/model.hpp"
#include "engines/node/node_description.hpp"
#include "engines/onnxruntime/c_api.hpp"
#include "engines/onnxruntime/tensor_values.hpp"
#include "engines/paths.hpp"
#include "lab/bench/subjects/bind_tensors.hpp"
#include "lab/bench/subjects/make.hpp"

namespace cellproof::lab::bench {
namespace {

using engines::ort::CApi;

constexpr int log_errors_only = 3, device_allocator = 0, default_memory = 0;

class OnnxRuntime : public Subject {
 public:
  OnnxRuntime(const Problem& problem, int threads)
      : api_(engines::onnxruntime_library()),
        environment_(api_.create<CApi::ReleaseEnv>(CApi::CreateEnv, log_errors_only, "cellproof-bench")),
        memory_(api_.create<CApi::ReleaseMemoryInfo>(CApi::CreateCpuMemoryInfo, device_allocator, default_memory)),
        outputs_(engines::empty_outputs(problem)) {
    auto options = api_.create<CApi::ReleaseSessionOptions>(CApi::CreateSessionOptions);
    api_.call(CApi::SetIntraOpNumThreads, options.get(), threads);
    api_.call(CApi::SetInterOpNumThreads, options.get(), 1);
    const std::string model = corpus::to_model(problem);
    session_ = api_.create<CApi::ReleaseSession>(
        CApi::CreateSessionFromArray, static_cast<const void*>(environment_.get()),
        static_cast<const void*>(model.data()), model.size(), static_cast<const void*>(options.get()));
    inputs_ = bind_tensors(
        problem, outputs_,
        [this](const char* name, Tensor& tensor) {
          input_names_.push_back(name);
          input_values_.push_back(borrowed(tensor));
        },
        [this](const char* name, Tensor& tensor) {
          output_names_.push_back(name);
          output_values_.push_back(borrowed(tensor));
        });
  }

  std::string version() const override { return api_.version(); }
  void run() override {
    api_.call(CApi::RunSession, session_.get(), static_cast<const void*>(nullptr), input_names_.data(),
              static_cast<const void* const*>(input_values_.data()), input_values_.size(), output_names_.data(),
              output_names_.size(), output_values_.data());
  }
  Outputs outputs() override { return outputs_; }

 private:
  void* borrowed(Tensor& tensor) {
    owned_.push_back(engines::ort::borrow(api_, memory_.get(), tensor));
    return owned_.back().get();
  }

  CApi api_;
  CApi::Env environment_;
  CApi::MemoryInfo memory_;
  Outputs outputs_;
  std::vector<Tensor> inputs_;
  CApi::Session session_;
  std::vector<CApi::Value> owned_;
  std::vector<const char*> input_names_, output_names_;
  std::vector<const void*> input_values_;
  std::vector<void*> output_values_;
};

}  // namespace

std::unique_ptr<Subject> make_onnxruntime(const Problem& problem, int threads) {
  // The Linux builds report usage to their makers; a benchmark must not.
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
  try {
    return std::make_unique<OnnxRuntime>(problem, threads);
  } catch (const engines::ort::LibraryError& error) {
    throw Unavailable(error.what());
  } catch (const engines::ort::CallError& error) {
    throw Unavailable(error.what());
  }
}

}  // namespace cellproof::lab::bench
