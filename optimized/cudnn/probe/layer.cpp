#include "optimized/cudnn/probe/layer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include "optimized/cudnn/elements.hpp"
#include "optimized/cudnn/plan.hpp"

namespace cellproof::cudnn::probe {
namespace {

/// Small exact numbers: multiples of 1/128 within `bound`, by place.
std::vector<char> exact_values(std::size_t count, int type, double bound, std::uint32_t seed) {
  std::vector<char> made(count * bytes_of(type));
  std::uint32_t state = seed * 2654435761U + 1;
  const double whole = std::floor(bound * 128);
  const auto steps = static_cast<std::uint32_t>(2 * whole) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    set_element(made.data(), i, type, (static_cast<double>((state >> 8) % steps) - whole) / 128);
  }
  return made;
}

class Run {
 public:
  Run(const cellproof_cudnn_context& context, const Layer& layer) : context_(context), layer_(layer), d_(context) {}

  Answer operator()() {
    try {
      describe();
      fill();
      forward();
    } catch (const Failure& failure) {
      answer_.where = failure.message;
      if (answer_.status == status::success) answer_.status = status::execution_failed;
    }
    return std::move(answer_);
  }

 private:
  std::size_t element() const { return bytes_of(layer_.type); }
  std::size_t states() const {
    return static_cast<std::size_t>(layer_.directions * layer_.N) * static_cast<std::size_t>(layer_.H);
  }
  std::size_t steps() const { return static_cast<std::size_t>(layer_.T) * static_cast<std::size_t>(layer_.N); }

  void check(Status status, const char* call) {
    answer_.status = status;
    context_.check(status, call);
  }

  void describe() {
    const auto& api = context_.api;
    const Layer& l = layer_;
    check(api.cudnnSetRNNDescriptor_v8(d_.rnn, l.algorithm, l.cell, bias::both, l.directions - 1, linear_input, l.type,
                                       l.precision, l.math, l.I, l.H, l.H, 1, nullptr, padded_io),
          "cudnnSetRNNDescriptor_v8");
    if (l.clip) check(api.cudnnRNNSetClip_v9(d_.rnn, clip_mode::between, -*l.clip, *l.clip), "cudnnRNNSetClip_v9");
    if (l.algorithm == algorithm::persist_dynamic)
      check(api.cudnnBuildRNNDynamic(context_.handle, d_.rnn, l.N), "cudnnBuildRNNDynamic");
    const std::vector<int> lengths = l.lengths.empty() ? std::vector(static_cast<std::size_t>(l.N), l.T) : l.lengths;
    double zero = 0;
    for (const auto& [descriptor, vector] : {std::pair{d_.x, l.I}, {d_.y, l.H * l.directions}})
      check(api.cudnnSetRNNDataDescriptor(descriptor, l.type, layout::time_first, l.T, l.N, vector, lengths.data(),
                                          l.fills_padding ? &zero : nullptr),
            "cudnnSetRNNDataDescriptor");
    const int shape[] = {l.directions, l.N, l.H}, strides[] = {l.N * l.H, l.H, 1};
    check(api.cudnnSetTensorNdDescriptor(d_.state, l.type, 3, shape, strides), "cudnnSetTensorNdDescriptor");
    check(api.cudnnGetRNNWeightSpaceSize(context_.handle, d_.rnn, &weight_bytes_), "cudnnGetRNNWeightSpaceSize");
    check(api.cudnnGetRNNTempSpaceSizes(context_.handle, d_.rnn, inference, d_.x, &answer_.workspace, nullptr),
          "cudnnGetRNNTempSpaceSizes");
  }

  void upload(Buffer& buffer, const void* from, std::size_t bytes) {
    context_.check_device(context_.device->copy(buffer.reserve(bytes), from, bytes, Copy::ToDevice, context_.stream),
                          "copying to the device");
    context_.check_device(context_.device->synchronize(context_.stream), "copying to the device");  // `from` goes away
  }

  void fill() {
    const double weight_bound = std::max(1.0 / 128, std::min(0.5, 2.0 / std::sqrt(layer_.H)));
    for (const auto& [buffer, count, bound, seed] : {std::tuple{&weights_, weight_bytes_ / element(), weight_bound, 1U},
                                                     {&x_, steps() * static_cast<std::size_t>(layer_.I), 1.0, 2U},
                                                     {&hx_, states(), 1.0, 3U},
                                                     {&cx_, states(), 1.0, 4U}}) {
      std::vector<char> values = exact_values(count, layer_.type, bound, seed);
      if (buffer == &cx_) {
        const double most = layer_.initial_c_within;
        for (std::size_t i = 0; i < count; ++i)
          set_element(values.data(), i, layer_.type,
                      std::clamp(element_at(values.data(), i, layer_.type), -most, most));
      }
      upload(*buffer, values.data(), values.size());
    }
    for (const auto& [buffer, count] :
         {std::pair{&y_, steps() * static_cast<std::size_t>(layer_.directions * layer_.H)},
          {&hy_, states()},
          {&cy_, states()}}) {
      const std::vector<unsigned char> poison(count * element(), 0xFF);
      upload(*buffer, poison.data(), poison.size());
    }
    const std::vector<std::int32_t> ones(static_cast<std::size_t>(layer_.N), 1);
    upload(wrong_lengths_, ones.data(), ones.size() * sizeof ones[0]);
    work_.reserve(answer_.workspace);
  }

  Status call_forward() {
    const bool lstm = layer_.cell == cell::lstm;
    return context_.api.cudnnRNNForward(
        context_.handle, d_.rnn, inference,
        layer_.wrong_device_lengths ? reinterpret_cast<const std::int32_t*>(wrong_lengths_.data()) : nullptr, d_.x,
        x_.data(), d_.y, y_.data(), d_.state, layer_.has_states ? hx_.data() : nullptr, hy_.data(),
        lstm ? d_.state : nullptr, lstm && layer_.has_states ? cx_.data() : nullptr, lstm ? cy_.data() : nullptr,
        weight_bytes_, weights_.data(), answer_.workspace, work_.data(), 0, nullptr);
  }

  void forward() {
    const bool lstm = layer_.cell == cell::lstm;
    std::vector<double> seconds;
    for (int i = 0; i < layer_.repeats; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      check(call_forward(), "cudnnRNNForward");
      context_.check_device(context_.device->synchronize(context_.stream), "waiting for cudnnRNNForward");
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::ranges::sort(seconds);
    answer_.seconds = seconds[seconds.size() / 2];
    if (layer_.is_recorded) forward_recorded();
    download(y_, steps() * static_cast<std::size_t>(layer_.directions * layer_.H), answer_.y);
    download(hy_, states(), answer_.h);
    if (lstm) download(cy_, states(), answer_.c);
  }

  /// Over outputs that are full of NaN again, so that a launch that does nothing is seen.
  void forward_recorded() {
    fill();
    const auto work = [](void* self) -> int { return static_cast<Run*>(self)->call_forward(); };
    context_.check_device(context_.device->synchronize(context_.stream), "waiting for the device");
    context_.check_device(context_.device->record_and_launch(work, this, context_.stream), "recording cudnnRNNForward");
  }

  void download(const Buffer& buffer, std::size_t count, std::vector<double>& into) {
    std::vector<char> bytes(count * element());
    context_.check_device(
        context_.device->copy(bytes.data(), buffer.data(), bytes.size(), Copy::FromDevice, context_.stream),
        "copying from the device");
    context_.check_device(context_.device->synchronize(context_.stream), "waiting for the device");
    into.resize(count);
    for (std::size_t i = 0; i < count; ++i) into[i] = element_at(bytes.data(), i, layer_.type);
  }

  const cellproof_cudnn_context& context_;
  const Layer& layer_;
  Descriptors d_;
  Answer answer_;
  std::size_t weight_bytes_ = 0;
  Buffer weights_{context_}, x_{context_}, hx_{context_}, cx_{context_}, y_{context_}, hy_{context_}, cy_{context_},
      work_{context_}, wrong_lengths_{context_};
};

}  // namespace

Answer run_layer(const cellproof_cudnn_context& context, const Layer& layer) {
  return Run(context, layer)();
}

}  // namespace cellproof::cudnn::probe
