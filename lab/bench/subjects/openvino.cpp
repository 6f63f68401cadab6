#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "corpus/model.hpp"
#include "engines/installed_engines.hpp"
#include "engines/node/node_description.hpp"
#include "lab/bench/subjects/bind_tensors.hpp"
#include "lab/bench/subjects/make.hpp"

namespace cellproof::lab::bench {
namespace {

namespace fs = std::filesystem;

/// ov_element_type_e
int openvino_type(ElementType type) {
  switch (type) {
    case ElementType::BFloat16:
      return 2;
    case ElementType::Float16:
      return 3;
    case ElementType::Float:
      return 4;
    case ElementType::Double:
      return 5;
    case ElementType::Int8:
      return 7;
    case ElementType::Int32:
      return 9;
    case ElementType::UInt8:
      return 16;
    default:
      throw Unavailable(fmt::format("written without tensors of {}", onnx_name(type)));
  }
}

/// The library of its C interface, in the folder that `cellproof install` or pip has put the engine into.
fs::path openvino_library() {
  const auto engines = engines::installable_engines();
  const auto engine = std::ranges::find(engines, "openvino", &engines::KnownEngine::name);
  if (engine == engines.end()) throw Unavailable("the list of installable engines has no openvino");
  if (!engine->absent.empty()) throw Unavailable(engine->absent);
  const fs::path libraries = fs::path(engine->command.front()).parent_path().parent_path() / "lib";
  std::error_code unreadable;
  for (const auto& python : fs::directory_iterator(libraries, unreadable))
    for (const auto& file : fs::directory_iterator(python.path() / "site-packages/openvino/libs", unreadable))
      if (file.path().filename().string().starts_with("libopenvino_c.so")) return file.path();
  throw Unavailable(fmt::format("no libopenvino_c.so below {}", libraries.string()));
}

/// The few functions of its C interface that running a model takes.
class OpenVino {
 public:
  struct Version {
    const char *build, *description;
  };
  struct Property {
    const char *key, *value;
  };
  struct Shape {
    std::int64_t rank;
    std::int64_t* sizes;
  };
  struct Destroy {
    void (*function)(void*) = nullptr;
    void operator()(void* object) const { function(object); }
  };
  using Handle = std::unique_ptr<void, Destroy>;

  /// Never closed: its threads live on.
  explicit OpenVino(const fs::path& library) : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) {
      const char* const why = dlerror();
      throw Unavailable(fmt::format("OpenVINO cannot be opened: {}", why == nullptr ? library.c_str() : why));
    }
  }

  template <class Function>
  Function* find(const char* name) const {
    auto* const found = reinterpret_cast<Function*>(dlsym(library_, name));
    if (found == nullptr) throw Unavailable(fmt::format("this OpenVINO has no function {}", name));
    return found;
  }
  template <class... Arguments>
  void call(const char* name, Arguments... arguments) const {
    if (find<int(Arguments...)>(name)(arguments...) != 0) throw Unavailable(fmt::format("{}: {}", name, last_error()));
  }
  /// Calls a function that makes an object through its last argument.
  template <class... Arguments>
  Handle create(const char* name, const char* destroy, Arguments... arguments) const {
    void* made = nullptr;
    call(name, arguments..., &made);
    return Handle(made, Destroy{find<void(void*)>(destroy)});
  }
  /// The last line that its last error has.
  std::string last_error() const {
    const char* const message = find<const char*()>("ov_get_last_err_msg")();
    std::string text = message == nullptr ? "" : message;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  }

 private:
  void* library_;
};

class OpenVinoModel : public Subject {
 public:
  OpenVinoModel(const Problem& problem, int threads, bool in_float)
      : api_(openvino_library()),
        core_(api_.create("ov_core_create", "ov_core_free")),
        outputs_(engines::empty_outputs(problem)) {
    const std::string model = corpus::to_model(problem), count = std::to_string(threads);
    const auto read = api_.create("ov_core_read_model_from_memory_buffer", "ov_model_free", in(core_), model.data(),
                                  model.size(), static_cast<const void*>(nullptr));
    std::vector<OpenVino::Property> properties{{"INFERENCE_NUM_THREADS", count.c_str()}};
    if (in_float)
      properties.push_back({"INFERENCE_PRECISION_HINT", "f32"});
    else if (capabilities().find("BF16") == std::string::npos)
      throw Unavailable("this processor has no instructions for bfloat16, so it computes float tensors in float");
    compiled_ = api_.create("ov_core_compile_model_props", "ov_compiled_model_free", in(core_), in(read), "CPU",
                            properties.size(), static_cast<const OpenVino::Property*>(properties.data()));
    request_ = api_.create("ov_compiled_model_create_infer_request", "ov_infer_request_free", in(compiled_));
    infer_ = api_.find<int(void*)>("ov_infer_request_infer");
    const auto bind = [this](const char* name, Tensor& tensor) { set(name, tensor); };
    inputs_ = bind_tensors(problem, outputs_, bind, bind);
  }

  /// "2026.4.1-20978-..." up to the build.
  std::string version() const override {
    OpenVino::Version version{};
    api_.call("ov_get_openvino_version", &version);
    const std::string build = version.build;
    api_.find<void(OpenVino::Version*)>("ov_version_free")(&version);
    return build.substr(0, build.find('-'));
  }
  void run() override {
    if (infer_(request_.get()) != 0) throw std::runtime_error(api_.last_error());
  }
  Outputs outputs() override { return outputs_; }

 private:
  std::string capabilities() const {
    char* text = nullptr;
    api_.call("ov_core_get_property", in(core_), "CPU", "OPTIMIZATION_CAPABILITIES", &text);
    const std::string result = text;
    api_.find<void(const char*)>("ov_free")(text);
    return result;
  }
  static const void* in(const OpenVino::Handle& handle) { return handle.get(); }

  void set(const char* name, Tensor& tensor) {
    std::vector<std::int64_t> sizes(tensor.shape().begin(), tensor.shape().end());
    const OpenVino::Shape shape{static_cast<std::int64_t>(sizes.size()), sizes.data()};
    tensors_.push_back(api_.create("ov_tensor_create_from_host_ptr", "ov_tensor_free", openvino_type(tensor.type()),
                                   shape, static_cast<void*>(tensor.bytes().data())));
    api_.call("ov_infer_request_set_tensor", request_.get(), name, in(tensors_.back()));
  }

  OpenVino api_;
  OpenVino::Handle core_, compiled_, request_;
  int (*infer_)(void*) = nullptr;
  Outputs outputs_;
  std::vector<Tensor> inputs_;
  std::vector<OpenVino::Handle> tensors_;
};

}  // namespace

std::unique_ptr<Subject> make_openvino(const Problem& problem, int threads, bool in_float) {
  return std::make_unique<OpenVinoModel>(problem, threads, in_float);
}

}  // namespace cellproof::lab::bench
