#include "optimized/cudnn/capability.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "optimized/cudnn/cudnn_api.hpp"

namespace cellproof::cudnn {
namespace {

/// Does every function of every direction satisfy the predicate? It is given the function and its place.
template <class Predicate>
bool every_function(const Node& node, Predicate predicate) {
  for (std::size_t d = 0; d < node.size.D; ++d)
    for (std::size_t i = 0; i < node::activations_per_direction(node.op); ++i)
      if (!predicate(node.activations.at(d).at(i).function, i)) return false;
  return true;
}

bool has_other_functions(const Node& node) {
  return !every_function(node, [&](Function function, std::size_t place) {
    if (node.op == CELLPROOF_RNN) return function == Function::Tanh || function == Function::Relu;
    return function == (place == 0 ? Function::Sigmoid : Function::Tanh);
  });
}

bool has_two_functions(const Node& node) {
  return node.size.D == 2 && node.activations[0][0].function != node.activations[1][0].function;
}

bool is_sixteen_bits(const Node& node) {
  return size_of(node.type) == 2;
}

bool is_too_large(const Node& node) {
  const auto [T, N, I, H, D] = sizes_of(node);
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  // A tensor's strides are 32 bits wide in cuDNN's descriptors.
  std::int64_t state = 0;
  return N > most || I > most || H > most / 2 || __builtin_mul_overflow(N, H, &state) || state > most;
}

struct Row {
  cellproof_cudnn_limit limit;
  bool (*applies)(const Question&);
};

constexpr Row peephole_row = {{"input P other than all zeros", "cuDNN has no peepholes (input P)"}, nullptr};

/// In the order in which they are looked for.
constexpr Row rows[] = {
    {{"DynamicQuantizeLSTM", "cuDNN's recurrent layers have no integer arithmetic"},
     [](const Question& q) { return q.node.quantized(); }},
    {{"input_forget = 1", "cuDNN does not couple the input and forget gates (attribute input_forget)"},
     [](const Question& q) { return q.node.input_forget; }},
    {{"finite clip",
      "cuDNN clips the cell state of an LSTM only, and not the arguments of the functions (attribute clip)"},
     [](const Question& q) { return !std::isinf(q.node.clip); }},
    {{"GRU with linear_before_reset = 0",
      "cuDNN applies the reset gate after the product only (attribute linear_before_reset)"},
     [](const Question& q) { return q.node.op == CELLPROOF_GRU && !q.node.linear_before_reset; }},
    {{"LSTM with functions other than Sigmoid, Tanh, Tanh; GRU other than Sigmoid, Tanh; RNN other than Tanh, Relu",
      "cuDNN has LSTM with Sigmoid, Tanh, Tanh, GRU with Sigmoid, Tanh, and RNN with Tanh or Relu only (attribute "
      "activations)"},
     [](const Question& q) { return has_other_functions(q.node); }},
    {{"bidirectional RNN with two different functions",
      "cuDNN has one function for both directions of an RNN (attribute activations)"},
     [](const Question& q) { return q.node.op == CELLPROOF_RNN && has_two_functions(q.node); }},
    {{"T > 65535", "cuDNN takes at most 65535 steps (input X)"},
     [](const Question& q) { return sizes_of(q.node).T > most_steps; }},
    {{"I = 0", "cuDNN takes no input without elements (input X)"},
     [](const Question& q) { return q.node.size.I == 0; }},
    {{"N, I or N * H of 2^31 or more, H of 2^30 or more", "cuDNN's sizes and strides have 32 bits (input X)"},
     [](const Question& q) { return is_too_large(q.node); }},
    {{"bfloat16 before cuDNN 9.13", "bfloat16 came with cuDNN 9.13 (input X)"},
     [](const Question& q) { return q.node.type == CELLPROOF_BFLOAT16 && q.version < first_with_bfloat16; }},
    {{"@tf32: types other than float", "TF32 is a way to compute float (input X)"},
     [](const Question& q) { return q.math == CELLPROOF_CUDNN_MATH_TF32 && q.node.type != CELLPROOF_FLOAT; }},
    {{"@tensor-op: types other than float16 and bfloat16",
      "tensor cores are asked for with float16 and bfloat16 only here; with float they compute TF32 (input X)"},
     [](const Question& q) { return q.math == CELLPROOF_CUDNN_MATH_TENSOR_OP && !is_sixteen_bits(q.node); }},
};

constexpr auto all_limits = [] {
  std::array<cellproof_cudnn_limit, std::size(rows) + 1> list{};
  for (std::size_t i = 0; i < std::size(rows); ++i) list[i] = rows[i].limit;
  list.back() = peephole_row.limit;
  return list;
}();

[[noreturn]] void refuse(const cellproof_cudnn_limit& limit) {
  throw Failure{CELLPROOF_NOT_SUPPORTED, limit.reason};
}

}  // namespace

void check_capability(const Question& question) {
  for (const Row& row : rows)
    if (row.applies(question)) refuse(row.limit);
  const auto& p = question.node.inputs[CELLPROOF_P];
  if (question.node.has(CELLPROOF_P) && p.data) check_peepholes(p, p.data);
}

void check_peepholes(const cellproof_tensor& p, const void* data) {
  const std::size_t size = size_of(p.type), count = element_count(p);
  const auto* const bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < count * size; ++i) {
    const bool holds_sign = i % size == size - 1;
    if (bytes[i] != 0 && !(holds_sign && bytes[i] == 0x80)) refuse(peephole_row.limit);
  }
}

std::span<const cellproof_cudnn_limit> limits() {
  return all_limits;
}

}  // namespace cellproof::cudnn
