#include "optimized/cudnn/probe/probes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "optimized/cudnn/probe/layer.hpp"

namespace cellproof::cudnn::probe {
namespace {

constexpr const char* cells[] = {"RNN Relu", "RNN Tanh", "LSTM", "GRU"};
constexpr const char* algorithms[] = {"STANDARD", "PERSIST_STATIC", "PERSIST_DYNAMIC", "PERSIST_STATIC_SMALL_H"};
constexpr const char* maths[] = {"DEFAULT", "TENSOR_OP", "TENSOR_OP_ALLOW_CONVERSION", "FMA"};

const char* type_name(int type) {
  return type == data::float64   ? "double"
         : type == data::float32 ? "float"
         : type == data::float16 ? "float16"
                                 : "bfloat16";
}

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

std::string failure(const Answer& answer) {
  return "status " + std::to_string(answer.status) + ", " + answer.where;
}

/// The greatest distance; NaN where one of the two has one.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0 : NAN;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (const double here = std::fabs(a[i] - b[i]); !(here <= most)) most = here;
  return most;
}

bool same_bits(const Answer& a, const Answer& b) {
  const auto same = [](const std::vector<double>& p, const std::vector<double>& q) {
    return std::ranges::equal(
        p, q, {}, [](double v) { return std::bit_cast<std::uint64_t>(v); },
        [](double v) { return std::bit_cast<std::uint64_t>(v); });
  };
  return same(a.y, b.y) && same(a.h, b.h) && same(a.c, b.c);
}

std::string distances(const Answer& answer, const Answer& from) {
  std::string text = "y " + number(distance(answer.y, from.y)) + ", h " + number(distance(answer.h, from.h));
  return answer.c.empty() ? text : text + ", c " + number(distance(answer.c, from.c));
}

/// How far the layer is from the same layer in double.
std::string error_of(const cellproof_cudnn_context& context, const Layer& layer) {
  Layer exact = layer;
  exact.type = exact.precision = data::float64;
  exact.math = math::fma;
  exact.algorithm = algorithm::standard;
  const Answer answer = run_layer(context, layer), truth = run_layer(context, exact);
  if (answer.status != status::success) return failure(answer);
  if (truth.status != status::success) return "in double: " + failure(truth);
  return distances(answer, truth);
}

Rows ask_directions(const cellproof_cudnn_context& context) {
  Rows rows;
  for (int cell = 0; cell < 4; ++cell)
    for (const int directions : {1, 2})
      for (const bool ragged : {false, true})
        rows.emplace_back(std::string(cells[cell]) + (directions == 2 ? " bidirectional" : " forward") +
                              (ragged ? ", lengths 7 3 5 1" : ", full"),
                          error_of(context, {.cell = cell,
                                             .directions = directions,
                                             .lengths = ragged ? std::vector{7, 3, 5, 1} : std::vector<int>{}}));
  return rows;
}

Rows ask_arithmetic(const cellproof_cudnn_context& context) {
  Rows rows;
  for (const int cell : {cell::lstm, cell::gru})
    for (const auto& [type, precision] : {std::pair{data::float32, data::float32},
                                          {data::float16, data::float32},
                                          {data::float16, data::float16},
                                          {data::bfloat16, data::float32}})
      for (int kind = 0; kind < 4; ++kind)
        rows.emplace_back(std::string(cells[cell]) + " " + type_name(type) + ", mathPrec " + type_name(precision) +
                              ", " + maths[kind],
                          error_of(context, {.cell = cell,
                                             .type = type,
                                             .precision = precision,
                                             .math = kind,
                                             .T = 50,
                                             .N = 16,
                                             .I = 128,
                                             .H = 256}));
  return rows;
}

/// How long a probe of many rows goes on asking: it is stopped at 200 s, and would then answer nothing.
class Patience {
 public:
  bool is_over() const { return std::chrono::steady_clock::now() - begin_ > std::chrono::seconds(120); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};
constexpr const char* not_asked = "not asked: the rows before it took too long";

Rows ask_algorithms(const cellproof_cudnn_context& context) {
  Rows rows;
  const Patience patience;
  for (int algorithm = 0; algorithm < 4; ++algorithm)
    for (const int cell : {cell::tanh, cell::lstm, cell::gru})
      for (const int type : {data::float32, data::float16, data::float64})
        for (const int hidden : {32, 192, 384, 1024})
          for (const bool ragged : {false, true}) {
            if (ragged && hidden != 192) continue;  // PERSIST_DYNAMIC compiles a kernel for each row, which takes long
            const std::string name = std::string(algorithms[algorithm]) + " " + cells[cell] + " " + type_name(type) +
                                     " H " + std::to_string(hidden) + (ragged ? " ragged" : " full");
            if (patience.is_over()) {
              rows.emplace_back(name, not_asked);
              continue;
            }
            const Answer answer =
                run_layer(context, {.algorithm = algorithm,
                                    .cell = cell,
                                    .type = type,
                                    .precision = type == data::float64 ? type : data::float32,
                                    .math = math::standard,
                                    .N = 8,
                                    .I = hidden,
                                    .H = hidden,
                                    .lengths = ragged ? std::vector{7, 7, 6, 5, 4, 3, 2, 1} : std::vector<int>{}});
            rows.emplace_back(name, answer.status == status::success
                                        ? "runs, workspace " + std::to_string(answer.workspace)
                                        : failure(answer));
          }
  return rows;
}

Rows ask_lengths(const cellproof_cudnn_context& context) {
  Rows rows;
  for (const std::vector<int>& lengths :
       std::vector<std::vector<int>>{{7, 0, 5, 1}, {0, 7, 5, 1}, {0, 0, 0, 0}, {3, 2, 3, 1}, {7, 3, 5, 1}})
    for (const bool fills : {true, false}) {
      const Answer answer = run_layer(context, {.lengths = lengths, .fills_padding = fills});
      std::string name = "lengths";
      for (const int length : lengths) name += " " + std::to_string(length);
      name += fills ? ", padding filled with zeros" : ", paddingFill NULL";
      if (answer.status != status::success) {
        rows.emplace_back(name, failure(answer));
        continue;
      }
      std::size_t zeros = 0, untouched = 0, others = 0, i = 0;
      for (int t = 0; t < 7; ++t)
        for (const int length : lengths)
          for (int j = 0; j < 32; ++j, ++i)
            if (t >= length) ++(std::isnan(answer.y[i]) ? untouched : answer.y[i] == 0 ? zeros : others);
      rows.emplace_back(name, "in the padding of y " + std::to_string(zeros) + " zeros, " + std::to_string(untouched) +
                                  " untouched, " + std::to_string(others) +
                                  " others; last state of sequence 1 begins " + number(answer.h[32]) + ", c " +
                                  number(answer.c[32]));
    }
  return rows;
}

/// With one step, o is known from a run without clip: h = o tanh(c); and a cell that is clipped where it is read gives
/// what a clipped initial cell gives without clip.
Rows ask_clip(const cellproof_cudnn_context& context) {
  const double bound = 0.25;
  const Layer free{.type = data::float64, .precision = data::float64, .T = 1};
  Layer clipped = free, from_clipped = free;
  clipped.clip = from_clipped.initial_c_within = bound;
  const Answer a = run_layer(context, free), b = run_layer(context, clipped), c = run_layer(context, from_clipped);
  if (a.status != status::success) return {{"without clip", failure(a)}};
  if (b.status != status::success) return {{"with clip", failure(b)}};
  if (c.status != status::success) return {{"from clipped cells", failure(c)}};
  double stored = 0, of_clipped = 0, of_whole = 0;
  std::vector<double> cut = a.c, cut_twice = c.c;
  for (std::vector<double>* stored_cells : {&cut, &cut_twice})
    for (double& value : *stored_cells) value = std::clamp(value, -bound, bound);
  for (std::size_t i = 0; i < a.c.size(); ++i) {
    const double output_gate = a.h[i] / std::tanh(a.c[i]);
    stored = std::max(stored, std::fabs(b.c[i]));
    of_clipped = std::max(of_clipped, std::fabs(b.h[i] - output_gate * std::tanh(std::clamp(b.c[i], -bound, bound))));
    of_whole = std::max(of_whole, std::fabs(b.h[i] - output_gate * std::tanh(b.c[i])));
  }
  return {{"greatest |cy| with clip 0.25", number(stored)},
          {"cy against cy without clip", number(distance(a.c, b.c))},
          {"cy against clip(f c + i g): clipped where it is stored", number(distance(cut, b.c))},
          {"cy against f clip(c) + i g: clipped where it is read", number(distance(c.c, b.c))},
          {"cy against clip(f clip(c) + i g): clipped in both places", number(distance(cut_twice, b.c))},
          {"h against o tanh(clip(cy))", number(of_clipped)},
          {"h against o tanh(cy)", number(of_whole)}};
}

Rows ask_repeats(const cellproof_cudnn_context& context) {
  Rows rows;
  for (const int type : {data::float32, data::float16})
    for (const int directions : {1, 2}) {
      const Layer layer{.type = type,
                        .math = type == data::float16 ? math::tensor_op : math::fma,
                        .directions = directions,
                        .T = 50,
                        .N = 16,
                        .I = 256,
                        .H = 512};
      const Answer first = run_layer(context, layer);
      bool same = first.status == status::success;
      for (int i = 0; i < 10 && same; ++i) same = same_bits(first, run_layer(context, layer));
      rows.emplace_back(
          std::string(type_name(type)) + (directions == 2 ? " bidirectional" : " forward") + ", 10 reruns",
          first.status != status::success ? failure(first)
          : same                          ? "the same bits"
                                          : "OTHER BITS");
    }
  Layer plain{.lengths = {7, 3, 5, 1}};
  const Answer right = run_layer(context, plain);
  plain.wrong_device_lengths = true;
  const Answer wrong = run_layer(context, plain);
  rows.emplace_back("wrong devSeqLengths", wrong.status != status::success ? failure(wrong)
                                           : same_bits(right, wrong)       ? "are not read"
                                                                           : "are read");
  const Answer none = run_layer(context, {.has_states = false});
  rows.emplace_back("initial states NULL",
                    none.status != status::success ? failure(none) : "runs; h begins " + number(none.h[0]));
  return rows;
}

Rows ask_recording(const cellproof_cudnn_context& context) {
  Rows rows;
  for (const int cell : {cell::lstm, cell::gru})
    for (const int directions : {1, 2})
      for (const bool ragged : {false, true}) {
        Layer layer{
            .cell = cell, .directions = directions, .lengths = ragged ? std::vector{7, 3, 5, 1} : std::vector<int>{}};
        const Answer called = run_layer(context, layer);
        layer.is_recorded = true;
        const Answer recorded = run_layer(context, layer);
        rows.emplace_back(std::string(cells[cell]) + (directions == 2 ? " bidirectional" : " forward") +
                              (ragged ? ", lengths 7 3 5 1" : ", full") + ", recorded in a CUDA graph",
                          recorded.status != status::success ? failure(recorded)
                          : same_bits(called, recorded)      ? "the same bits"
                                                             : "OTHER BITS");
      }
  return rows;
}

Rows ask_sizes(const cellproof_cudnn_context& context) {
  Rows rows;
  const auto ask = [&](const std::string& name, const Layer& layer) {
    rows.emplace_back(name, error_of(context, layer));
  };
  ask("T 65535", {.T = 65535, .N = 1, .I = 1, .H = 2});
  ask("T 65536", {.T = 65536, .N = 1, .I = 1, .H = 2});
  for (const int batch : {65535, 65536, 200000})
    ask("N " + std::to_string(batch), {.T = 2, .N = batch, .I = 4, .H = 8});
  ask("H 1", {.I = 1, .H = 1});
  ask("float16 I 5 H 7", {.type = data::float16, .math = math::tensor_op, .I = 5, .H = 7});
  return rows;
}

Rows ask_times(const cellproof_cudnn_context& context) {
  Rows rows;
  const Patience patience;
  for (const int type : {data::float32, data::float16})
    for (int algorithm = 0; algorithm < 4; ++algorithm)
      for (const int hidden : {128, 512, 1024})
        for (const int batch : {1, 8, 64}) {
          const std::string name = std::string(algorithms[algorithm]) + " LSTM " + type_name(type) + " T 100 N " +
                                   std::to_string(batch) + " H " + std::to_string(hidden);
          if (patience.is_over()) {
            rows.emplace_back(name, not_asked);
            continue;
          }
          const Answer answer = run_layer(context, {.algorithm = algorithm,
                                                    .type = type,
                                                    .math = type == data::float16 ? math::tensor_op : math::fma,
                                                    .T = 100,
                                                    .N = batch,
                                                    .I = hidden,
                                                    .H = hidden,
                                                    .repeats = 15});
          rows.emplace_back(name,
                            answer.status == status::success ? number(answer.seconds * 1e6) + " us" : failure(answer));
        }
  return rows;
}

constexpr Probe all[] = {
    {"A", "how far float is from double, by cell, direction and lengths", ask_directions},
    {"B", "how far each arithmetic is from double", ask_arithmetic},
    {"C", "which algorithm takes which type, hidden size and lengths", ask_algorithms},
    {"D", "what becomes of lengths of zero and of padding", ask_lengths},
    {"E", "what cuDNN's clip clips", ask_clip},
    {"F", "whether equal runs give equal bits, whether devSeqLengths is read, what NULL states are", ask_repeats},
    {"G", "how large T and N may be, and how small H", ask_sizes},
    {"H", "how long each algorithm takes (median of 15, the host's clock, a wait after each)", ask_times},
    {"I", "whether a forward call can be recorded in a CUDA graph, and gives the same bits there", ask_recording},
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

}  // namespace

std::span<const Probe> probes() {
  return all;
}

std::string json_line(const Probe& probe, const std::string& on, const Rows& rows) {
  std::string text = "{\"probe\": " + quoted(probe.name) + ", \"question\": " + quoted(probe.question) +
                     ", \"on\": " + quoted(on) + ", \"rows\": [";
  for (const auto& [asked, answer] : rows)
    text += std::string(&asked == &rows.front().first ? "" : ", ") + "{\"asked\": " + quoted(asked) +
            ", \"answer\": " + quoted(answer) + "}";
  return text + "]}";
}

}  // namespace cellproof::cudnn::probe
