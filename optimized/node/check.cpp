#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <new>
#include <string_view>
#include <vector>

#include "optimized/node/node.hpp"

namespace cellproof::node {
namespace {

constexpr const char* input_names[] = {"X",         "W",           "R", "B",       "sequence_lens",
                                       "initial_h", "initial_c",   "P", "W_scale", "W_zero_point",
                                       "R_scale",   "R_zero_point"};
static_assert(std::size(input_names) == CELLPROOF_INPUTS);

struct TypeRow {
  const char* name;
  std::size_t size;
};
constexpr TypeRow type_rows[] = {{"none", 0}, {"float16", 2}, {"bfloat16", 2}, {"float", 4},       {"double", 8},
                                 {"int8", 1}, {"uint8", 1},   {"int32", 4},    {"another type", 0}};
static_assert(std::size(type_rows) == CELLPROOF_OTHER + 1);

/// No R of that many columns can be stored; eight times as many can still be counted.
constexpr std::int64_t greatest_hidden_size = std::int64_t{1} << 40;

std::string text_of(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t dimension : shape) text += (text.empty() ? "" : ",") + std::to_string(dimension);
  return "[" + text + "]";
}

std::string shape_text(const cellproof_tensor& tensor) {
  if (tensor.rank < 0 || tensor.rank > 4) return "rank " + std::to_string(tensor.rank);
  return "shape " + text_of({tensor.shape, tensor.shape + tensor.rank});
}

/// Checks one node, in the order in which node() calls; what is checked first is what the rest rests on.
class Checker {
 public:
  explicit Checker(const cellproof_node& node) : node_(node) {}

  Node node() {
    check_presence();
    check_types();
    check_direction();
    check_x();
    check_hidden_size();
    check_shapes();
    check_clip();
    const auto count = [](std::int64_t value) { return static_cast<std::size_t>(value); };
    Node result{.op = node_.op,
                .type = input(CELLPROOF_X).type,
                .size = {count(T_), count(N_), count(I_), count(H_), count(D_)},
                .reversed = {direction_ == "reverse", true},
                .activations = resolve_activations(node_, count(D_)),
                .clip = node_.has_clip != 0 ? node_.clip : std::numeric_limits<float>::infinity(),
                .input_forget = is_lstm() && node_.input_forget != 0,
                .linear_before_reset = node_.op == CELLPROOF_GRU && node_.linear_before_reset != 0,
                .batch_first = batch_first(),
                .inputs = {}};
    std::ranges::copy(node_.inputs, result.inputs.begin());
    return result;
  }

 private:
  bool quantized() const { return node_.op == CELLPROOF_DYNAMIC_QUANTIZE_LSTM; }
  bool is_lstm() const { return node_.op == CELLPROOF_LSTM || quantized(); }
  bool batch_first() const { return !quantized() && node_.layout != 0; }
  const cellproof_tensor& input(std::size_t i) const { return node_.inputs[i]; }
  bool has(std::size_t i) const { return input(i).type != CELLPROOF_NONE; }

  [[noreturn]] void refuse(std::size_t i, const std::string& what) const {
    throw Invalid(std::string("input ") + input_names[i] + " " + what + " (input " + input_names[i] + ")");
  }

  void check_presence() const {
    const std::size_t known = quantized() ? CELLPROOF_INPUTS : is_lstm() ? CELLPROOF_W_SCALE : CELLPROOF_INITIAL_C;
    for (std::size_t i = known; i < CELLPROOF_INPUTS; ++i)
      if (has(i))
        throw Invalid("the node has more inputs than its operator, at most " + std::to_string(known) +
                      " are expected (inputs)");
    for (std::size_t i = 0; i < known; ++i) {
      const bool required = i <= CELLPROOF_R || i >= CELLPROOF_W_SCALE;
      if (required && !has(i)) refuse(i, "is missing, expected a tensor: it is required");
    }
  }

  void expect_type(std::size_t i, bool right, const std::string& expected) const {
    if (has(i) && !right)
      refuse(i, std::string("has type ") + type_rows[input(i).type].name + ", expected " + expected);
  }
  void expect_same_type(std::size_t i, std::size_t other) const {
    const cellproof_type type = input(other).type;
    expect_type(i, input(i).type == type, std::string(type_rows[type].name) + " as " + input_names[other] + " has");
  }

  void check_types() const {
    const cellproof_type x = input(CELLPROOF_X).type, w = input(CELLPROOF_W).type;
    if (quantized()) {
      expect_type(CELLPROOF_X, x == CELLPROOF_FLOAT, "float");
      expect_type(CELLPROOF_W, w == CELLPROOF_INT8 || w == CELLPROOF_UINT8, "uint8 or int8");
      for (const std::size_t i : {CELLPROOF_R, CELLPROOF_W_ZERO_POINT, CELLPROOF_R_ZERO_POINT})
        expect_same_type(i, CELLPROOF_W);
      for (const std::size_t i : {CELLPROOF_W_SCALE, CELLPROOF_R_SCALE})
        expect_type(i, input(i).type == CELLPROOF_FLOAT, "float");
    } else {
      expect_type(CELLPROOF_X, x >= CELLPROOF_FLOAT16 && x <= CELLPROOF_DOUBLE, "float16, bfloat16, float or double");
      for (const std::size_t i : {CELLPROOF_W, CELLPROOF_R}) expect_same_type(i, CELLPROOF_X);
    }
    for (const std::size_t i : {CELLPROOF_B, CELLPROOF_INITIAL_H, CELLPROOF_INITIAL_C, CELLPROOF_P})
      expect_same_type(i, CELLPROOF_X);
    expect_type(CELLPROOF_SEQUENCE_LENS, input(CELLPROOF_SEQUENCE_LENS).type == CELLPROOF_INT32, "int32");
  }

  void check_direction() {
    if (node_.direction != nullptr) direction_ = node_.direction;
    if (direction_ != "forward" && direction_ != "reverse" && direction_ != "bidirectional")
      throw Invalid("direction is '" + std::string(direction_) +
                    "', expected forward, reverse or bidirectional (attribute direction)");
    D_ = direction_ == "bidirectional" ? 2 : 1;
  }

  void check_x() {
    const cellproof_tensor& x = input(CELLPROOF_X);
    if (x.rank != 3 || x.shape[0] < 0 || x.shape[1] < 0 || x.shape[2] < 0)
      refuse(CELLPROOF_X,
             "has " + shape_text(x) + ", expected three sizes, " + (batch_first() ? "[N,T,I]" : "[T,N,I]"));
    T_ = x.shape[batch_first() ? 1 : 0];
    N_ = x.shape[batch_first() ? 0 : 1];
    I_ = x.shape[2];
  }

  void check_hidden_size() {
    if (node_.has_hidden_size != 0) {
      H_ = node_.hidden_size;
      if (H_ <= 0 || H_ > greatest_hidden_size)
        throw Invalid("hidden_size is " + std::to_string(H_) + ", expected " +
                      (H_ <= 0 ? "a positive number" : "a size that R can have") + " (attribute hidden_size)");
      return;
    }
    const cellproof_tensor& r = input(CELLPROOF_R);
    if (r.rank != 3)
      refuse(CELLPROOF_R, "has " + shape_text(r) + ", from which no hidden size can be read, expected three sizes, " +
                              (quantized() ? "[D,H,4H]" : "[D,GH,H]"));
    H_ = r.shape[quantized() ? 1 : 2];
    if (H_ <= 0)
      throw Invalid("the hidden size is " + std::to_string(H_) + " by the shape of R " +
                    text_of({r.shape, r.shape + 3}) + ", expected a positive number (attribute hidden_size)");
    if (H_ > greatest_hidden_size) throw std::bad_alloc();
  }

  /// `formula`: the shape as the operator's page writes it.
  void expect_shape(std::size_t i, const std::string& formula, const std::vector<std::int64_t>& expected) const {
    const cellproof_tensor& tensor = input(i);
    const bool same = tensor.rank == static_cast<std::int32_t>(expected.size()) &&
                      std::equal(expected.begin(), expected.end(), tensor.shape);
    if (has(i) && !same) refuse(i, "has " + shape_text(tensor) + ", expected " + formula + " = " + text_of(expected));
  }

  void check_weights(std::int64_t rows, const std::string& gates_of_h) const {
    if (!quantized()) {
      expect_shape(CELLPROOF_W, "[D," + gates_of_h + ",I]", {D_, rows, I_});
      expect_shape(CELLPROOF_R, "[D," + gates_of_h + ",H]", {D_, rows, H_});
      return;
    }
    expect_shape(CELLPROOF_W, "[D,I,4H]", {D_, I_, rows});
    expect_shape(CELLPROOF_R, "[D,H,4H]", {D_, H_, rows});
    for (std::size_t i = CELLPROOF_W_SCALE; i < CELLPROOF_INPUTS; ++i) {
      const bool of_whole_tensor = input(i).rank == 1;
      expect_shape(i, "[D] or [D,4H]", of_whole_tensor ? std::vector{D_} : std::vector{D_, rows});
    }
  }

  void check_shapes() const {
    const std::int64_t gates = node_.op == CELLPROOF_GRU ? 3 : node_.op == CELLPROOF_RNN ? 1 : 4;
    const auto times_h = [](std::int64_t factor) { return (factor == 1 ? "" : std::to_string(factor)) + "H"; };
    check_weights(gates * H_, times_h(gates));
    expect_shape(CELLPROOF_B, "[D," + times_h(2 * gates) + "]", {D_, 2 * gates * H_});
    expect_shape(CELLPROOF_SEQUENCE_LENS, "[N]", {N_});
    for (const std::size_t i : {CELLPROOF_INITIAL_H, CELLPROOF_INITIAL_C})
      expect_shape(i, batch_first() ? "[N,D,H]" : "[D,N,H]",
                   batch_first() ? std::vector{N_, D_, H_} : std::vector{D_, N_, H_});
    expect_shape(CELLPROOF_P, "[D,3H]", {D_, 3 * H_});
  }

  void check_clip() const {
    if (node_.has_clip == 0 || node_.clip >= 0) return;
    throw Invalid("clip is " + (std::isnan(node_.clip) ? "nan" : std::to_string(node_.clip)) +
                  ", expected a number of at least 0 (attribute clip)");
  }

  const cellproof_node& node_;
  std::string_view direction_ = "forward";
  std::int64_t T_ = 0, N_ = 0, I_ = 0, H_ = 0, D_ = 1;
};

}  // namespace

Node checked(const cellproof_node& node) {
  return Checker(node).node();
}

void check_countable(const Node& node) {
  // Everything that is counted or allocated is at most a product of these few sizes.
  const auto most = static_cast<double>(std::int64_t{1} << 48);
  const auto T = static_cast<double>(node.size.T), N = static_cast<double>(node.size.N),
             I = static_cast<double>(node.size.I), H = static_cast<double>(node.size.H),
             columns = static_cast<double>(node.gates() * node.size.D) * H;
  for (const double count : {(T + 1) * (N + 1) * (I + 1), (T + 1) * (N + 1) * (H + 1) * 2, (N + 1) * columns,
                             columns * (I + 1), columns * (H + 1)})
    if (!(count <= most)) throw std::bad_alloc();
}

void check_lengths(const Node& node, const std::int32_t* lengths) {
  for (std::size_t n = 0; n < node.size.N; ++n)
    if (lengths[n] < 0 || static_cast<std::size_t>(lengths[n]) > node.size.T)
      throw Invalid("sequence_lens[" + std::to_string(n) + "] is " + std::to_string(lengths[n]) +
                    ", expected a length between 0 and " + std::to_string(node.size.T) + " (input sequence_lens)");
}

std::size_t element_count(const cellproof_tensor& tensor) {
  std::size_t count = 1;
  for (int i = 0; i < tensor.rank; ++i) count *= static_cast<std::size_t>(tensor.shape[i]);
  return count;
}

std::size_t size_of(cellproof_type type) {
  return type_rows[type].size;
}

const char* input_name(std::size_t input) {
  return input_names[input];
}

}  // namespace cellproof::node
