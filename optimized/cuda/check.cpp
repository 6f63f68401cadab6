#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "optimized/cuda/node.hpp"

namespace cellproof::cuda {
namespace {

constexpr std::array names_of_inputs{"X",         "W",           "R", "B",       "sequence_lens",
                                     "initial_h", "initial_c",   "P", "W_scale", "W_zero_point",
                                     "R_scale",   "R_zero_point"};

struct TypeRow {
  const char* name;
  std::size_t size;
};
constexpr TypeRow type_rows[] = {{"none", 0}, {"float16", 2}, {"bfloat16", 2}, {"float", 4},       {"double", 8},
                                 {"int8", 1}, {"uint8", 1},   {"int32", 4},    {"another type", 0}};

/// No R of that many columns can be stored; eight times as many can still be counted.
constexpr Index greatest_hidden_size = Index{1} << 40;

bool is_floating(cellproof_cuda_type type) {
  return type == CELLPROOF_CUDA_FLOAT16 || type == CELLPROOF_CUDA_BFLOAT16 || type == CELLPROOF_CUDA_FLOAT ||
         type == CELLPROOF_CUDA_DOUBLE;
}

std::string text_of(const std::vector<Index>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  return text + "]";
}

/// The shape as far as it is stated; nothing where the rank is more than can be stated.
bool shape_of(const cellproof_cuda_tensor& tensor, std::vector<Index>& shape) {
  if (tensor.rank < 0 || tensor.rank > 4) return false;
  shape.assign(tensor.shape, tensor.shape + tensor.rank);
  return true;
}

std::string shape_text(const cellproof_cuda_tensor& tensor) {
  std::vector<Index> shape;
  return shape_of(tensor, shape) ? "shape " + text_of(shape) : "rank " + std::to_string(tensor.rank);
}

[[noreturn]] void refuse_input(std::size_t input, const std::string& what) {
  const std::string name = input_name(input);
  throw Invalid("input " + name + " " + what + " (input " + name + ")");
}

struct ExpectedShape {
  std::size_t input;
  std::vector<Index> shape;
  const char* formula;
};

void check_presence(const cellproof_cuda_node& node) {
  const bool quantized = node.op == CELLPROOF_CUDA_DYNAMIC_QUANTIZE_LSTM;
  std::size_t last = CELLPROOF_CUDA_INITIAL_H;
  if (node.op == CELLPROOF_CUDA_LSTM) last = CELLPROOF_CUDA_P;
  if (quantized) last = CELLPROOF_CUDA_R_ZERO_POINT;
  for (std::size_t i = 0; i < CELLPROOF_CUDA_INPUTS; ++i) {
    const bool given = node.inputs[i].type != CELLPROOF_CUDA_NONE;
    if (given && i > last) refuse_input(i, "is given, expected at most " + std::to_string(last + 1) + " inputs");
    const bool required = i <= CELLPROOF_CUDA_R || (quantized && i >= CELLPROOF_CUDA_W_SCALE);
    if (!given && required) refuse_input(i, "is missing, expected a tensor: it is not optional");
  }
}

void check_type(const cellproof_cuda_node& node, std::size_t input, cellproof_cuda_type expected) {
  const cellproof_cuda_type type = node.inputs[input].type;
  if (type != CELLPROOF_CUDA_NONE && type != expected)
    refuse_input(input, std::string("has type ") + type_rows[type].name + ", expected " + type_rows[expected].name);
}

void check_types(const cellproof_cuda_node& node) {
  const cellproof_cuda_type x = node.inputs[CELLPROOF_CUDA_X].type, w = node.inputs[CELLPROOF_CUDA_W].type;
  const bool quantized = node.op == CELLPROOF_CUDA_DYNAMIC_QUANTIZE_LSTM;
  if (quantized) {
    check_type(node, CELLPROOF_CUDA_X, CELLPROOF_CUDA_FLOAT);
    if (w != CELLPROOF_CUDA_INT8 && w != CELLPROOF_CUDA_UINT8)
      refuse_input(CELLPROOF_CUDA_W, std::string("has type ") + type_rows[w].name + ", expected int8 or uint8");
    for (const std::size_t i : {CELLPROOF_CUDA_R, CELLPROOF_CUDA_W_ZERO_POINT, CELLPROOF_CUDA_R_ZERO_POINT})
      check_type(node, i, w);
    check_type(node, CELLPROOF_CUDA_W_SCALE, CELLPROOF_CUDA_FLOAT);
    check_type(node, CELLPROOF_CUDA_R_SCALE, CELLPROOF_CUDA_FLOAT);
  } else {
    if (!is_floating(x))
      refuse_input(CELLPROOF_CUDA_X,
                   std::string("has type ") + type_rows[x].name + ", expected float16, bfloat16, float or double");
    check_type(node, CELLPROOF_CUDA_W, x);
    check_type(node, CELLPROOF_CUDA_R, x);
  }
  for (const std::size_t i : {CELLPROOF_CUDA_B, CELLPROOF_CUDA_INITIAL_H, CELLPROOF_CUDA_INITIAL_C, CELLPROOF_CUDA_P})
    check_type(node, i, x);
  check_type(node, CELLPROOF_CUDA_SEQUENCE_LENS, CELLPROOF_CUDA_INT32);
}

std::string direction_of(const cellproof_cuda_node& node) {
  const std::string direction = node.direction == nullptr ? "forward" : node.direction;
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    throw Invalid("direction is '" + direction + "', expected forward, reverse or bidirectional (attribute direction)");
  return direction;
}

/// T, N, I from X; H from the attribute or from R; D and G.
Geometry geometry_of(const cellproof_cuda_node& node, bool bidirectional) {
  const bool quantized = node.op == CELLPROOF_CUDA_DYNAMIC_QUANTIZE_LSTM;
  Geometry g;
  g.D = bidirectional ? 2 : 1;
  g.G = node.op == CELLPROOF_CUDA_RNN ? 1 : node.op == CELLPROOF_CUDA_GRU ? 3 : 4;
  g.batch_first = !quantized && node.layout != 0;
  std::vector<Index> x;
  const cellproof_cuda_tensor& tensor = node.inputs[CELLPROOF_CUDA_X];
  if (!shape_of(tensor, x) || x.size() != 3 || x[0] < 0 || x[1] < 0 || x[2] < 0)
    refuse_input(CELLPROOF_CUDA_X,
                 "has " + shape_text(tensor) + ", expected " + (g.batch_first ? "[N,T,I]" : "[T,N,I]"));
  g.T = x[g.batch_first ? 1 : 0];
  g.N = x[g.batch_first ? 0 : 1];
  g.I = x[2];
  if (node.has_hidden_size != 0) {
    g.H = node.hidden_size;
    if (g.H <= 0)
      throw Invalid("hidden_size is " + std::to_string(g.H) + ", expected a positive number (attribute hidden_size)");
    if (g.H > greatest_hidden_size)
      throw Invalid("hidden_size is " + std::to_string(g.H) + ", expected the last size of R (attribute hidden_size)");
    return g;
  }
  std::vector<Index> r;
  const cellproof_cuda_tensor& weights = node.inputs[CELLPROOF_CUDA_R];
  if (shape_of(weights, r) && r.size() == 3) g.H = r[quantized ? 1 : 2];
  if (g.H <= 0)
    refuse_input(CELLPROOF_CUDA_R, "has " + shape_text(weights) + ", from which no hidden size can be read, expected " +
                                       (quantized ? "[D,H,4H]" : "[D,GH,H]"));
  if (g.H > greatest_hidden_size) throw std::bad_alloc();
  return g;
}

std::vector<ExpectedShape> expected_shapes(const cellproof_cuda_node& node, const Geometry& g) {
  const Index rows = g.G * g.H;
  const std::vector<Index> state = g.batch_first ? std::vector<Index>{g.N, g.D, g.H} : std::vector{g.D, g.N, g.H};
  const char* const of_state = g.batch_first ? "[N,D,H]" : "[D,N,H]";
  std::vector<ExpectedShape> shapes{{CELLPROOF_CUDA_B, {g.D, 2 * rows}, "[D,2GH]"},
                                    {CELLPROOF_CUDA_SEQUENCE_LENS, {g.N}, "[N]"},
                                    {CELLPROOF_CUDA_INITIAL_H, state, of_state},
                                    {CELLPROOF_CUDA_INITIAL_C, state, of_state},
                                    {CELLPROOF_CUDA_P, {g.D, 3 * g.H}, "[D,3H]"}};
  if (node.op != CELLPROOF_CUDA_DYNAMIC_QUANTIZE_LSTM) {
    shapes.push_back({CELLPROOF_CUDA_W, {g.D, rows, g.I}, "[D,GH,I]"});
    shapes.push_back({CELLPROOF_CUDA_R, {g.D, rows, g.H}, "[D,GH,H]"});
    return shapes;
  }
  shapes.push_back({CELLPROOF_CUDA_W, {g.D, g.I, rows}, "[D,I,4H]"});
  shapes.push_back({CELLPROOF_CUDA_R, {g.D, g.H, rows}, "[D,H,4H]"});
  for (std::size_t i = CELLPROOF_CUDA_W_SCALE; i < CELLPROOF_CUDA_INPUTS; ++i) {
    const bool per_tensor = node.inputs[i].rank == 1;
    shapes.push_back({i, per_tensor ? std::vector<Index>{g.D} : std::vector<Index>{g.D, rows}, "[D] or [D,4H]"});
  }
  return shapes;
}

void check_shapes(const cellproof_cuda_node& node, const Geometry& geometry) {
  for (const ExpectedShape& expected : expected_shapes(node, geometry)) {
    const cellproof_cuda_tensor& tensor = node.inputs[expected.input];
    std::vector<Index> shape;
    if (tensor.type == CELLPROOF_CUDA_NONE || (shape_of(tensor, shape) && shape == expected.shape)) continue;
    refuse_input(expected.input,
                 "has " + shape_text(tensor) + ", expected " + expected.formula + " = " + text_of(expected.shape));
  }
}

/// Everything that is counted or allocated is at most a product of these few sizes; beyond 2^48 elements no machine has
/// the memory, and indices would overflow. Throws std::bad_alloc.
void check_sizes(const Geometry& g) {
  const auto most = static_cast<double>(Index{1} << 48);
  const auto T = static_cast<double>(g.T), N = static_cast<double>(g.N), I = static_cast<double>(g.I),
             H = static_cast<double>(g.H), columns = static_cast<double>(g.G * g.D) * H;
  for (const double count : {(T + 1) * (N + 1) * (I + 1), (T + 1) * (N + 1) * (H + 1) * 2, (N + 1) * columns,
                             columns * (I + 1), columns * (H + 1)})
    if (!(count <= most)) throw std::bad_alloc();
}

float clip_of(const cellproof_cuda_node& node) {
  if (node.has_clip == 0) return std::numeric_limits<float>::infinity();
  if (node.clip >= 0) return node.clip;
  throw Invalid("clip is " + (std::isnan(node.clip) ? "not a number" : std::to_string(node.clip)) +
                ", expected a number that is not negative (attribute clip)");
}

Storage storage_of(cellproof_cuda_type type) {
  if (type == CELLPROOF_CUDA_FLOAT16) return Storage::Float16;
  if (type == CELLPROOF_CUDA_BFLOAT16) return Storage::BFloat16;
  return type == CELLPROOF_CUDA_FLOAT ? Storage::Float : Storage::Double;
}

}  // namespace

Node checked(const cellproof_cuda_node& node) {
  check_presence(node);
  check_types(node);
  const std::string direction = direction_of(node);
  Node result;
  result.op = node.op;
  result.storage = storage_of(node.inputs[CELLPROOF_CUDA_X].type);
  result.geometry = geometry_of(node, direction == "bidirectional");
  check_shapes(node, result.geometry);
  check_sizes(result.geometry);
  result.reversed = {direction == "reverse", true};
  result.activations = activations_of(node, result.geometry.D);
  result.clip = clip_of(node);
  result.input_forget = result.has_cell() && node.input_forget != 0;
  result.linear_before_reset = node.op == CELLPROOF_CUDA_GRU && node.linear_before_reset != 0;
  std::copy(std::begin(node.inputs), std::end(node.inputs), result.inputs.begin());
  return result;
}

void check_lengths(const Node& node, const std::int32_t* lengths) {
  for (Index n = 0; n < node.geometry.N; ++n)
    if (lengths[n] < 0 || lengths[n] > node.geometry.T)
      throw Invalid("sequence_lens[" + std::to_string(n) + "] is " + std::to_string(lengths[n]) +
                    ", expected at least 0 and at most " + std::to_string(node.geometry.T) + " (input sequence_lens)");
}

Index element_count(const cellproof_cuda_tensor& tensor) {
  Index count = 1;
  for (int i = 0; i < tensor.rank; ++i) count *= tensor.shape[i];
  return count;
}

std::size_t size_of(cellproof_cuda_type type) {
  return type_rows[type].size;
}

const char* input_name(std::size_t input) {
  return names_of_inputs.at(input);
}

}  // namespace cellproof::cuda
