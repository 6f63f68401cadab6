#include "lab/bench/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <string_view>

namespace cellproof::lab::bench {
namespace {

struct Sizes {
  std::int64_t T, N, I, H;
};

/// Version 14 of the float operators, which every runtime of the last years knows; biases given, all outputs asked for.
Case plain(Operator op, const Sizes& size) {
  Case c = plain_case({op, is_quantised(op) ? 1 : 14}, ElementType::Float, size.T, size.N, size.I, size.H);
  c.regime = Regime::Normal;
  c.inputs.resize(std::max<std::size_t>(c.inputs.size(), input::B + 1));
  c.inputs[input::B] = plain_input(op, input::B);
  c.inputs[input::B].presence = Presence::Given;
  // Signed weights of one scale each, as onnxruntime.quantization writes them.
  if (is_quantised(op)) c.weight_type = ElementType::Int8;
  return c;
}

std::string name_of(const Row& row) {
  std::string op(name(row.c.version.op));
  std::ranges::transform(op, op.begin(), [](unsigned char letter) { return std::tolower(letter); });
  if (row.c.type != ElementType::Float) op += fmt::format("-{}", onnx_name(row.c.type));
  const Attributes& a = row.c.attributes;
  if (a.linear_before_reset.value_or(0) != 0) op += "-after";
  if (a.direction == "bidirectional") op += "-both";
  std::string special;
  for (const std::string_view group : {"ragged", "runtime-weights"})
    if (row.group == group) special = fmt::format("-{}", group);
  if (row.c.inputs.size() > input::initial_h && row.c.inputs[input::initial_h].presence == Presence::Given)
    special += "-states";
  return fmt::format("{}-T{}-N{}-I{}-H{}{}", op, row.c.T, row.c.N, row.c.I, row.c.H, special);
}

class RowList {
 public:
  explicit RowList(std::string group) : group_(std::move(group)) {}

  RowList& group(std::string name) {
    group_ = std::move(name);
    return *this;
  }
  RowList& add(Case c) {
    rows_.push_back({"", group_, std::move(c)});
    rows_.back().name = name_of(rows_.back());
    return *this;
  }
  RowList& add(Operator op, const Sizes& size) { return add(plain(op, size)); }
  std::vector<Row> take() { return std::move(rows_); }

 private:
  std::string group_;
  std::vector<Row> rows_;
};

Case both_directions(Case c) {
  c.attributes.direction = "bidirectional";
  return c;
}

Case reset_after_product(Case c) {
  c.attributes.linear_before_reset = 1;
  return c;
}

/// In the newest version: older ones have no bfloat16.
Case in_16_bits(ElementType type, Case c) {
  c.version = newest(c.version.op);
  c.type = type;
  return c;
}

Case with_states(Case c) {
  c.inputs.resize(std::max<std::size_t>(c.inputs.size(), input::initial_c + 1));
  for (const std::size_t position : {input::initial_h, input::initial_c}) {
    c.inputs[position] = plain_input(c.version.op, position);
    c.inputs[position].presence = Presence::Given;
  }
  return c;
}

/// Lengths from 1 to T - 1, whose mean is T / 2, in no order.
Case ragged(Case c) {
  Tensor lengths(ElementType::Int32, {c.N});
  for (std::int64_t n = 0; n < c.N; ++n) {
    const std::int64_t place = n * 7 % c.N;  // 7 has no factor in common with the batches below
    const std::int64_t length = 1 + place * (c.T - 2) / std::max<std::int64_t>(1, c.N - 1);
    lengths.set_value({n}, static_cast<double>(length));
  }
  c.inputs.resize(std::max<std::size_t>(c.inputs.size(), input::sequence_lens + 1));
  c.inputs[input::sequence_lens] = plain_input(c.version.op, input::sequence_lens);
  c.inputs[input::sequence_lens].presence = Presence::Given;
  c.inputs[input::sequence_lens].values = lengths;
  return c;
}

/// Weights up to +-127, as quantising a matrix by its largest magnitude makes them: smaller ones would hide who has no
/// room for two products.
Case whole_bytes(Case c) {
  for (const std::size_t position : {input::W, input::R}) c.inputs[position].values = Generated{Regime::Saturating, {}};
  return c;
}

Case weights_at_run_time(Case c) {
  for (const std::size_t position : {input::W, input::R, input::B}) c.inputs[position].source = Source::GraphInput;
  return c;
}

std::vector<Row> make_engine_rows() {
  constexpr Operator lstm = Operator::LSTM, gru = Operator::GRU, rnn = Operator::RNN;
  RowList list("float");
  list.add(lstm, {1, 1, 64, 64}).add(lstm, {32, 1, 128, 128}).add(lstm, {100, 1, 256, 256});
  list.add(lstm, {128, 1, 512, 512}).add(lstm, {64, 16, 256, 256}).add(lstm, {256, 8, 128, 128});
  list.add(both_directions(plain(lstm, {64, 8, 256, 256}))).add(lstm, {64, 64, 512, 512});
  list.add(gru, {100, 1, 256, 256}).add(gru, {64, 16, 256, 256});
  list.add(reset_after_product(plain(gru, {100, 1, 256, 256})));
  list.add(reset_after_product(plain(gru, {64, 16, 256, 256})));
  list.add(rnn, {100, 1, 256, 256}).add(rnn, {64, 16, 256, 256});
  list.group("quantised");
  for (const Sizes& size : {Sizes{32, 1, 128, 128}, Sizes{100, 1, 256, 256}, Sizes{128, 1, 512, 512}})
    list.add(whole_bytes(plain(Operator::DynamicQuantizeLSTM, size)));
  for (const std::int64_t N : {4, 16, 64})
    for (const std::int64_t H : {256, 512, 1024})
      list.add(whole_bytes(plain(Operator::DynamicQuantizeLSTM, {16, N, H, H})));
  list.group("16-bit");
  for (const Sizes& size : {Sizes{100, 1, 256, 256}, Sizes{64, 16, 256, 256}, Sizes{64, 64, 512, 512}})
    for (const Operator op : {lstm, gru})
      for (const ElementType type : {ElementType::BFloat16, ElementType::Float16})
        list.add(in_16_bits(type, plain(op, size)));
  list.group("batches");
  list.add(lstm, {100, 2, 256, 256}).add(lstm, {64, 32, 256, 256}).add(lstm, {8, 128, 1024, 1024});
  list.add(gru, {64, 64, 512, 512});
  list.group("models");
  list.add(both_directions(plain(lstm, {400, 1, 512, 512}))).add(gru, {300, 1, 256, 256});
  list.add(with_states(plain(lstm, {1, 1, 128, 128})));
  list.group("odd");
  list.add(lstm, {64, 3, 80, 100}).add(lstm, {64, 5, 80, 200}).add(lstm, {64, 1, 80, 333});
  list.add(gru, {64, 3, 80, 200}).add(reset_after_product(plain(gru, {64, 5, 80, 333}))).add(rnn, {64, 3, 80, 100});
  list.group("short");
  list.add(lstm, {1, 1, 256, 256}).add(lstm, {2, 1, 256, 256}).add(lstm, {2, 16, 256, 256}).add(gru, {1, 1, 128, 128});
  list.group("long");
  list.add(lstm, {1000, 1, 128, 128}).add(gru, {1000, 4, 128, 128});
  list.group("ragged");
  list.add(ragged(plain(lstm, {64, 16, 256, 256}))).add(ragged(both_directions(plain(gru, {64, 8, 128, 128}))));
  list.group("runtime-weights");
  list.add(weights_at_run_time(plain(lstm, {100, 1, 256, 256}))).add(weights_at_run_time(plain(lstm, {1, 1, 64, 64})));
  return list.take();
}

std::vector<Row> make_judge_rows() {
  constexpr Sizes size{32, 4, 32, 32};
  RowList list("judge");
  list.add(Operator::LSTM, size).add(Operator::GRU, size).add(reset_after_product(plain(Operator::GRU, size)));
  list.add(Operator::RNN, size).add(Operator::DynamicQuantizeLSTM, size);
  return list.take();
}

}  // namespace

const std::vector<Row>& engine_rows() {
  static const std::vector<Row> rows = make_engine_rows();
  return rows;
}

const std::vector<Row>& judge_rows() {
  static const std::vector<Row> rows = make_judge_rows();
  return rows;
}

std::vector<Row> rows_named(const std::vector<Row>& rows, const std::vector<std::string>& names) {
  if (names.empty()) return rows;
  std::set<std::string_view> known;
  for (const Row& row : rows) known.insert({row.name, row.group});
  for (const std::string& name : names)
    if (!known.contains(name))
      throw std::invalid_argument(
          fmt::format("--row: there is no row '{}'; `cellproof lab bench rows` lists them", name));
  std::vector<Row> chosen;
  for (const Row& row : rows)
    if (std::ranges::find(names, row.name) != names.end() || std::ranges::find(names, row.group) != names.end())
      chosen.push_back(row);
  return chosen;
}

}  // namespace cellproof::lab::bench
