#include "engines/schema_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "spec/rules/rules.hpp"

namespace cellproof::engines {
namespace {

/// The versions of one operator that have an attribute: from `since` on and before `until`.
struct Lifetime {
  Operator op;
  std::string_view attribute;
  int since;
  int until;
};

constexpr int forever = 1'000'000;
constexpr Lifetime lifetimes[] = {
    {Operator::LSTM, "input_forget", 1, forever},
    {Operator::DynamicQuantizeLSTM, "input_forget", 1, forever},
    {Operator::GRU, "linear_before_reset", 3, forever},
    {Operator::LSTM, "layout", 14, forever},
    {Operator::GRU, "layout", 14, forever},
    {Operator::RNN, "layout", 14, forever},
    {Operator::LSTM, "output_sequence", 1, 7},
    {Operator::GRU, "output_sequence", 1, 7},
    {Operator::RNN, "output_sequence", 1, 7},
};

bool has_attribute(OperatorVersion version, std::string_view attribute) {
  return std::ranges::any_of(lifetimes, [&](const Lifetime& row) {
    return row.op == version.op && row.attribute == attribute && row.since <= version.since_version &&
           version.since_version < row.until;
  });
}

std::string attribute_complaint(const Problem& problem) {
  const Attributes& a = problem.attributes;
  const std::string version = to_string(problem.version);
  const std::array written{std::pair{std::string_view("input_forget"), a.input_forget},
                           std::pair{std::string_view("linear_before_reset"), a.linear_before_reset},
                           std::pair{std::string_view("layout"), a.layout},
                           std::pair{std::string_view("output_sequence"), a.output_sequence}};
  for (const auto& [name, value] : written)
    if (value && !has_attribute(problem.version, name))
      return fmt::format("{} has no attribute {} ({}, attributes)", version, name, version);
  if (!a.others.empty())
    return fmt::format("attribute {} is unknown to {}, written twice or of a wrong type ({}, attributes)",
                       a.others.front().name, version, version);
  return "";
}

std::string type_complaint(const Problem& problem) {
  const auto names = input_names(problem.version.op);
  const auto since = type_came_in(problem.version.op, ElementType::BFloat16);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Tensor* tensor = problem.input(i);
    if (tensor == nullptr || tensor->type() != ElementType::BFloat16) continue;
    if (since && problem.version.since_version < *since)
      return fmt::format("input {} has type bfloat16, which came with version {} ({}, type constraint T)", names[i],
                         *since, to_string(problem.version));
  }
  return "";
}

std::string input_complaint(const Problem& problem) {
  const auto names = input_names(problem.version.op);
  if (problem.inputs.size() > names.size())
    return fmt::format("the node has {} inputs, expected at most {} ({}, inputs)", problem.inputs.size(), names.size(),
                       to_string(problem.version));
  for (std::size_t i = 0; i < problem.inputs.size(); ++i)
    if (problem.inputs[i].presence == Presence::Given && !problem.inputs[i].tensor)
      return fmt::format("input {} is given without data ({}, inputs)", names[i], to_string(problem.version));
  return "";
}

std::string output_complaint(const Problem& problem) {
  const auto names = output_names(problem.version.op);
  if (problem.outputs.size() > names.size())
    return fmt::format("the node has {} outputs, expected at most {} ({}, outputs)", problem.outputs.size(),
                       names.size(), to_string(problem.version));
  if (problem.version == OperatorVersion{Operator::GRU, 1} && !problem.asks_for(output::Y_h))
    return "output Y_h is not asked for, which GRU-1 requires (GRU-1, output Y_h)";
  return "";
}

}  // namespace

std::string schema_complaint(const Problem& problem) {
  for (const auto& check : {attribute_complaint, input_complaint, output_complaint, type_complaint})
    if (std::string complaint = check(problem); !complaint.empty()) return complaint;
  return "";
}

}  // namespace cellproof::engines
