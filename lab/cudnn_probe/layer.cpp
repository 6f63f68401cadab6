#include "lab/cudnn_probe/layer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include "optimized/cudnn/plan.hpp"
#include "optimized/cudnn/testing/elements.hpp"

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
      answer_.where = failure.what();
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
    if (!l.lengths_behind.empty()) describe_lengths(l.lengths_behind);
    describe_lengths(l.lengths);
    const int shape[] = {l.directions, l.N, l.H}, strides[] = {l.N * l.H, l.H, 1};
    check(api.cudnnSetTensorNdDescriptor(d_.state, l.type, 3, shape, strides), "cudnnSetTensorNdDescriptor");
    check(api.cudnnGetRNNWeightSpaceSize(context_.handle, d_.rnn, &weight_bytes_), "cudnnGetRNNWeightSpaceSize");
  }

  Status describe_sequences(const std::vector<int>& given) {
    const Layer& l = layer_;
    const std::vector<int> lengths = given.empty() ? std::vector(static_cast<std::size_t>(l.N), l.T) : given;
    double zero = 0;
    Status first = status::success;
    for (const auto& [descriptor, vector] : {std::pair{d_.x, l.I}, {d_.y, l.H * l.directions}})
      if (const Status status = context_.api.cudnnSetRNNDataDescriptor(
              descriptor, l.type, l.layout, l.T, l.N, vector, lengths.data(), l.fills_padding ? &zero : nullptr);
          first == status::success)
        first = status;
    return first;
  }

  void describe_lengths(const std::vector<int>& given) {
    check(describe_sequences(given), "cudnnSetRNNDataDescriptor");
    std::size_t bytes = 0, reserve = 0;
    check(context_.api.cudnnGetRNNTempSpaceSizes(context_.handle, d_.rnn, inference, d_.x, &bytes, &reserve),
          "cudnnGetRNNTempSpaceSizes");
    answer_.workspace = std::max(answer_.workspace, bytes);  // of all lengths that are called with
  }

  void upload(Buffer& buffer, const void* from, std::size_t bytes) {
    context_.check_device(context_.device->copy(buffer.reserve(bytes), from, bytes, Copy::ToDevice, context_.stream),
                          "copying to the device");
    context_.check_device(context_.device->synchronize(context_.stream), "copying to the device");  // `from` goes away
  }

  /// A tensor that is computed with; `given` stands in place of its first elements.
  struct Operand {
    Buffer& buffer;
    std::size_t count;
    double bound;
    std::uint32_t seed;
    const std::vector<double>& given;
  };

  /// The bytes of X with those before it that put it out of its alignment.
  std::vector<char> contents_of(const Operand& operand) const {
    std::vector<char> values = exact_values(operand.count, layer_.type, operand.bound, operand.seed);
    const bool is_c = &operand.buffer == &cx_, is_state = is_c || &operand.buffer == &hx_;
    if (is_state && layer_.states_are_zero) std::ranges::fill(values, '\0');
    for (std::size_t i = 0; i < operand.given.size(); ++i) set_element(values.data(), i, layer_.type, operand.given[i]);
    if (&operand.buffer == &x_) values.insert(values.begin(), layer_.x_offset, '\0');
    if (is_c && operand.given.empty()) {
      const double most = layer_.initial_c_within;
      for (std::size_t i = 0; i < operand.count; ++i)
        set_element(values.data(), i, layer_.type, std::clamp(element_at(values.data(), i, layer_.type), -most, most));
    }
    return values;
  }

  void fill_operands() {
    const double weight_bound = std::max(1.0 / 128, std::min(0.5, 2.0 / std::sqrt(layer_.H)));
    const Values& given = layer_.values;
    for (const Operand& operand : {Operand{weights_, weight_bytes_ / element(), weight_bound, 1, given.weights},
                                   {x_, steps() * static_cast<std::size_t>(layer_.I), 1, 2, given.x},
                                   {hx_, states(), 1, 3, given.hx},
                                   {cx_, states(), 1, 4, given.cx}}) {
      const std::vector<char> bytes = contents_of(operand);
      upload(operand.buffer, bytes.data(), bytes.size());
    }
  }

  void poison_outputs() {
    if (layer_.only_last_step) y_.reserve(elements_of_y() * element());
    for (const auto& [buffer, count] :
         {std::pair{&y_, layer_.only_last_step ? 0 : elements_of_y()}, {&hy_, states()}, {&cy_, states()}}) {
      if (count == 0) continue;
      const std::vector<unsigned char> poison(count * element(), 0xFF);
      upload(*buffer, poison.data(), poison.size());
    }
  }

  void fill() {
    fill_operands();
    poison_outputs();
    const std::vector<std::int32_t> ones(static_cast<std::size_t>(layer_.N), 1);
    upload(wrong_lengths_, ones.data(), ones.size() * sizeof ones[0]);
    work_.reserve(answer_.workspace);
  }

  std::size_t elements_of_y() const { return steps() * static_cast<std::size_t>(layer_.directions * layer_.H); }

  Status call_forward() {
    const bool lstm = layer_.cell == cell::lstm;
    std::byte *const hy = layer_.in_place ? hx_.data() : hy_.data(), *const cy =
                                                                         layer_.in_place ? cx_.data() : cy_.data();
    return context_.api.cudnnRNNForward(
        context_.handle, d_.rnn, inference,
        layer_.wrong_device_lengths ? reinterpret_cast<const std::int32_t*>(wrong_lengths_.data()) : nullptr, d_.x,
        x_.data() + layer_.x_offset, d_.y, y_.data(), d_.state, layer_.has_hx ? hx_.data() : nullptr, hy,
        lstm ? d_.state : nullptr, lstm && layer_.has_cx ? cx_.data() : nullptr, lstm ? cy : nullptr, weight_bytes_,
        weights_.data(), answer_.workspace, work_.data(), 0, nullptr);
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
    if (!layer_.lengths_behind.empty()) forward_behind();
    const std::size_t last =
        layer_.only_last_step ? elements_of_y() / static_cast<std::size_t>(layer_.T) : elements_of_y();
    download(y_.data() + (elements_of_y() - last) * element(), last, answer_.y);
    if (!layer_.lengths_behind.empty()) {
      answer_.behind = std::move(answer_.y);
      download(first_y_.data(), elements_of_y(), answer_.y);
    }
    download(layer_.in_place ? hx_.data() : hy_.data(), states(), answer_.h);
    if (lstm) download(layer_.in_place ? cx_.data() : cy_.data(), states(), answer_.c);
  }

  /// The first lengths once more, then at once the others, over descriptors that are set anew.
  void forward_behind() {
    const std::size_t bytes = elements_of_y() * element();
    first_y_.reserve(bytes);
    check(call_forward(), "cudnnRNNForward");
    context_.check_device(context_.device->copy(first_y_.data(), y_.data(), bytes, Copy::OnDevice, context_.stream),
                          "copying y");
    describe_lengths(layer_.lengths_behind);
    check(call_forward(), "cudnnRNNForward");
    context_.check_device(context_.device->synchronize(context_.stream), "waiting for two calls");
  }

  /// Over outputs that are full of NaN again, so that a launch that does nothing is seen.
  void forward_recorded() {
    fill();
    const auto work = [](void* self) -> int {
      auto* const run = static_cast<Run*>(self);
      return run->recorded_status_ = run->call_forward();
    };
    context_.check_device(context_.device->synchronize(context_.stream), "waiting for the device");
    const auto between = [](void* self) -> int { return static_cast<Run*>(self)->prepare_replay(); };
    const int error =
        context_.device->record_and_launch(work, layer_.then.x.empty() ? nullptr : +between, this, context_.stream);
    check(recorded_status_, "cudnnRNNForward, recorded");  // which is not the runtime's error
    context_.check_device(error, "recording cudnnRNNForward");
  }

  /// 0, or the error of the device.
  int prepare_replay() {
    std::vector<char> values(layer_.then.x.size() * element());
    for (std::size_t i = 0; i < layer_.then.x.size(); ++i) set_element(values.data(), i, layer_.type, layer_.then.x[i]);
    recorded_status_ = describe_sequences(layer_.then.lengths);
    if (recorded_status_ != status::success) return 0;
    const int error = context_.device->copy(x_.data(), values.data(), values.size(), Copy::ToDevice, context_.stream);
    return error != 0 ? error : context_.device->synchronize(context_.stream);
  }

  void download(const std::byte* from, std::size_t count, std::vector<double>& into) {
    std::vector<char> bytes(count * element());
    context_.check_device(context_.device->copy(bytes.data(), from, bytes.size(), Copy::FromDevice, context_.stream),
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
  Status recorded_status_ = status::success;
  Buffer weights_{context_}, x_{context_}, hx_{context_}, cx_{context_}, y_{context_}, hy_{context_}, cy_{context_},
      first_y_{context_}, work_{context_}, wrong_lengths_{context_};
};

}  // namespace

Answer run_layer(const cellproof_cudnn_context& context, const Layer& layer) {
  return Run(context, layer)();
}

}  // namespace cellproof::cudnn::probe
