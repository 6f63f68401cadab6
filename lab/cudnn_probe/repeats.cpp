#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "lab/cudnn_probe/probes.hpp"
#include "lab/cudnn_probe/words.hpp"

namespace cellproof::cudnn::probe {
namespace {

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

}  // namespace

std::vector<Question> questions_of_repeats() {
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

std::vector<Question> questions_of_recording() {
  std::vector<Question> questions;
  for (const int cell : {cell::lstm, cell::gru})
    for (const int directions : {1, 2})
      for (const std::vector<int>& lengths : {std::vector<int>{}, {7, 3, 5, 1}}) {
        const Layer layer{.cell = cell, .directions = directions, .lengths = lengths};
        const std::string name = cell_names[cell] + shape_words(directions, lengths);
        // A recording that breaks may leave a handle's own events behind in it: each has a handle of its own.
        questions.push_back(one_row(name + ", recorded in a CUDA graph", [=](const Context& context) {
          Layer recorded = layer;
          recorded.is_recorded = true;
          return compared(run_layer(context, layer), on_another_handle(context, recorded));
        }));
        // A plan that replays gives the graph other numbers, and its descriptors may have had other lengths since.
        questions.push_back(one_row(name + ", replayed with other X behind other lengths", [=](const Context& context) {
          Layer replayed = layer, alone = layer;
          replayed.is_recorded = true;
          replayed.then = {.x = std::vector<double>(
                               static_cast<std::size_t>(layer.T) * static_cast<std::size_t>(layer.N * layer.I), 0.375),
                           .lengths = {1, 7, 2, 7}};
          alone.values.x = replayed.then.x;
          return compared(run_layer(context, alone), on_another_handle(context, replayed));
        }));
      }
  return questions;
}

std::vector<Question> questions_of_libraries() {
  return {{"libraries", rows_of_libraries}};
}

std::vector<Question> questions_of_pointers() {
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

}  // namespace cellproof::cudnn::probe
