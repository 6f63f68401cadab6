#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/invalid_parts.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus::catalogue {
namespace {

void add(std::vector<Breach>& breaches, std::string rule, std::string way, Case c) {
  breaches.push_back({std::move(rule), std::move(way), std::move(c)});
}

/// Element types of T that a version does not have yet, or at all.
void break_type_of_all(OperatorVersion version, std::vector<Breach>& breaches) {
  const auto* constraint = rules_of(version).type("T");
  for (const auto type : {ElementType::BFloat16, ElementType::Float16, ElementType::Double}) {
    const auto& allowed = constraint->allowed;
    if (std::find(allowed.begin(), allowed.end(), type) != allowed.end()) continue;
    add(breaches, "type-of-X", fmt::format("all-{}", onnx_name(type)), basis(version, type));
  }
}

void break_type_of_one(OperatorVersion version, std::vector<Breach>& breaches) {
  const auto& inputs = rules_of(version).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto break_with = [&](ElementType type) {
      Case c = basis(version);
      c.inputs[i].presence = Presence::Given;
      c.inputs[i].type = type;
      add(breaches, fmt::format("type-of-{}", inputs[i].name), std::string(onnx_name(type)), std::move(c));
    };
    if (inputs[i].type == "T") break_with(i == input::X ? ElementType::Int32 : ElementType::Double);
    if (inputs[i].type == "T1") {
      break_with(ElementType::Int64);
      break_with(ElementType::Float);
    }
    if (inputs[i].type == "T2" && i != input::W) break_with(ElementType::Int8);
  }
}

void break_presence(OperatorVersion version, std::vector<Breach>& breaches) {
  const auto& inputs = rules_of(version).inputs;
  std::size_t last_required = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].need != Need::Required) continue;
    last_required = i;
    Case c = basis(version);
    c.inputs[i].presence = Presence::Empty;
    add(breaches, fmt::format("missing-{}", inputs[i].name), "empty-name", std::move(c));
  }
  Case c = basis(version);
  c.inputs[last_required].presence = Presence::Absent;
  add(breaches, fmt::format("missing-{}", inputs[last_required].name), "absent", std::move(c));
}

void break_counts(OperatorVersion version, std::vector<Breach>& breaches) {
  Case c = basis(version);
  c.inputs.push_back({Presence::Given, Source::GraphInput, Generated{}, ElementType::Float, Shape{1, 3, 6}});
  add(breaches, "input-count", "one-more", std::move(c));
  c = basis(version);
  c.outputs.push_back(Presence::Given);
  add(breaches, "output-count", "one-more", std::move(c));
}

void break_lengths(OperatorVersion version, std::vector<Breach>& breaches) {
  const auto break_with = [&](const char* way, std::array<double, 3> lengths) {
    Case c = basis(version);
    c.inputs[input::sequence_lens].presence = Presence::Given;
    c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {3}, lengths);
    add(breaches, "length-out-of-range", way, std::move(c));
  };
  break_with("negative", {5, -1, 3});
  break_with("beyond-T", {5, 2, 6});
}

}  // namespace

void break_arguments(OperatorVersion version, std::vector<Breach>& breaches) {
  break_type_of_all(version, breaches);
  const auto& outputs = rules_of(version).outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].need != Need::Required) continue;  // GRU-1 has one
    for (const auto presence : {Presence::Empty, Presence::Absent}) {
      Case c = basis(version);
      c.outputs[i] = presence;
      add(breaches, fmt::format("missing-{}", outputs[i].name), presence == Presence::Empty ? "empty-name" : "absent",
          std::move(c));
    }
  }
  if (!is_newest(version)) return;
  break_type_of_one(version, breaches);
  break_presence(version, breaches);
  break_counts(version, breaches);
  break_lengths(version, breaches);
}

}  // namespace cellproof::corpus::catalogue
