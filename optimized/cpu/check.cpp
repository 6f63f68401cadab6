#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "optimized/cpu/activations.hpp"
#include "optimized/cpu/node.hpp"

namespace cellproof::cpu {
namespace {

constexpr const char* input_names[] = {"X",         "W",           "R", "B",       "sequence_lens",
                                       "initial_h", "initial_c",   "P", "W_scale", "W_zero_point",
                                       "R_scale",   "R_zero_point"};
constexpr const char* type_names[] = {"none", "float16", "bfloat16", "float",       "double",
                                      "int8", "uint8",   "int32",    "another type"};

std::string shape_text(const cellproof_cpu_tensor& tensor) {
  if (tensor.rank < 0 || tensor.rank > 4) return "of rank " + std::to_string(tensor.rank);
  std::string text = "[";
  for (int i = 0; i < tensor.rank; ++i) text += (i ? "," : "") + std::to_string(tensor.shape[i]);
  return text + "]";
}

/// A shape as the operator's page writes it and as the node's sizes make it.
struct Expected {
  const char* formula;
  int rank;
  std::int64_t shape[4];
};

bool same_shape(const cellproof_cpu_tensor& tensor, const Expected& expected) {
  if (tensor.rank != expected.rank) return false;
  for (int i = 0; i < tensor.rank; ++i)
    if (tensor.shape[i] != expected.shape[i]) return false;
  return true;
}

class Checker {
 public:
  explicit Checker(const cellproof_cpu_node& node) : node_(node) {}

  Node node() {
    check_presence();
    check_types();
    check_direction();
    check_x();
    check_hidden_size();
    check_shapes();
    check_clip();
    const auto size_t_of = [](std::int64_t value) { return static_cast<std::size_t>(value); };
    Node result{.op = node_.op,
                .type = input(CELLPROOF_CPU_X).type,
                .size = {size_t_of(T_), size_t_of(N_), size_t_of(I_), size_t_of(H_), size_t_of(D_)},
                .reversed = {direction_ == "reverse", true},
                .activations = resolve_activations(node_, size_t_of(D_)),
                .clip = node_.has_clip ? node_.clip : std::numeric_limits<float>::infinity(),
                .input_forget = is_lstm() && node_.input_forget != 0,
                .linear_before_reset = node_.op == CELLPROOF_CPU_GRU && node_.linear_before_reset != 0,
                .batch_first = batch_first(),
                .inputs = {}};
    for (std::size_t i = 0; i < result.inputs.size(); ++i) result.inputs[i] = node_.inputs[i];
    return result;
  }

 private:
  bool quantized() const { return node_.op == CELLPROOF_CPU_DYNAMIC_QUANTIZE_LSTM; }
  bool is_lstm() const { return node_.op == CELLPROOF_CPU_LSTM || quantized(); }
  bool batch_first() const { return !quantized() && node_.layout != 0; }
  const cellproof_cpu_tensor& input(std::size_t i) const { return node_.inputs[i]; }
  bool has(std::size_t i) const { return input(i).type != CELLPROOF_CPU_NONE; }

  [[noreturn]] void refuse(std::size_t i, const std::string& what) const {
    throw Invalid(std::string("input ") + input_names[i] + " " + what + " (input " + input_names[i] + ")");
  }

  void check_presence() const {
    const std::size_t known = quantized() ? CELLPROOF_CPU_INPUTS
                              : is_lstm() ? CELLPROOF_CPU_W_SCALE
                                          : CELLPROOF_CPU_INITIAL_C;
    for (std::size_t i = known; i < CELLPROOF_CPU_INPUTS; ++i)
      if (has(i))
        throw Invalid("the node has more inputs than its operator, at most " + std::to_string(known) +
                      " are expected (inputs)");
    for (std::size_t i = 0; i < known; ++i) {
      const bool required = i <= CELLPROOF_CPU_R || i >= CELLPROOF_CPU_W_SCALE;
      if (required && !has(i)) refuse(i, "is missing, expected a tensor: it is required");
    }
  }

  void expect_type(std::size_t i, bool right, const std::string& expected) const {
    if (has(i) && !right) refuse(i, std::string("has type ") + type_names[input(i).type] + ", expected " + expected);
  }

  void check_types() const {
    const auto x = input(CELLPROOF_CPU_X).type;
    expect_type(CELLPROOF_CPU_X,
                quantized() ? x == CELLPROOF_CPU_FLOAT : x >= CELLPROOF_CPU_FLOAT16 && x <= CELLPROOF_CPU_DOUBLE,
                quantized() ? "float" : "float16, bfloat16, float or double");
    expect_type(CELLPROOF_CPU_SEQUENCE_LENS, input(CELLPROOF_CPU_SEQUENCE_LENS).type == CELLPROOF_CPU_INT32, "int32");
    for (const std::size_t i : {CELLPROOF_CPU_B, CELLPROOF_CPU_INITIAL_H, CELLPROOF_CPU_INITIAL_C, CELLPROOF_CPU_P})
      expect_type(i, input(i).type == x, std::string(type_names[x]) + " as X has");
    const auto w = input(CELLPROOF_CPU_W).type;
    if (!quantized()) {
      for (const std::size_t i : {CELLPROOF_CPU_W, CELLPROOF_CPU_R})
        expect_type(i, input(i).type == x, std::string(type_names[x]) + " as X has");
      return;
    }
    expect_type(CELLPROOF_CPU_W, w == CELLPROOF_CPU_INT8 || w == CELLPROOF_CPU_UINT8, "uint8 or int8");
    for (const std::size_t i : {CELLPROOF_CPU_R, CELLPROOF_CPU_W_ZERO_POINT, CELLPROOF_CPU_R_ZERO_POINT})
      expect_type(i, input(i).type == w, std::string(type_names[w]) + " as W has");
    for (const std::size_t i : {CELLPROOF_CPU_W_SCALE, CELLPROOF_CPU_R_SCALE})
      expect_type(i, input(i).type == CELLPROOF_CPU_FLOAT, "float");
  }

  void check_direction() {
    if (node_.direction) direction_ = node_.direction;
    if (direction_ != "forward" && direction_ != "reverse" && direction_ != "bidirectional")
      throw Invalid("direction is '" + std::string(direction_) +
                    "', expected forward, reverse or bidirectional (attribute direction)");
    D_ = direction_ == "bidirectional" ? 2 : 1;
  }

  void check_x() {
    const auto& x = input(CELLPROOF_CPU_X);
    const bool sound = x.rank == 3 && x.shape[0] >= 0 && x.shape[1] >= 0 && x.shape[2] >= 0;
    if (!sound)
      refuse(CELLPROOF_CPU_X,
             "has shape " + shape_text(x) + ", expected three dimensions, " + (batch_first() ? "[N,T,I]" : "[T,N,I]"));
    T_ = x.shape[batch_first() ? 1 : 0];
    N_ = x.shape[batch_first() ? 0 : 1];
    I_ = x.shape[2];
  }

  void check_hidden_size() {
    if (node_.has_hidden_size && node_.hidden_size <= 0)
      throw Invalid("hidden_size is " + std::to_string(node_.hidden_size) +
                    ", expected a positive number (attribute hidden_size)");
    const auto& r = input(CELLPROOF_CPU_R);
    if (node_.has_hidden_size) {
      H_ = node_.hidden_size;
    } else if (r.rank == 3) {
      H_ = r.shape[quantized() ? 1 : 2];
    }
    if (H_ <= 0)
      throw Invalid("the hidden size is not positive by R, whose shape is " + shape_text(r) + ", expected " +
                    (quantized() ? "[D,H,4H]" : "[D,GH,H]") + " (attribute hidden_size)");
  }

  void expect_shape(std::size_t i, const Expected& expected) const {
    if (!has(i) || same_shape(input(i), expected)) return;
    const cellproof_cpu_tensor right{CELLPROOF_CPU_FLOAT,
                                     expected.rank,
                                     {expected.shape[0], expected.shape[1], expected.shape[2], expected.shape[3]},
                                     nullptr};
    refuse(i, "has shape " + shape_text(input(i)) + ", expected " + expected.formula + " = " + shape_text(right));
  }

  void check_shapes() const {
    const std::int64_t gates = node_.op == CELLPROOF_CPU_GRU ? 3 : node_.op == CELLPROOF_CPU_RNN ? 1 : 4;
    const std::int64_t rows = gates * H_;
    if (quantized()) {
      expect_shape(CELLPROOF_CPU_W, {"[D,I,4H]", 3, {D_, I_, rows}});
      expect_shape(CELLPROOF_CPU_R, {"[D,H,4H]", 3, {D_, H_, rows}});
      for (std::size_t i = CELLPROOF_CPU_W_SCALE; i < CELLPROOF_CPU_INPUTS; ++i)
        if (input(i).rank != 1)
          expect_shape(i, {"[D] or [D,4H]", 2, {D_, rows}});
        else
          expect_shape(i, {"[D] or [D,4H]", 1, {D_}});
    } else {
      const char* const w[] = {"", "[D,H,I]", "", "[D,3H,I]", "[D,4H,I]"};
      const char* const r[] = {"", "[D,H,H]", "", "[D,3H,H]", "[D,4H,H]"};
      expect_shape(CELLPROOF_CPU_W, {w[gates], 3, {D_, rows, I_}});
      expect_shape(CELLPROOF_CPU_R, {r[gates], 3, {D_, rows, H_}});
    }
    const char* const b[] = {"", "[D,2H]", "", "[D,6H]", "[D,8H]"};
    expect_shape(CELLPROOF_CPU_B, {b[gates], 2, {D_, 2 * rows}});
    expect_shape(CELLPROOF_CPU_SEQUENCE_LENS, {"[N]", 1, {N_}});
    for (const std::size_t i : {CELLPROOF_CPU_INITIAL_H, CELLPROOF_CPU_INITIAL_C}) {
      if (batch_first())
        expect_shape(i, {"[N,D,H]", 3, {N_, D_, H_}});
      else
        expect_shape(i, {"[D,N,H]", 3, {D_, N_, H_}});
    }
    expect_shape(CELLPROOF_CPU_P, {"[D,3H]", 2, {D_, 3 * H_}});
  }

  void check_clip() const {
    if (!node_.has_clip || node_.clip >= 0) return;
    throw Invalid("clip is " + (std::isnan(node_.clip) ? "nan" : std::to_string(node_.clip)) +
                  ", expected a number of at least 0 (attribute clip)");
  }

  const cellproof_cpu_node& node_;
  std::string_view direction_ = "forward";
  std::int64_t T_ = 0, N_ = 0, I_ = 0, H_ = 0, D_ = 1;
};

}  // namespace

Node checked(const cellproof_cpu_node& node) {
  return Checker(node).node();
}

void check_lengths(const Node& node, const int* lengths) {
  for (std::size_t n = 0; n < node.size.N; ++n)
    if (lengths[n] < 0 || static_cast<std::size_t>(lengths[n]) > node.size.T)
      throw Invalid("sequence_lens[" + std::to_string(n) + "] is " + std::to_string(lengths[n]) +
                    ", expected a length between 0 and " + std::to_string(node.size.T) + " (input sequence_lens)");
}

std::size_t element_count(const cellproof_cpu_tensor& tensor) {
  std::size_t count = 1;
  for (int i = 0; i < tensor.rank; ++i) count *= static_cast<std::size_t>(tensor.shape[i]);
  return count;
}

std::size_t size_of(cellproof_cpu_type type) {
  constexpr std::size_t sizes[] = {0, 2, 2, 4, 8, 1, 1, 4, 0};
  return sizes[type];
}

const char* input_name(std::size_t input) {
  return input_names[input];
}

}  // namespace cellproof::cpu
