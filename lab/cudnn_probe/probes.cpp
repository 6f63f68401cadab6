#include "lab/cudnn_probe/probes.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <new>
#include <set>

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

using Context = cellproof_cudnn_context;

// NOLINTNEXTLINE(performance-unnecessary-value-param): it is kept
Question one_row(const std::string& asked, std::function<std::string(const Context&)> answer) {
  return {asked, [=](const Context& context) -> Rows { return {{asked, answer(context)}}; }};
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

/// Asks what a layer leaves in the padding of y.
std::string padding_of(const Context& context, const Layer& layer) {
  const Answer answer = run_layer(context, layer);
  if (answer.status != status::success) return failure(answer);
  std::size_t zeros = 0, untouched = 0, others = 0;
  const int width = layer.H * layer.directions;
  for (int t = 0; t < layer.T; ++t)
    for (int n = 0; n < layer.N; ++n) {
      if (t < layer.lengths[static_cast<std::size_t>(n)]) continue;
      const int row = layer.layout == layout::batch_first ? n * layer.T + t : t * layer.N + n;
      for (int j = 0; j < width; ++j) {
        const double value =
            answer.y[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(j)];
        ++(std::isnan(value) ? untouched : value == 0 ? zeros : others);
      }
    }
  return "in the padding of y " + std::to_string(zeros) + " zeros, " + std::to_string(untouched) + " untouched, " +
         std::to_string(others) + " others";
}

/// Our plan gives a sequence without steps one step, over whatever X holds there: whether the others have the bits that
/// they have beside a row of zeros.
std::string neighbours_of_an_empty_sequence(const Context& context) {
  Layer layer{.lengths = {7, 1, 5, 1}};
  const auto values = [&](double first) {
    std::vector<double> x(static_cast<std::size_t>(layer.T * layer.N * layer.I), 0.25);
    std::fill_n(x.begin() + layer.I, layer.I, first);  // sequence 1, step 0
    return x;
  };
  layer.values.x = values(0);
  Answer zeros = run_layer(context, layer);
  layer.values.x = values(NAN);
  Answer nans = run_layer(context, layer);
  for (Answer* answer : {&zeros, &nans}) {
    const auto blank = [&](std::vector<double>& rows, int row) {
      if (!rows.empty()) std::fill_n(rows.begin() + row * layer.H, layer.H, 0.0);
    };
    for (std::vector<double>* rows : {&answer->y, &answer->h, &answer->c}) blank(*rows, 1);
  }
  return compared(zeros, nans);
}

std::vector<Question> ask_lengths() {
  std::vector<Question> questions;
  const auto add = [&](const std::string& what, const Layer& layer) {
    questions.push_back(one_row(what, [=](const Context& context) { return padding_of(context, layer); }));
  };
  const auto name = [](const std::vector<int>& lengths, bool fills) {
    return shape_words(1, lengths).substr(10) + (fills ? ", padding filled with zeros" : ", paddingFill NULL");
  };
  // On the first two the plan rests; the last one is known to fail in other hands.
  for (const bool fills : {true, false})
    for (const std::vector<int>& lengths : {std::vector{7, 3, 5, 1}, {3, 2, 3, 1}})
      add(name(lengths, fills), {.lengths = lengths, .fills_padding = fills});
  for (int cell = 0; cell < 4; ++cell)
    for (const int directions : {1, 2})
      for (const int layout : {layout::time_first, layout::batch_first})
        for (const int type : {data::float32, data::float64, data::float16})
          add(std::string(cell_names[cell]) + " " + type_name(type) + shape_words(directions, {7, 3, 5, 1}) +
                  (layout == layout::batch_first ? ", batch-major" : ""),
              {.cell = cell,
               .type = type,
               .precision = type == data::float64 ? type : data::float32,
               .math = math::standard,
               .directions = directions,
               .lengths = {7, 3, 5, 1},
               .layout = layout});
  questions.push_back(one_row("neighbours of a sequence whose one step is NaN", neighbours_of_an_empty_sequence));
  for (const std::vector<int>& lengths : {std::vector{7, 0, 5, 1}, {0, 7, 5, 1}, {0, 0, 0, 0}})
    for (const bool fills : {true, false}) add(name(lengths, fills), {.lengths = lengths, .fills_padding = fills});
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

/// Over another handle and stream of the same device.
Answer on_another_handle(const Context& context, const Layer& layer) {
  return run_layer(*make_context(context.api, "", *context.device, context.options), layer);
}

std::string reruns_of(const Context& context, const Layer& layer) {
  const Answer first = run_layer(context, layer);
  std::string text = "the same bits";
  for (int i = 0; i < 10 && text == "the same bits"; ++i) text = compared(first, run_layer(context, layer));
  return text;
}

std::vector<Question> ask_repeats() {
  std::vector<Question> questions;
  for (const int cell : {cell::lstm, cell::gru})
    for (const int type : {data::float32, data::float16})
      for (const int directions : {1, 2})
        for (const int layout : {layout::time_first, layout::batch_first}) {
          const Layer layer{.cell = cell,
                            .type = type,
                            .math = type == data::float16 ? math::tensor_op : math::fma,
                            .directions = directions,
                            .T = 50,
                            .N = 16,
                            .I = 256,
                            .H = 512,
                            .layout = layout};
          const std::string name = std::string(cell_names[cell]) + " " + type_name(type) + shape_words(directions, {}) +
                                   (layout == layout::batch_first ? ", batch-major" : "");
          questions.push_back(
              one_row(name + ", 10 reruns", [=](const Context& context) { return reruns_of(context, layer); }));
          questions.push_back(one_row(name + ", another handle and stream", [=](const Context& context) {
            return compared(run_layer(context, layer), on_another_handle(context, layer));
          }));
        }
  const auto compare = [&](const std::string& what, const Layer& expected, const Layer& actual) {
    questions.push_back(one_row(what, [=](const Context& context) {
      return compared(run_layer(context, expected), run_layer(context, actual));
    }));
  };
  compare("wrong devSeqLengths", {.lengths = {7, 3, 5, 1}}, {.lengths = {7, 3, 5, 1}, .wrong_device_lengths = true});
  for (int cell = 0; cell < 4; ++cell)
    compare(std::string(cell_names[cell]) + ", initial states NULL against zeros",
            {.cell = cell, .lengths = {7, 3, 5, 1}, .states_are_zero = true},
            {.cell = cell, .lengths = {7, 3, 5, 1}, .has_hx = false, .has_cx = false});
  return questions;
}

std::vector<Question> ask_recording() {
  std::vector<Question> questions;
  for (const int cell : {cell::lstm, cell::gru})
    for (const int directions : {1, 2})
      for (const std::vector<int>& lengths : {std::vector<int>{}, {7, 3, 5, 1}}) {
        const Layer layer{.cell = cell, .directions = directions, .lengths = lengths};
        // A recording that breaks may leave a handle's own events behind in it: each has a handle of its own.
        questions.push_back(one_row(cell_names[cell] + shape_words(directions, lengths) + ", recorded in a CUDA graph",
                                    [=](const Context& context) {
                                      Layer recorded = layer;
                                      recorded.is_recorded = true;
                                      return compared(run_layer(context, layer), on_another_handle(context, recorded));
                                    }));
      }
  return questions;
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

/// Two calls without a wait between them, each against its own call alone.
std::vector<Question> ask_lengths_in_flight() {
  std::vector<Question> questions;
  for (const int cell : {cell::lstm, cell::gru})
    for (const int N : {4, 64}) {
      std::vector<int> some(static_cast<std::size_t>(N)), others(static_cast<std::size_t>(N));
      for (int n = 0; n < N; ++n) {
        some[static_cast<std::size_t>(n)] = 1 + n * 7 % 200;
        others[static_cast<std::size_t>(n)] = 200 - n * 7 % 200;
      }
      const std::string name = std::string(cell_names[cell]) + ", N " + std::to_string(N);
      questions.push_back({name, [=](const Context& context) -> Rows {
                             Layer layer{.cell = cell, .T = 200, .N = N, .I = 32, .H = 64, .lengths = some};
                             Layer alone = layer;
                             alone.lengths = others;
                             layer.lengths_behind = others;
                             const Answer both = run_layer(context, layer), second = run_layer(context, alone);
                             layer.lengths_behind.clear();
                             const Answer first = run_layer(context, layer);
                             const auto tell = [&](const Answer& expected, const std::vector<double>& actual) {
                               for (const Answer* one : {&both, &expected})
                                 if (one->status != status::success) return failure(*one);
                               const double most = distance(expected.y, actual);
                               return most == 0 ? std::string("as alone") : "OFF by " + number(most);
                             };
                             return {{name + ", the call before", tell(first, both.y)},
                                     {name + ", the call with other lengths behind it", tell(second, both.behind)}};
                           }});
    }
  return questions;
}

/// Which files of cuDNN and of what it opens are in this process, by their real paths.
Rows rows_of_libraries(const Context& context) {
  Rows rows{{"cudnnAdvVersionCheck", std::to_string(context.api.cudnnAdvVersionCheck())},
            {"cudnnGetVersion", version_text(context.api.cudnnGetVersion())},
            {"cudnnGetCudartVersion", std::to_string(context.api.cudnnGetCudartVersion())}};
  run_layer(context, {});  // opens what the first forward call needs
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos) continue;
    const std::string file = line.substr(path), name = file.substr(file.rfind('/') + 1);
    for (const char* const part : {"libcudnn", "libcublas", "libnvrtc", "libcuda"})
      if (name.starts_with(part)) files.insert(file);
  }
  for (const std::string& file : files) rows.emplace_back("loaded", file);
  return rows;
}

std::vector<Question> ask_libraries() {
  return {{"libraries", rows_of_libraries}};
}

std::vector<Question> ask_pointers() {
  std::vector<Question> questions;
  const auto compare = [&](const std::string& what, const Layer& expected, const Layer& actual) {
    questions.push_back(one_row(what, [=](const Context& context) {
      return compared(run_layer(context, expected), run_layer(context, actual));
    }));
  };
  for (const int cell : {cell::lstm, cell::gru})
    compare(std::string(cell_names[cell]) + ", last states in the place of the initial ones", {.cell = cell},
            {.cell = cell, .in_place = true});
  const Layer half{.type = data::float16, .math = math::tensor_op};
  for (const std::size_t offset : {8, 4, 2}) {
    Layer shifted = half;
    shifted.x_offset = offset;
    compare("float16, X at a multiple of " + std::to_string(offset) + " bytes only", half, shifted);
  }
  return questions;
}

constexpr Probe all[] = {
    {"A", "how far float is from double, by cell, direction and lengths", ask_directions},
    {"B", "how far each arithmetic is from double", ask_arithmetic},
    {"C", "which algorithm takes which type, hidden size and lengths", ask_algorithms},
    {"D", "what becomes of padding and of lengths of zero", ask_lengths},
    {"E", "what cuDNN's clip clips", ask_clip},
    {"F", "whether equal runs give equal bits, whether devSeqLengths is read, what NULL states are", ask_repeats},
    {"G", "how large T and N may be, and how small H", ask_sizes},
    {"H", "how long each algorithm takes (median of 15, the host's clock, a wait after each)", ask_times},
    {"I", "whether a forward call can be recorded in a CUDA graph, and gives the same bits there", ask_recording},
    {"J", "how far our layer is from ONNX's equations", questions_of_equations},
    {"K", "what 16 bits keep in float between the steps", questions_of_sums},
    {"L", "whether lengths may change while a call is on its way", ask_lengths_in_flight},
    {"N", "how exact tanh, relu and sigmoid are", questions_of_functions},
    {"O", "which libraries are loaded", ask_libraries},
    {"P", "whether misaligned and shared memory is taken", ask_pointers},
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
    step.rows = {{question.asked, "fails: " + failure.message}};
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
