// Probes whose truth is computed here and not by cuDNN itself.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lab/cudnn_probe/probes.hpp"
#include "lab/cudnn_probe/words.hpp"
#include "optimized/cudnn/plan.hpp"
#include "optimized/cudnn/testing/elements.hpp"
#include "optimized/node/testing/equations.hpp"

namespace cellproof::cudnn::probe {
namespace {

using node::testing::Numbers;

/// Multiples of 1/64 within one half, which every type holds.
std::vector<double> small_numbers(std::int64_t count, std::uint32_t seed) {
  std::vector<double> made;
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    made.push_back((static_cast<double>((state >> 8) % 65) - 32) / 64);
  }
  return made;
}

std::vector<char> stored(const std::vector<double>& values, int type) {
  std::vector<char> made(values.size() * bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) set_element(made.data(), i, type, values[i]);
  return made;
}

/// Runs the numbers as a node of the plan on data of a type. Returns how far its outputs are from ONNX's equations,
/// which know nothing of cuDNN and share no index or gate with the plan.
std::string distance_from_equations(const cellproof_cudnn_context& context, const Numbers& s, cellproof_type type,
                                    int stored_as) {
  const auto tensor = [&](std::vector<std::int64_t> shape) {
    cellproof_tensor made{type, static_cast<std::int32_t>(shape.size()), {}, nullptr};
    std::ranges::copy(shape, made.shape);
    return made;
  };
  const std::int64_t rows = s.gates() * s.H;
  const auto state = s.batch_first ? tensor({s.N, s.D, s.H}) : tensor({s.D, s.N, s.H});
  static constexpr const char* relu[] = {"Relu", "Relu"};
  cellproof_node node{};
  node.op = s.op;
  node.direction = s.D == 2 ? "bidirectional" : s.reverse ? "reverse" : "forward";
  node.linear_before_reset = s.linear_before_reset;
  node.layout = s.batch_first;
  if (s.is_relu) node.activations = {relu, static_cast<std::size_t>(s.D)};
  node.inputs[CELLPROOF_X] = s.batch_first ? tensor({s.N, s.T, s.I}) : tensor({s.T, s.N, s.I});
  node.inputs[CELLPROOF_W] = tensor({s.D, rows, s.I});
  node.inputs[CELLPROOF_R] = tensor({s.D, rows, s.H});
  if (!s.B.empty()) node.inputs[CELLPROOF_B] = tensor({s.D, 2 * rows});
  if (!s.lengths.empty()) node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {s.N}, nullptr};
  if (!s.h0.empty()) node.inputs[CELLPROOF_INITIAL_H] = state;
  if (!s.c0.empty()) node.inputs[CELLPROOF_INITIAL_C] = state;
  const std::vector<char> X = stored(s.X, stored_as), W = stored(s.W, stored_as), R = stored(s.R, stored_as),
                          B = stored(s.B, stored_as), h0 = stored(s.h0, stored_as), c0 = stored(s.c0, stored_as);
  const void* const inputs[CELLPROOF_INPUTS] = {X.data(),         W.data(),  R.data(),  B.data(),
                                                s.lengths.data(), h0.data(), c0.data(), nullptr};
  const auto [Y, Y_h, Y_c] = node::testing::by_the_equations(s);
  const std::array expected{Y, Y_h, Y_c};
  std::array<std::vector<char>, 3> out;
  std::array<void*, 3> to{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].assign(expected[i].size() * bytes_of(stored_as), '\xFF');
    if (!out[i].empty()) to[i] = out[i].data();
  }
  try {
    Plan(context, node::checked(node)).run(inputs, to.data());
  } catch (const Failure& failure) {
    return std::string("fails: ") + failure.what();
  }
  Answer actual, truth;
  std::vector<double>*const read[] = {&actual.y, &actual.h, &actual.c}, *const known[] = {&truth.y, &truth.h, &truth.c};
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t e = 0; e < expected[i].size(); ++e) read[i]->push_back(element_at(out[i].data(), e, stored_as));
    *known[i] = expected[i];
  }
  return distances(actual, truth);
}

Numbers sample_of(int cell, int directions, bool reverse, bool batch_first, bool bias, bool h0, bool c0,
                  const std::vector<int>& lengths) {
  Numbers s{.op = cell == cell::lstm  ? CELLPROOF_LSTM
                  : cell == cell::gru ? CELLPROOF_GRU
                                      : CELLPROOF_RNN,
            .D = directions,
            .reverse = reverse,
            .batch_first = batch_first,
            .linear_before_reset = true,
            .is_relu = cell == cell::relu,
            .lengths = {lengths.begin(), lengths.end()}};
  const std::int64_t rows = s.D * s.gates() * s.H;
  s.X = small_numbers(s.T * s.N * s.I, 1);
  s.W = small_numbers(rows * s.I, 2);
  s.R = small_numbers(rows * s.H, 3);
  if (bias) s.B = small_numbers(2 * rows, 4);
  if (h0) s.h0 = small_numbers(s.D * s.N * s.H, 5);
  if (c0 && cell == cell::lstm) s.c0 = small_numbers(s.D * s.N * s.H, 6);
  return s;
}

/// One number of one unit, of a layer of a single input and unit.
std::string unit_answer(const cellproof_cudnn_context& context, Layer layer, bool wants_cell) {
  layer.N = layer.I = layer.H = 1;
  layer.precision = data::float32;
  const Answer answer = run_layer(context, layer);
  if (answer.status != status::success) return failure(answer);
  return number(wants_cell ? answer.c.front() : answer.y.back());
}

}  // namespace

std::vector<Question> questions_of_equations() {
  std::vector<Question> questions;
  const auto add = [&](const std::string& name, const Numbers& s, cellproof_type type, int stored_as) {
    questions.push_back({name, [=](const cellproof_cudnn_context& context) -> Rows {
                           return {{name, distance_from_equations(context, s, type, stored_as)}};
                         }});
  };
  const std::vector<std::vector<int>> all_lengths{{}, {7, 3, 5, 1}, {3, 2, 3, 1}, {7, 0, 5, 1}};
  for (int cell = 0; cell < 4; ++cell)
    for (const auto& [directions, reverse] : {std::pair{1, false}, {1, true}, {2, false}})
      for (const bool batch_first : {false, true})
        for (const auto& lengths : all_lengths)
          add(std::string(cell_names[cell]) + (reverse ? ", reverse" : "") + shape_words(directions, lengths) +
                  (batch_first ? ", layout 1" : ""),
              sample_of(cell, directions, reverse, batch_first, true, true, true, lengths), CELLPROOF_FLOAT,
              data::float32);
  for (int cell = 0; cell < 4; ++cell) {
    const std::string name = cell_names[cell];
    add(name + ", no B", sample_of(cell, 2, false, false, false, true, true, {}), CELLPROOF_FLOAT, data::float32);
    for (const auto& [h0, c0] : {std::pair{false, false}, {true, false}, {false, true}})
      add(name + (h0   ? ", initial_h only"
                  : c0 ? ", initial_c only"
                       : ", no initial state"),
          sample_of(cell, 2, false, false, true, h0, c0, {7, 3, 5, 1}), CELLPROOF_FLOAT, data::float32);
    for (const auto& [type, stored_as] : {std::pair{CELLPROOF_DOUBLE, data::float64},
                                          {CELLPROOF_FLOAT16, data::float16},
                                          {CELLPROOF_BFLOAT16, data::bfloat16}})
      for (const bool batch_first : {false, true})
        add(name + ", " + type_name(stored_as) + (batch_first ? ", layout 1" : ""),
            sample_of(cell, 2, false, batch_first, true, true, true, {7, 3, 5, 1}), type, stored_as);
  }
  return questions;
}

std::vector<Question> questions_of_sums() {
  std::vector<Question> questions;
  const auto add = [&](const std::string& name, const Layer& layer, bool wants_cell = false) {
    questions.push_back({name, [=](const cellproof_cudnn_context& context) -> Rows {
                           return {{name, unit_answer(context, layer, wants_cell)}};
                         }});
  };
  for (const int kind : {math::standard, math::tensor_op, math::fma}) {
    const std::string in = kind == math::fma ? ", FMA" : kind == math::tensor_op ? ", TENSOR_OP" : ", DEFAULT";
    const auto relu = [&](int T, double w, double r, std::vector<double> x, double h) {
      return Layer{.cell = cell::relu,
                   .type = data::float16,
                   .math = kind,
                   .T = T,
                   .values = {.x = std::move(x), .weights = {w, r, 0, 0}, .hx = {h}, .cx = {}}};
    };
    add("float16 W x = 2049, R h = -2048: 1 where W x waits in float, 0 where in float16" + in,
        relu(1, 3, -1, {683}, 2048));
    add("float16 W x = 70000, R h = -69888: 112 where W x waits in float, inf or nan where in float16" + in,
        relu(1, 280, -273, {250}, 256));
    add("float16 h = 2049, then - 2048: 0 where h is stored in float16, 1 where in float" + in,
        relu(2, 1, 1, {1, -2048}, 2048));
    // Input and forget gate wide open, and a candidate of tanh(2^-12); c begins with 1 and grows four times.
    add("float16 c after four steps of 2^-12 from 1: 1 where c is stored in float16, 1.00098 where in float" + in,
        Layer{.cell = cell::lstm,
              .type = data::float16,
              .math = kind,
              .T = 4,
              .values = {.x = {0, 0, 0, 0},
                         .weights = {0, 0, 0, 0, 0, 0, 0, 0, 100, 100, std::ldexp(1.0, -12), 0, 0, 0, 0, 0},
                         .hx = {0},
                         .cx = {1}}},
        true);
  }
  return questions;
}

namespace {

struct Scalar {
  const char* name;
  int cell;
  double (*exact)(double);
};
constexpr Scalar scalars[] = {{"Tanh", cell::tanh, [](double x) { return std::tanh(x); }},
                              {"Relu", cell::relu, [](double x) { return x < 0 ? 0.0 : x; }},
                              {"Sigmoid", cell::lstm, [](double x) { return 1 / (1 + std::exp(-x)); }}};

/// From 1e-42, which is no normal number, to 100, of both signs, and what is none.
std::vector<double> arguments_of_functions() {
  std::vector<double> values{0.0, -0.0, INFINITY, -INFINITY, NAN};
  constexpr int count = 4096;
  for (int i = 0; i < count; ++i) {
    const double exponent = -42 + 44.0 * i / (count - 1);
    const auto value = static_cast<double>(static_cast<float>(std::pow(10.0, exponent)));
    values.push_back(value);
    values.push_back(-value);
  }
  return values;
}

Rows rows_of_function(const cellproof_cudnn_context& context, const Scalar& scalar) {
  const std::vector<double> x = arguments_of_functions();
  Layer layer{.cell = scalar.cell, .T = 1, .N = static_cast<int>(x.size()), .I = 1, .H = 1};
  // X alone reaches the function; of LSTM, the output gate: c stays 100, whose tanh is 1.
  layer.values = {.x = x, .weights = {1, 0, 0, 0}, .hx = std::vector(x.size(), 0.0), .cx = {}};
  if (scalar.cell == cell::lstm) {
    layer.values.weights = {0, 0, 0, 1, 0, 0, 0, 0, -200, 200, 0, 0, 0, 0, 0, 0};
    layer.values.cx.assign(x.size(), 100.0);
  }
  const Answer answer = run_layer(context, layer);
  if (answer.status != status::success) return {{scalar.name, failure(answer)}};
  double most = 0, at = 0, beyond = 0, beyond_at = 0;
  int flushed = 0, outside = 0;
  for (std::size_t i = 5; i < x.size(); ++i) {
    const double exact = scalar.exact(x[i]), given = answer.y[i];
    const auto rounded = static_cast<float>(exact);
    const double ulp =
        static_cast<double>(std::nextafter(std::fabs(rounded), INFINITY)) - std::fabs(static_cast<double>(rounded));
    if (given == 0 && rounded != 0) ++flushed;
    if (!(std::fabs(given) <= 1) && scalar.cell != cell::relu) ++outside;
    const double error = std::fabs(given - exact), ulps = error / ulp;
    if (given != 0 && !(ulps <= most)) most = ulps, at = x[i];
    if (const double units = std::fmin(ulps, error * 0x1p24); !(units <= beyond)) beyond = units, beyond_at = x[i];
  }
  const std::string name = scalar.name;
  std::string special;
  for (std::size_t i = 0; i < 5; ++i) special += (i == 0 ? "" : ", ") + number(x[i]) + " gives " + number(answer.y[i]);
  return {{name + ", greatest error in units in the last place", number(most) + " at " + number(at)},
          {name + ", greatest error in these or in unit roundoffs, whichever are fewer",
           number(beyond) + " at " + number(beyond_at)},
          {name + ", values that are flushed to zero", std::to_string(flushed)},
          {name + ", values beyond 1 or none", std::to_string(outside)},
          {name + ", zeros, infinities, NaN", special}};
}

}  // namespace

std::vector<Question> questions_of_functions() {
  std::vector<Question> questions;
  for (const Scalar& scalar : scalars)
    questions.push_back(
        {scalar.name, [&scalar](const cellproof_cudnn_context& context) { return rows_of_function(context, scalar); }});
  return questions;
}

}  // namespace cellproof::cudnn::probe
