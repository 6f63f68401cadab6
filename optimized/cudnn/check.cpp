#include <algorithm>
#include <cmath>
#include <string_view>

#include "optimized/cudnn/node.hpp"

namespace cellproof::cudnn {
namespace {

constexpr const char* names_of_inputs[] = {"X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P"};
constexpr const char* names_of_types[] = {"none", "float16", "bfloat16", "float", "double", "int32", "another type"};
constexpr std::string_view known_functions[] = {
    "relu",       "tanh",        "sigmoid", "affine",   "leakyrelu", "thresholdedrelu",
    "scaledtanh", "hardsigmoid", "elu",     "softsign", "softplus"};

[[noreturn]] void refuse(const std::string& what) {
  throw Failure{CELLPROOF_CUDNN_INVALID, what};
}

[[noreturn]] void refuse_input(std::size_t i, const std::string& what) {
  refuse(std::string("input ") + names_of_inputs[i] + " " + what + " (input " + names_of_inputs[i] + ")");
}

std::string text_of(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t dimension : shape) text += (text.empty() ? "" : ",") + std::to_string(dimension);
  return "[" + text + "]";
}

std::string shape_text(const cellproof_cudnn_tensor& tensor) {
  if (tensor.rank < 0 || tensor.rank > 4) return "of rank " + std::to_string(tensor.rank);
  return text_of({tensor.shape, tensor.shape + tensor.rank});
}

std::string in_lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// A node on its way to be found valid.
class Checking {
 public:
  explicit Checking(const cellproof_cudnn_node& node) : raw_(node) {}

  Node node() {
    result_.op = raw_.op;
    std::copy_n(raw_.inputs, result_.inputs.size(), result_.inputs.begin());
    check_presence_and_types();
    check_direction_and_sizes();
    check_shapes();
    check_activations();
    if (raw_.has_clip && !(raw_.clip >= 0))
      refuse("clip is " + std::to_string(raw_.clip) + ", expected a number of at least 0 (attribute clip)");
    result_.clips = raw_.has_clip && !std::isinf(raw_.clip);
    result_.input_forget = is_lstm() && raw_.input_forget != 0;
    result_.linear_before_reset = raw_.op == CELLPROOF_CUDNN_GRU && raw_.linear_before_reset != 0;
    return std::move(result_);
  }

 private:
  bool is_lstm() const { return raw_.op == CELLPROOF_CUDNN_LSTM; }
  const cellproof_cudnn_tensor& input(std::size_t i) const { return raw_.inputs[i]; }
  bool has(std::size_t i) const { return input(i).type != CELLPROOF_CUDNN_NONE; }

  void check_presence_and_types() {
    const auto type = input(CELLPROOF_CUDNN_X).type;
    for (std::size_t i = 0; i < CELLPROOF_CUDNN_INPUTS; ++i) {
      if (!has(i)) {
        if (i <= CELLPROOF_CUDNN_R) refuse_input(i, "is missing, expected a tensor: it is required");
        continue;
      }
      if (i >= CELLPROOF_CUDNN_INITIAL_C && !is_lstm())
        refuse("the node has more inputs than its operator, at most 6 are expected (inputs)");
      const auto expected = i == CELLPROOF_CUDNN_SEQUENCE_LENS ? CELLPROOF_CUDNN_INT32 : type;
      if (input(i).type != expected)
        refuse_input(i, std::string("has type ") + names_of_types[input(i).type] + ", expected " +
                            names_of_types[expected] + (expected == type ? " as X has" : ""));
    }
    if (type < CELLPROOF_CUDNN_FLOAT16 || type > CELLPROOF_CUDNN_DOUBLE)
      refuse_input(CELLPROOF_CUDNN_X,
                   std::string("has type ") + names_of_types[type] + ", expected float16, bfloat16, float or double");
    result_.type = type;
  }

  void check_direction_and_sizes() {
    const std::string_view direction = raw_.direction ? raw_.direction : "forward";
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
      refuse("direction is '" + std::string(direction) +
             "', expected forward, reverse or bidirectional (attribute direction)");
    result_.reverse = direction == "reverse";
    result_.batch_first = raw_.layout != 0;
    const auto& x = input(CELLPROOF_CUDNN_X);
    if (x.rank != 3 || std::any_of(x.shape, x.shape + 3, [](std::int64_t size) { return size < 0; }))
      refuse_input(CELLPROOF_CUDNN_X, "has shape " + shape_text(x) + ", expected three dimensions, " +
                                          (result_.batch_first ? "[N,T,I]" : "[T,N,I]"));
    const auto& r = input(CELLPROOF_CUDNN_R);
    if (raw_.has_hidden_size && raw_.hidden_size <= 0)
      refuse("hidden_size is " + std::to_string(raw_.hidden_size) +
             ", expected a positive number (attribute hidden_size)");
    const std::int64_t hidden = raw_.has_hidden_size ? raw_.hidden_size : r.rank == 3 ? r.shape[2] : 0;
    if (hidden <= 0)
      refuse("the hidden size is not positive by R, whose shape is " + shape_text(r) + " (attribute hidden_size)");
    result_.size = {.T = x.shape[result_.batch_first ? 1 : 0],
                    .N = x.shape[result_.batch_first ? 0 : 1],
                    .I = x.shape[2],
                    .H = hidden,
                    .D = direction == "bidirectional" ? 2 : 1};
  }

  void expect_shape(std::size_t i, const std::vector<std::int64_t>& expected) const {
    if (!has(i)) return;
    const auto& tensor = input(i);
    const bool same = tensor.rank == static_cast<std::int32_t>(expected.size()) &&
                      std::equal(expected.begin(), expected.end(), tensor.shape);
    if (!same) refuse_input(i, "has shape " + shape_text(tensor) + ", expected " + text_of(expected));
  }

  void check_shapes() const {
    const auto [T, N, I, H, D] = result_.size;
    std::int64_t rows = 0, both = 0, square = 0;
    // A hidden_size may be anything: R's real shape cannot match one whose products overflow.
    if (__builtin_mul_overflow(result_.gates(), H, &rows) || __builtin_mul_overflow(rows, 2, &both) ||
        __builtin_mul_overflow(rows, H, &square))
      refuse("hidden_size is " + std::to_string(H) + ", more than R can have (attribute hidden_size)");
    expect_shape(CELLPROOF_CUDNN_W, {D, rows, I});
    expect_shape(CELLPROOF_CUDNN_R, {D, rows, H});
    expect_shape(CELLPROOF_CUDNN_B, {D, both});
    expect_shape(CELLPROOF_CUDNN_SEQUENCE_LENS, {N});
    for (const std::size_t i : {CELLPROOF_CUDNN_INITIAL_H, CELLPROOF_CUDNN_INITIAL_C})
      expect_shape(i, result_.batch_first ? std::vector{N, D, H} : std::vector{D, N, H});
    expect_shape(CELLPROOF_CUDNN_P, {D, 3 * H});
  }

  void check_activations() {
    const std::size_t each = result_.functions(), count = each * static_cast<std::size_t>(result_.size.D);
    if (raw_.activations == nullptr) {
      const std::string_view defaults[] = {raw_.op == CELLPROOF_CUDNN_RNN ? "tanh" : "sigmoid", "tanh", "tanh"};
      for (std::size_t place = 0; place < count; ++place) result_.activations.emplace_back(defaults[place % each]);
      return;
    }
    for (std::size_t place = 0; place < raw_.activation_count; ++place) {
      const std::string name = in_lower_case(raw_.activations[place]);
      if (std::ranges::find(known_functions, name) == std::end(known_functions))
        refuse("activations[" + std::to_string(place) + "] is '" + raw_.activations[place] +
               "', expected one of the functions that the page lists (attribute activations)");
      result_.activations.push_back(name);
    }
    // RNN's default has two names whatever the direction is.
    const bool is_rnn_default =
        raw_.op == CELLPROOF_CUDNN_RNN && result_.activations == std::vector<std::string>(2, "tanh");
    if (raw_.activation_count != count && !is_rnn_default)
      refuse("activations has " + std::to_string(raw_.activation_count) + " names, expected " + std::to_string(count) +
             " (attribute activations)");
    result_.activations.resize(count);
  }

  const cellproof_cudnn_node& raw_;
  Node result_{};
};

}  // namespace

Node checked(const cellproof_cudnn_node& node) {
  return Checking(node).node();
}

void check_lengths(const Sizes& size, const std::int32_t* lengths) {
  for (std::int64_t n = 0; n < size.N; ++n)
    if (lengths[n] < 0 || lengths[n] > size.T)
      refuse("sequence_lens[" + std::to_string(n) + "] is " + std::to_string(lengths[n]) +
             ", expected a length between 0 and " + std::to_string(size.T) + " (input sequence_lens)");
}

std::int64_t element_count(const cellproof_cudnn_tensor& tensor) {
  std::int64_t count = 1;
  for (int i = 0; i < tensor.rank; ++i) count *= tensor.shape[i];
  return count;
}

std::size_t size_of(cellproof_cudnn_type type) {
  constexpr std::size_t sizes[] = {0, 2, 2, 4, 8, 4, 0};
  return sizes[type];
}

const char* input_name(std::size_t input) {
  return names_of_inputs[input];
}

}  // namespace cellproof::cudnn
