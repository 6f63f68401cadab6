#include "lab/cudnn_probe/probes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "lab/cudnn_probe/words.hpp"

namespace cellproof::cudnn::probe {
namespace {

constexpr const char* algorithms[] = {"STANDARD", "PERSIST_STATIC", "PERSIST_DYNAMIC", "PERSIST_STATIC_SMALL_H"};
constexpr const char* maths[] = {"DEFAULT", "TENSOR_OP", "TENSOR_OP_ALLOW_CONVERSION", "FMA"};

/// Returns how far the layer is from the same layer in double, for which cuDNN's reference names the default math only.
std::string error_of(const cellproof_cudnn_context& context, const Layer& layer) {
  Layer exact = layer;
  exact.type = exact.precision = data::float64;
  exact.math = math::standard;
  exact.algorithm = algorithm::standard;
  const Answer answer = run_layer(context, layer), truth = run_layer(context, exact);
  if (answer.status != status::success) return failure(answer);
  if (truth.status != status::success) return "in double: " + failure(truth);
  return distances(answer, truth);
}

std::vector<Question> ask_directions() {
  std::vector<Question> questions;
  for (int cell = 0; cell < 4; ++cell)
    for (const int directions : {1, 2})
      for (const std::vector<int>& lengths : {std::vector<int>{}, {7, 3, 5, 1}})
        questions.push_back(one_row(cell_names[cell] + shape_words(directions, lengths), [=](const Context& context) {
          return error_of(context, {.cell = cell, .directions = directions, .lengths = lengths});
        }));
  return questions;
}

std::string with_sizes(const std::string& words, const Layer& layer) {
  return words + ", N " + std::to_string(layer.N) + " I " + std::to_string(layer.I) + " H " + std::to_string(layer.H);
}

std::vector<Question> ask_arithmetic() {
  std::vector<Question> questions;
  for (const int cell : {cell::lstm, cell::gru})
    for (const auto& [type, precision] : {std::pair{data::float32, data::float32},
                                          {data::float16, data::float32},
                                          {data::float16, data::float16},
                                          {data::bfloat16, data::float32}})
      for (int kind = 0; kind < 4; ++kind) {
        const Layer layer{
            .cell = cell, .type = type, .precision = precision, .math = kind, .T = 50, .N = 16, .I = 128, .H = 256};
        // TF32 shows as some 3e-4, true float as some 1e-6.
        questions.push_back(one_row(std::string(cell_names[cell]) + " " + type_name(type) + ", mathPrec " +
                                        type_name(precision) + ", " + maths[kind],
                                    [=](const Context& context) { return error_of(context, layer); }));
      }
  // The sizes may decide if tensor cores are used at all.
  for (const int cell : {cell::tanh, cell::lstm, cell::gru})
    for (const auto& [N, I, H] : {std::array{3, 4, 6}, {16, 128, 256}, {256, 128, 256}, {64, 1024, 1024}}) {
      const Layer layer{.cell = cell, .math = math::tensor_op, .T = 5, .N = N, .I = I, .H = H};
      questions.push_back(one_row(with_sizes(std::string(cell_names[cell]) + " float, TENSOR_OP", layer),
                                  [=](const Context& context) { return error_of(context, layer); }));
    }
  return questions;
}

std::vector<Question> ask_algorithms() {
  std::vector<Question> questions;
  for (int algorithm = 0; algorithm < 4; ++algorithm)
    for (const int cell : {cell::tanh, cell::lstm, cell::gru})
      for (const int type : {data::float32, data::float16, data::float64})
        for (const int hidden : {32, 192, 384, 1024})
          for (const bool ragged : {false, true}) {
            if (ragged && hidden != 192) continue;  // PERSIST_DYNAMIC compiles a kernel for each row, which takes long
            const Layer layer{.algorithm = algorithm,
                              .cell = cell,
                              .type = type,
                              .precision = type == data::float64 ? type : data::float32,
                              .math = math::standard,
                              .N = 8,
                              .I = hidden,
                              .H = hidden,
                              .lengths = ragged ? std::vector{7, 7, 6, 5, 4, 3, 2, 1} : std::vector<int>{}};
            questions.push_back(one_row(
                std::string(algorithms[algorithm]) + " " + cell_names[cell] + " " + type_name(type) + " H " +
                    std::to_string(hidden) + (ragged ? " ragged" : " full"),
                [=](const Context& context) {
                  const Answer answer = run_layer(context, layer);
                  return answer.status == status::success ? "runs, workspace " + std::to_string(answer.workspace)
                                                          : failure(answer);
                }));
          }
  return questions;
}

/// With one step, o is known from a run without clip: h = o tanh(c); and a cell that is clipped where it is read gives
/// what a clipped initial cell gives without clip.
Rows rows_of_clip(const Context& context) {
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

std::vector<Question> ask_clip() {
  return {{"what is clipped", rows_of_clip}};
}

/// RNN over 2^31 + 2^20 elements of y: its last step, of which the last row is known in closed form.
std::string last_of_a_great_y(const Context& context) {
  constexpr int T = 4098, N = 512, H = 1024;
  Layer layer{.cell = cell::tanh, .type = data::float16, .math = math::tensor_op, .T = T, .N = N, .I = 1, .H = H};
  layer.only_last_step = true;
  layer.has_hx = false;
  layer.values.weights.assign(H + std::size_t{H} * H + 2 * H, 0.0);
  std::fill_n(layer.values.weights.begin(), H, 0.5);
  layer.values.x.assign(std::size_t{T} * N, 0.0);
  for (int n = 0; n < N; ++n) layer.values.x[std::size_t{T - 1} * N + static_cast<std::size_t>(n)] = n / 256.0 - 1;
  const Answer answer = run_layer(context, layer);
  if (answer.status != status::success) return failure(answer);
  double most = 0;
  for (std::size_t i = 0; i < answer.y.size(); ++i) {
    const double exact = std::tanh(0.5 * (static_cast<double>(static_cast<std::int64_t>(i / H)) / 256 - 1));
    if (const double here = std::fabs(answer.y[i] - exact); !(here <= most)) most = here;
  }
  return "its last step is off by " + number(most);
}

std::vector<Question> ask_sizes() {
  std::vector<Question> questions;
  const auto ask = [&](const std::string& name, const Layer& layer) {
    questions.push_back(one_row(name, [=](const Context& context) { return error_of(context, layer); }));
  };
  ask("H 1", {.I = 1, .H = 1});
  ask("float16 I 5 H 7", {.type = data::float16, .math = math::tensor_op, .I = 5, .H = 7});
  ask("T 65535", {.T = 65535, .N = 1, .I = 1, .H = 2});
  ask("T 65536", {.T = 65536, .N = 1, .I = 1, .H = 2});
  for (const int batch : {65535, 65536, 200000})
    ask("N " + std::to_string(batch), {.T = 2, .N = batch, .I = 4, .H = 8});
  std::vector<int> ragged(70000, 2);
  for (std::size_t n = 0; n < ragged.size(); n += 3) ragged[n] = 1;
  ask("N 70000, lengths 1 and 2", {.T = 2, .N = 70000, .I = 4, .H = 8, .lengths = ragged});
  questions.push_back(one_row("T N H of 2^31 + 2^20", last_of_a_great_y));
  return questions;
}

std::vector<Question> ask_times() {
  std::vector<Question> questions;
  for (const int type : {data::float32, data::float16})
    for (int algorithm = 0; algorithm < 4; ++algorithm)
      for (const int hidden : {128, 512, 1024})
        for (const int batch : {1, 8, 64}) {
          const Layer layer{.algorithm = algorithm,
                            .type = type,
                            .math = type == data::float16 ? math::tensor_op : math::fma,
                            .T = 100,
                            .N = batch,
                            .I = hidden,
                            .H = hidden,
                            .repeats = 15};
          questions.push_back(one_row(std::string(algorithms[algorithm]) + " LSTM " + type_name(type) + " T 100 N " +
                                          std::to_string(batch) + " H " + std::to_string(hidden),
                                      [=](const Context& context) {
                                        const Answer answer = run_layer(context, layer);
                                        return answer.status == status::success ? number(answer.seconds * 1e6) + " us"
                                                                                : failure(answer);
                                      }));
        }
  return questions;
}

constexpr Probe all[] = {
    {"A", "how far float is from double, by cell, direction and lengths", ask_directions},
    {"B", "how far each arithmetic is from double", ask_arithmetic},
    {"C", "which algorithm takes which type, hidden size and lengths", ask_algorithms},
    {"D", "what becomes of padding and of lengths of zero", questions_of_lengths},
    {"E", "what cuDNN's clip clips", ask_clip},
    {"F", "whether equal runs give equal bits, whether devSeqLengths is read, what NULL states are",
     questions_of_repeats},
    {"G", "how large T and N may be, and how small H", ask_sizes},
    {"H", "how long each algorithm takes (median of 15, the host's clock, a wait after each)", ask_times},
    {"I", "whether a forward call can be recorded in a CUDA graph, and gives the same bits there",
     questions_of_recording},
    {"J", "how far our layer is from ONNX's equations", questions_of_equations},
    {"K", "what 16 bits keep in float between the steps", questions_of_sums},
    {"L", "whether lengths may change while a call is on its way", questions_of_lengths_in_flight},
    {"N", "how exact tanh, relu and sigmoid are", questions_of_functions},
    {"O", "which libraries are loaded", questions_of_libraries},
    {"P", "whether misaligned and shared memory is taken", questions_of_pointers},
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

// NOLINTNEXTLINE(performance-unnecessary-value-param): it is kept
Question one_row(const std::string& asked, std::function<std::string(const Context&)> answer) {
  return {asked, [=](const Context& context) -> Rows { return {{asked, answer(context)}}; }};
}

std::span<const Probe> probes() {
  return all;
}

namespace {

/// A device that is lost fails at every call from then on, and not only at the next one.
bool is_lost(const cellproof_cudnn_context& context) {
  context.device->synchronize(context.stream);
  void* memory = nullptr;
  const bool fails = context.device->synchronize(context.stream) != 0 || context.device->allocate(&memory, 1) != 0;
  if (memory != nullptr) context.device->release(memory);
  return fails;
}

}  // namespace

Step ask(const cellproof_cudnn_context& context, const std::vector<Question>& questions, std::size_t next) {
  const Question& question = questions.at(next);
  Step step{{}, next + 1, false};
  try {
    step.rows = question.ask(context);
  } catch (const Failure& failure) {
    step.rows = {{question.asked, std::string("fails: ") + failure.what()}};
  } catch (const std::bad_alloc&) {
    step.rows = {{question.asked, "too little memory"}};
  }
  step.is_lost = is_lost(context);
  if (step.is_lost) step.rows.emplace_back(question.asked, "the device is lost by it");
  return step;
}

std::string json_line(const Probe& probe, const std::string& on, const Rows& rows, std::size_t next, std::size_t of) {
  std::string text = "{\"probe\": " + quoted(probe.name) + ", \"question\": " + quoted(probe.question) +
                     ", \"on\": " + quoted(on) + ", \"rows\": [";
  for (const auto& [asked, answer] : rows)
    text += std::string(&asked == &rows.front().first ? "" : ", ") + "{\"asked\": " + quoted(asked) +
            ", \"answer\": " + quoted(answer) + "}";
  return text + "], \"next\": " + std::to_string(next) + ", \"of\": " + std::to_string(of) + "}";
}

}  // namespace cellproof::cudnn::probe
