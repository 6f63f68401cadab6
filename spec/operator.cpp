#include "spec/operator.hpp"

#include <algorithm>
#include <array>

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

struct OperatorRow {
  std::string_view name, domain;
  int gates, activations;       ///< those of a direction
  std::size_t inputs, outputs;  ///< how many it may have at most
};
constexpr std::array<OperatorRow, 4> operator_rows = {{{"LSTM", "", 4, 3, 8, 3},
                                                       {"GRU", "", 3, 2, 6, 2},
                                                       {"RNN", "", 1, 1, 6, 2},
                                                       {"DynamicQuantizeLSTM", "com.microsoft", 4, 3, 12, 3}}};

const OperatorRow& row_of(Operator op) {
  return operator_rows.at(static_cast<std::size_t>(op));
}

constexpr std::array operators = {Operator::LSTM, Operator::GRU, Operator::RNN, Operator::DynamicQuantizeLSTM};

constexpr auto versions = std::to_array<OperatorVersion>({{Operator::LSTM, 1},
                                                          {Operator::LSTM, 7},
                                                          {Operator::LSTM, 14},
                                                          {Operator::LSTM, 22},
                                                          {Operator::GRU, 1},
                                                          {Operator::GRU, 3},
                                                          {Operator::GRU, 7},
                                                          {Operator::GRU, 14},
                                                          {Operator::GRU, 22},
                                                          {Operator::RNN, 1},
                                                          {Operator::RNN, 7},
                                                          {Operator::RNN, 14},
                                                          {Operator::RNN, 22},
                                                          {Operator::DynamicQuantizeLSTM, 1}});

constexpr std::array<std::string_view, 12> inputs = {"X",         "W",           "R", "B",       "sequence_lens",
                                                     "initial_h", "initial_c",   "P", "W_scale", "W_zero_point",
                                                     "R_scale",   "R_zero_point"};
constexpr std::array<std::string_view, 3> outputs = {"Y", "Y_h", "Y_c"};

}  // namespace

std::string_view name(Operator op) {
  return row_of(op).name;
}

std::string_view domain(Operator op) {
  return row_of(op).domain;
}

int gate_count(Operator op) {
  return row_of(op).gates;
}

int activation_count(Operator op) {
  return row_of(op).activations;
}

bool has_cell_state(Operator op) {
  return row_of(op).outputs > output::Y_c;
}

bool is_quantised(Operator op) {
  return row_of(op).inputs > input::W_scale;
}

std::string to_string(OperatorVersion version) {
  return std::string(name(version.op)) + "-" + std::to_string(version.since_version);
}

std::optional<OperatorVersion> operator_version_named(std::string_view text) {
  for (const OperatorVersion& version : versions) {
    if (to_string(version) == text) return version;
  }
  return std::nullopt;
}

std::span<const Operator> all_operators() {
  return operators;
}

std::span<const OperatorVersion> all_operator_versions() {
  return versions;
}

OperatorVersion newest(Operator op) {
  return *std::find_if(versions.rbegin(), versions.rend(), [op](OperatorVersion version) { return version.op == op; });
}

bool is_newest(OperatorVersion version) {
  return version == newest(version.op);
}

std::optional<OperatorVersion> version_in_opset(Operator op, int opset) {
  std::optional<OperatorVersion> newest;
  for (const OperatorVersion& version : versions) {
    if (version.op == op && version.since_version <= opset) newest = version;
  }
  return newest;
}

std::span<const std::string_view> input_names(Operator op) {
  return std::span(inputs).first(row_of(op).inputs);
}

std::span<const std::string_view> output_names(Operator op) {
  return std::span(outputs).first(row_of(op).outputs);
}

std::string_view output_name(std::size_t position) {
  return outputs.at(position);
}

std::optional<std::size_t> output_named(std::string_view name) {
  return find_name<std::size_t>(outputs, name);
}

}  // namespace cellproof
