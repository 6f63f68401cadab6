#include "optimized/cudnn/capability.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>

#include "optimized/cudnn/cudnn_api.hpp"

namespace cellproof::cudnn {
namespace {

/// Are the functions of every direction these?
bool all_are(const Node& node, std::initializer_list<std::string_view> functions) {
  for (std::size_t i = 0; i < node.activations.size(); ++i)
    if (node.activations[i] != *(functions.begin() + i % functions.size())) return false;
  return true;
}

bool has_other_functions(const Node& node) {
  switch (node.op) {
    case CELLPROOF_CUDNN_LSTM:
      return !all_are(node, {"sigmoid", "tanh", "tanh"});
    case CELLPROOF_CUDNN_GRU:
      return !all_are(node, {"sigmoid", "tanh"});
    default:
      return std::ranges::any_of(node.activations, [](const auto& name) { return name != "tanh" && name != "relu"; });
  }
}

bool is_sixteen_bits(const Node& node) {
  return size_of(node.type) == 2;
}

bool is_too_large(const Node& node) {
  const auto [T, N, I, H, D] = node.size;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  // A tensor's strides are 32 bits wide in cuDNN's descriptors.
  std::int64_t state = 0;
  return N > most || I > most || H > most / 2 || __builtin_mul_overflow(N, H, &state) || state > most;
}

struct Row {
  cellproof_cudnn_limit limit;
  bool (*applies)(const Question&);
};

constexpr Row quantized_row = {{"DynamicQuantizeLSTM", "cuDNN's recurrent layers have no integer arithmetic"}, nullptr};
constexpr Row peephole_row = {{"input P other than all zeros", "cuDNN has no peepholes (input P)"}, nullptr};

/// In the order in which they are looked for.
constexpr Row rows[] = {
    {{"input_forget = 1", "cuDNN does not couple the input and forget gates (attribute input_forget)"},
     [](const Question& q) { return q.node.input_forget; }},
    {{"finite clip",
      "cuDNN clips the cell state of an LSTM only, and not the arguments of the functions (attribute clip)"},
     [](const Question& q) { return q.node.clips; }},
    {{"GRU with linear_before_reset = 0",
      "cuDNN applies the reset gate after the product only (attribute linear_before_reset)"},
     [](const Question& q) { return q.node.op == CELLPROOF_CUDNN_GRU && !q.node.linear_before_reset; }},
    {{"LSTM with functions other than Sigmoid, Tanh, Tanh; GRU other than Sigmoid, Tanh; RNN other than Tanh, Relu",
      "cuDNN has LSTM with Sigmoid, Tanh, Tanh, GRU with Sigmoid, Tanh, and RNN with Tanh or Relu only (attribute "
      "activations)"},
     [](const Question& q) { return has_other_functions(q.node); }},
    {{"bidirectional RNN with two different functions",
      "cuDNN has one function for both directions of an RNN (attribute activations)"},
     [](const Question& q) {
       return q.node.op == CELLPROOF_CUDNN_RNN && q.node.activations.front() != q.node.activations.back();
     }},
    {{"T > 65535", "cuDNN takes at most 65535 steps (input X)"},
     [](const Question& q) { return q.node.size.T > most_steps; }},
    {{"I = 0", "cuDNN takes no input without elements (input X)"},
     [](const Question& q) { return q.node.size.I == 0; }},
    {{"N, I or N * H of 2^31 or more, H of 2^30 or more", "cuDNN's sizes and strides have 32 bits (input X)"},
     [](const Question& q) { return is_too_large(q.node); }},
    {{"bfloat16 before cuDNN 9.13", "bfloat16 came with cuDNN 9.13 (input X)"},
     [](const Question& q) { return q.node.type == CELLPROOF_CUDNN_BFLOAT16 && q.version < first_with_bfloat16; }},
    {{"@tf32: types other than float", "TF32 is a way to compute float (input X)"},
     [](const Question& q) { return q.math == CELLPROOF_CUDNN_MATH_TF32 && q.node.type != CELLPROOF_CUDNN_FLOAT; }},
    {{"@tensor-op: types other than float16 and bfloat16",
      "tensor cores are asked for with float16 and bfloat16 only here; with float they compute TF32 (input X)"},
     [](const Question& q) { return q.math == CELLPROOF_CUDNN_MATH_TENSOR_OP && !is_sixteen_bits(q.node); }},
};

constexpr auto all_limits = [] {
  std::array<cellproof_cudnn_limit, std::size(rows) + 2> list{quantized_row.limit};
  for (std::size_t i = 0; i < std::size(rows); ++i) list[i + 1] = rows[i].limit;
  list.back() = peephole_row.limit;
  return list;
}();

[[noreturn]] void refuse(const cellproof_cudnn_limit& limit) {
  throw Failure{CELLPROOF_CUDNN_NOT_SUPPORTED, limit.reason};
}

}  // namespace

void check_operator(cellproof_cudnn_operator op) {
  if (op == CELLPROOF_CUDNN_DYNAMIC_QUANTIZE_LSTM) refuse(quantized_row.limit);
}

void check_capability(const Question& question) {
  for (const Row& row : rows)
    if (row.applies(question)) refuse(row.limit);
  const auto& p = question.node.inputs[CELLPROOF_CUDNN_P];
  if (question.node.has(CELLPROOF_CUDNN_P) && p.data) check_peepholes(p, p.data);
}

void check_peepholes(const cellproof_cudnn_tensor& p, const void* data) {
  const std::size_t size = size_of(p.type), count = static_cast<std::size_t>(element_count(p));
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
