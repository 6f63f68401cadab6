#include "lab/cudnn_probe/device_memory.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "lab/cudnn_probe/words.hpp"
#include "optimized/cudnn/plan.hpp"

namespace cellproof::cudnn::probe {
namespace {

constexpr std::int64_t T = 100, N = 12, I = 16, H = 24, gates = 4;

std::vector<float> numbers(std::int64_t count, std::uint32_t seed) {
  std::vector<float> made;
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    made.push_back((static_cast<float>((state >> 8) % 65) - 32) / 64);
  }
  return made;
}

using Outputs = std::array<std::vector<float>, CELLPROOF_OUTPUTS>;

/// An LSTM with what two runs of it get.
struct TwoRuns {
  std::int64_t D;
  std::vector<float> W, R, B;
  std::array<std::vector<float>, 2> X, h0;
  std::array<std::vector<std::int32_t>, 2> lengths;
  cellproof_node node{};

  TwoRuns(const char* direction, bool batch_first)
      : D(std::string(direction) == "bidirectional" ? 2 : 1),
        W(numbers(D * gates * H * I, 1)),
        R(numbers(D * gates * H * H, 2)),
        B(numbers(D * 2 * gates * H, 3)) {
    for (std::size_t run = 0; run < 2; ++run) {
      X.at(run) = numbers(T * N * I, 4 + static_cast<std::uint32_t>(run));
      h0.at(run) = numbers(D * N * H, 6 + static_cast<std::uint32_t>(run));
      for (std::int64_t n = 0; n < N; ++n)
        lengths.at(run).push_back(static_cast<std::int32_t>(run == 0 ? 1 + n * 8 : T - n * 7));
    }
    node.op = CELLPROOF_LSTM;
    node.direction = direction;
    node.layout = batch_first ? 1 : 0;
    const auto tensor = [](std::array<std::int64_t, 3> shape, const void* data) {
      return cellproof_tensor{CELLPROOF_FLOAT, 3, {shape[0], shape[1], shape[2], 0}, data};
    };
    node.inputs[CELLPROOF_X] = batch_first ? tensor({N, T, I}, nullptr) : tensor({T, N, I}, nullptr);
    node.inputs[CELLPROOF_W] = tensor({D, gates * H, I}, W.data());
    node.inputs[CELLPROOF_R] = tensor({D, gates * H, H}, R.data());
    node.inputs[CELLPROOF_B] = {CELLPROOF_FLOAT, 2, {D, 2 * gates * H}, B.data()};
    node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {N}, nullptr};
    node.inputs[CELLPROOF_INITIAL_H] = batch_first ? tensor({N, D, H}, nullptr) : tensor({D, N, H}, nullptr);
  }
  static constexpr std::array<std::int64_t, CELLPROOF_OUTPUTS> rows{T, 1, 1};
  std::size_t count(std::size_t output) const { return static_cast<std::size_t>(rows.at(output) * D * N * H); }
};

std::array<Outputs, 2> over_host_memory(const Context& context, const TwoRuns& runs) {
  const auto there =
      make_context(context.api, "", *context.device, {context.options.math, CELLPROOF_CUDNN_MEMORY_HOST});
  Plan plan(*there, node::checked(runs.node));
  std::array<Outputs, 2> out;
  for (std::size_t run = 0; run < 2; ++run) {
    std::array<void*, CELLPROOF_OUTPUTS> to{};
    for (std::size_t o = 0; o < to.size(); ++o) {
      out.at(run).at(o).resize(runs.count(o));
      to.at(o) = out.at(run).at(o).data();
    }
    const void* const inputs[CELLPROOF_INPUTS] = {
        runs.X.at(run).data(), nullptr, nullptr, nullptr, runs.lengths.at(run).data(), runs.h0.at(run).data()};
    plan.run(inputs, to.data());
  }
  return out;
}

std::array<Outputs, 2> over_the_devices(const Context& context, const TwoRuns& runs) {
  const auto there =
      make_context(context.api, "", *context.device, {context.options.math, CELLPROOF_CUDNN_MEMORY_DEVICE});
  const DeviceApi& device = *there->device;
  Plan plan(*there, node::checked(runs.node));
  std::vector<std::unique_ptr<Buffer>> memory;
  const auto upload = [&](const std::vector<float>& values) {
    memory.push_back(std::make_unique<Buffer>(*there));
    std::byte* const made = memory.back()->reserve(values.size() * sizeof(float));
    there->check_device(device.copy(made, values.data(), values.size() * sizeof(float), Copy::ToDevice, there->stream),
                        "copying to the device");
    return made;
  };
  std::array<std::array<const void*, CELLPROOF_INPUTS>, 2> inputs{};
  std::array<std::array<void*, CELLPROOF_OUTPUTS>, 2> outputs{};
  for (std::size_t run = 0; run < 2; ++run) {
    inputs.at(run)[CELLPROOF_X] = upload(runs.X.at(run));
    inputs.at(run)[CELLPROOF_SEQUENCE_LENS] = runs.lengths.at(run).data();
    inputs.at(run)[CELLPROOF_INITIAL_H] = upload(runs.h0.at(run));
    for (std::size_t o = 0; o < CELLPROOF_OUTPUTS; ++o)
      outputs.at(run).at(o) = upload(std::vector<float>(runs.count(o), -9));
  }
  there->check_device(device.synchronize(there->stream), "copying to the device");
  for (std::size_t run = 0; run < 2; ++run) plan.run(inputs.at(run).data(), outputs.at(run).data());
  std::array<Outputs, 2> out;
  for (std::size_t run = 0; run < 2; ++run)
    for (std::size_t o = 0; o < CELLPROOF_OUTPUTS; ++o) {
      std::vector<float>& into = out.at(run).at(o);
      into.resize(runs.count(o));
      there->check_device(
          device.copy(into.data(), outputs.at(run).at(o), into.size() * sizeof(float), Copy::FromDevice, there->stream),
          "copying from the device");
    }
  there->check_device(device.synchronize(there->stream), "waiting for two runs");
  return out;
}

}  // namespace

std::string runs_without_a_wait(const Context& context, const char* direction, bool batch_first) {
  const TwoRuns runs(direction, batch_first);
  const auto expected = over_host_memory(context, runs), actual = over_the_devices(context, runs);
  for (std::size_t run = 0; run < 2; ++run)
    for (std::size_t o = 0; o < CELLPROOF_OUTPUTS; ++o)
      for (std::size_t i = 0; i < runs.count(o); ++i)
        if (const float a = expected.at(run).at(o)[i], b = actual.at(run).at(o)[i]; a != b)
          return "OTHER BITS in run " + std::to_string(run) + ", output " + std::to_string(o) + ", element " +
                 std::to_string(i) + ": " + number(static_cast<double>(b)) + ", expected " +
                 number(static_cast<double>(a));
  return "the same bits";
}

}  // namespace cellproof::cudnn::probe
