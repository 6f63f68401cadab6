#include <algorithm>
#include <cmath>

#include "lab/cudnn_probe/device_memory.hpp"
#include "lab/cudnn_probe/probes.hpp"
#include "lab/cudnn_probe/words.hpp"

namespace cellproof::cudnn::probe {
namespace {

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

/// Asks whether outputs change with what lies in X past the ends of sequences.
std::string use_of_padding(const Context& context, Layer layer) {
  const auto run = [&](double padding) {
    layer.values.x.assign(static_cast<std::size_t>(layer.T) * static_cast<std::size_t>(layer.N * layer.I), 0.25);
    for (int n = 0; n < layer.N; ++n)
      for (int t = layer.lengths[static_cast<std::size_t>(n)]; t < layer.T; ++t) {
        const int row = layer.layout == layout::batch_first ? n * layer.T + t : t * layer.N + n;
        std::fill_n(layer.values.x.begin() + std::ptrdiff_t{row} * layer.I, layer.I, padding);
      }
    return run_layer(context, layer);
  };
  return compared(run(0), run(NAN));
}

}  // namespace

std::vector<Question> questions_of_lengths() {
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
  for (int cell = 0; cell < 4; ++cell)
    for (const int layout : {layout::time_first, layout::batch_first}) {
      const Layer layer{.cell = cell, .lengths = {7, 3, 5, 1}, .layout = layout};
      questions.push_back(one_row(std::string(cell_names[cell]) +
                                      (layout == layout::batch_first ? ", batch-major" : "") + ", NaN in X's padding",
                                  [=](const Context& context) { return use_of_padding(context, layer); }));
    }
  questions.push_back(one_row("neighbours of a sequence whose one step is NaN", neighbours_of_an_empty_sequence));
  for (const std::vector<int>& lengths : {std::vector{7, 0, 5, 1}, {0, 7, 5, 1}, {0, 0, 0, 0}})
    for (const bool fills : {true, false}) add(name(lengths, fills), {.lengths = lengths, .fills_padding = fills});
  return questions;
}

/// Two calls without a wait between them, each against its own call alone.
std::vector<Question> questions_of_lengths_in_flight() {
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
  for (const char* const direction : {"forward", "reverse", "bidirectional"})
    for (const bool batch_first : {false, true})
      questions.push_back(
          one_row(std::string("our layer on the device's memory, ") + direction + (batch_first ? ", layout 1" : ""),
                  [=](const Context& context) { return runs_without_a_wait(context, direction, batch_first); }));
  return questions;
}

}  // namespace cellproof::cudnn::probe
