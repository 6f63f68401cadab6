#include "lab/bench/subjects/onednn_api.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <filesystem>

#include "lab/bench/subject.hpp"

namespace cellproof::lab::bench {
namespace {

constexpr int f32 = 3, any_tag = 1, cpu_kind = 1, query_weights = 131, forward_inference = 96;
constexpr unsigned default_stream = 1, no_flags = 0;
constexpr float unused = 0;

/// Larger than dnnl_memory_desc_t (696 bytes) and dnnl_rnn_desc_t (15,344 bytes) of 2.6.3, which its functions fill.
constexpr std::size_t bytes_of_a_memory_description = 4096, bytes_of_a_layer_description = 65536;

std::shared_ptr<std::vector<std::max_align_t>> room_for(std::size_t bytes) {
  return std::make_shared<std::vector<std::max_align_t>>(bytes / sizeof(std::max_align_t));
}

/// dnnl_status_t
const char* status_name(int status) {
  constexpr const char* names[] = {"success",       "out of memory", "invalid arguments", "unimplemented",
                                   "iterator ends", "runtime error", "not required"};
  return status >= 0 && status < static_cast<int>(std::size(names)) ? names[status] : "unknown status";
}

/// Opens what a build on SYCL needs and does not find by itself, in its own folder, and names its driver of processors.
/// Other builds have none of it there.
void prepare_sycl(const std::filesystem::path& folder) {
  for (const char* const name :
       {"libintlc.so.5", "libimf.so", "libsvml.so", "libirng.so", "libtbb.so.12", "libsycl.so.9"})
    if (std::filesystem::exists(folder / name)) dlopen((folder / name).c_str(), RTLD_NOW | RTLD_GLOBAL);
  const auto driver = folder / "libintelocl.so";
  if (std::filesystem::exists(driver)) setenv("OCL_ICD_FILENAMES", driver.c_str(), 1);
}

}  // namespace

OneDnn::OneDnn(const std::string& library, std::string_view remedy) {
  prepare_sycl(std::filesystem::path(library).parent_path());
  library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  // Never closed: the threads of its OpenMP live on.
  if (library_ == nullptr) {
    const char* const why = dlerror();
    throw Unavailable(fmt::format("oneDNN cannot be opened ({}): {}", why == nullptr ? library : why, remedy));
  }
  version_ = find<const Version*()>("dnnl_version")();
  if (major() != 2 && major() != 3)
    throw Unavailable(
        fmt::format("{}: oneDNN {}, and its C interface is known to us in versions 2 and 3", library, version()));
}

std::string OneDnn::version() const {
  return fmt::format("{}.{}.{}", version_->major, version_->minor, version_->patch);
}

template <class Function>
Function* OneDnn::find(const char* name) const {
  auto* const found = reinterpret_cast<Function*>(dlsym(library_, name));
  if (found == nullptr) throw Unavailable(fmt::format("this oneDNN has no function {}", name));
  return found;
}

template <class... Arguments>
void OneDnn::call(const char* name, Arguments... arguments) const {
  if (const int status = find<int(Arguments...)>(name)(arguments...); status != 0)
    throw Unavailable(fmt::format("{}: {}", name, status_name(status)));
}

/// Calls a function that makes an object through its first argument.
template <class... Arguments>
OneDnn::Handle OneDnn::create(const char* name, const char* destroy, Arguments... arguments) const {
  void* made = nullptr;
  call(name, &made, arguments...);
  return Handle(made, Destroy{find<int(void*)>(destroy)});
}

OneDnn::Description OneDnn::dense(const Dimensions& dimensions) const {
  Dimensions strides(dimensions.size(), 1);
  for (std::size_t i = dimensions.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dimensions[i];
  Description made;
  const auto rank = static_cast<int>(dimensions.size());
  if (major() == 2) {
    made.bytes_ = room_for(bytes_of_a_memory_description);
    call("dnnl_memory_desc_init_by_strides", static_cast<void*>(made.bytes_->data()), rank, dimensions.data(), f32,
         static_cast<const std::int64_t*>(strides.data()));
  } else {
    made.object_ = create("dnnl_memory_desc_create_with_strides", "dnnl_memory_desc_destroy", rank, dimensions.data(),
                          f32, static_cast<const std::int64_t*>(strides.data()));
  }
  return made;
}

OneDnn::Description OneDnn::any_order(const Dimensions& dimensions) const {
  Description made;
  const auto rank = static_cast<int>(dimensions.size());
  if (major() == 2) {
    made.bytes_ = room_for(bytes_of_a_memory_description);
    call("dnnl_memory_desc_init_by_tag", static_cast<void*>(made.bytes_->data()), rank, dimensions.data(), f32,
         any_tag);
  } else {
    made.object_ =
        create("dnnl_memory_desc_create_with_tag", "dnnl_memory_desc_destroy", rank, dimensions.data(), f32, any_tag);
  }
  return made;
}

OneDnn::Handle OneDnn::cpu_engine() const {
  return create("dnnl_engine_create", "dnnl_engine_destroy", cpu_kind, std::size_t{0});
}

OneDnn::Handle OneDnn::stream(void* engine) const {
  return create("dnnl_stream_create", "dnnl_stream_destroy", engine, default_stream);
}

OneDnn::Handle OneDnn::memory(const Description& description, void* engine, float* data) const {
  void* const allocate = std::bit_cast<void*>(~std::uintptr_t{0});  // DNNL_MEMORY_ALLOCATE
  return create("dnnl_memory_create", "dnnl_memory_destroy", description.get(), engine,
                data == nullptr ? allocate : static_cast<void*>(data));
}

OneDnn::Handle OneDnn::describe(const Layer& layer, void* engine) const {
  return major() == 2 ? describe_2(layer, engine) : describe_3(layer, engine);
}

OneDnn::Handle OneDnn::describe_2(const Layer& l, void* engine) const {
  constexpr int tanh_2 = 0x2f;
  const int walk = static_cast<int>(l.walk);
  const auto room = room_for(bytes_of_a_layer_description);
  void* const layer = room->data();
  const void* const none = nullptr;
  const void *x = l.source.get(), *w = l.weights.get(), *r = l.recurrent_weights.get(), *b = l.bias.get();
  const void *y = l.destination.get(), *h = l.last_state.get();
  switch (l.cell) {
    case Cell::Lstm:
      call("dnnl_lstm_forward_desc_init", layer, forward_inference, walk, x, none, none, w, r, b, y, h,
           l.last_cell->get(), no_flags);
      break;
    case Cell::Gru:
      call("dnnl_gru_forward_desc_init", layer, forward_inference, walk, x, none, w, r, b, y, h, no_flags);
      break;
    case Cell::GruLinearBeforeReset:
      call("dnnl_lbr_gru_forward_desc_init", layer, forward_inference, walk, x, none, w, r, b, y, h, no_flags);
      break;
    case Cell::RnnTanh:
      call("dnnl_vanilla_rnn_forward_desc_init", layer, forward_inference, tanh_2, walk, x, none, w, r, b, y, h,
           no_flags, unused, unused);
      break;
  }
  return create("dnnl_primitive_desc_create", "dnnl_primitive_desc_destroy", static_cast<const void*>(layer), none,
                engine, none);
}

OneDnn::Handle OneDnn::describe_3(const Layer& l, void* engine) const {
  constexpr int tanh_3 = 0x21;
  const int walk = static_cast<int>(l.walk) + 1;  // version 3 begins with "undefined"
  const char* const destroy = "dnnl_primitive_desc_destroy";
  const void* const none = nullptr;
  const void *x = l.source.get(), *w = l.weights.get(), *r = l.recurrent_weights.get(), *b = l.bias.get();
  const void *y = l.destination.get(), *h = l.last_state.get();
  switch (l.cell) {
    case Cell::Lstm:
      return create("dnnl_lstm_forward_primitive_desc_create", destroy, engine, forward_inference, walk, x, none, none,
                    w, r, none, none, b, y, h, l.last_cell->get(), no_flags, none);
    case Cell::Gru:
      return create("dnnl_gru_forward_primitive_desc_create", destroy, engine, forward_inference, walk, x, none, w, r,
                    b, y, h, no_flags, none);
    case Cell::GruLinearBeforeReset:
      return create("dnnl_lbr_gru_forward_primitive_desc_create", destroy, engine, forward_inference, walk, x, none, w,
                    r, b, y, h, no_flags, none);
    case Cell::RnnTanh:
      break;
  }
  return create("dnnl_vanilla_rnn_forward_primitive_desc_create", destroy, engine, forward_inference, tanh_3, walk, x,
                none, w, r, b, y, h, no_flags, unused, unused, none);
}

OneDnn::Description OneDnn::chosen_weights(void* primitive_description, int index) const {
  Description chosen;
  chosen.borrowed_ = find<const void*(const void*, int, int)>("dnnl_primitive_desc_query_md")(primitive_description,
                                                                                              query_weights, index);
  if (chosen.borrowed_ == nullptr) throw Unavailable("oneDNN does not say how it wants its weights");
  return chosen;
}

OneDnn::Handle OneDnn::primitive(void* primitive_description) const {
  return create("dnnl_primitive_create", "dnnl_primitive_destroy", static_cast<const void*>(primitive_description));
}

OneDnn::Handle OneDnn::reorder(const Description& from, const Description& to, void* engine) const {
  const void* const no_attributes = nullptr;
  const Handle description = create("dnnl_reorder_primitive_desc_create", "dnnl_primitive_desc_destroy", from.get(),
                                    engine, to.get(), engine, no_attributes);
  return primitive(description.get());
}

void OneDnn::execute(void* primitive, void* stream, const std::vector<Binding>& bindings) const {
  // Not through call(), which looks the names up: this is inside what is measured.
  static const auto run = find<int(const void*, void*, int, const Binding*)>("dnnl_primitive_execute");
  static const auto wait = find<int(void*)>("dnnl_stream_wait");
  int status = run(primitive, stream, static_cast<int>(bindings.size()), bindings.data());
  if (status == 0) status = wait(stream);
  if (status != 0) throw std::runtime_error(fmt::format("oneDNN: {}", status_name(status)));
}

}  // namespace cellproof::lab::bench
