#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/invalid_parts.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus::catalogue {
namespace {

void add(std::vector<Breach>& breaches, std::string rule, std::string way, Case c) {
  breaches.push_back({std::move(rule), std::move(way), std::move(c)});
}

/// Element types of T that a version does not have yet, or at all.
void break_type_of_all(const Case& valid, std::vector<Breach>& breaches) {
  const auto* constraint = rules_of(valid.version).type("T");
  for (const auto type : {ElementType::BFloat16, ElementType::Float16, ElementType::Double}) {
    const auto& allowed = constraint->allowed;
    if (std::find(allowed.begin(), allowed.end(), type) != allowed.end()) continue;
    Case c = valid;
    c.type = type;
    add(breaches, "type-of-X", fmt::format("all-{}", onnx_name(type)), std::move(c));
  }
}

void break_type_of_one(const Case& valid, std::vector<Breach>& breaches) {
  const auto& inputs = rules_of(valid.version).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto break_with = [&](ElementType type) {
      Case c = valid;
      c.inputs[i].presence = Presence::Given;
      c.inputs[i].values = Generated{};
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

void break_presence(const Case& valid, std::vector<Breach>& breaches) {
  const auto& inputs = rules_of(valid.version).inputs;
  std::size_t last_required = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].need != Need::Required) continue;
    last_required = i;
    Case c = valid;
    c.inputs[i].presence = Presence::Empty;
    add(breaches, fmt::format("missing-{}", inputs[i].name), "empty-name", std::move(c));
  }
  Case c = valid;
  c.inputs[last_required].presence = Presence::Absent;
  add(breaches, fmt::format("missing-{}", inputs[last_required].name), "absent", std::move(c));
}

void break_counts(const Case& valid, std::vector<Breach>& breaches) {
  Case c = valid;
  c.inputs.push_back({Presence::Given, Source::GraphInput, Generated{}, ElementType::Float, Shape{1, 3, 6}});
  add(breaches, "input-count", "one-more", std::move(c));
  c = valid;
  c.outputs.push_back(Presence::Given);
  add(breaches, "output-count", "one-more", std::move(c));
}

void break_lengths(const Case& valid, std::vector<Breach>& breaches) {
  if (valid.N == 0) return;
  const auto break_with = [&](const char* way, std::int64_t row, double length, double others) {
    Case c = valid;
    std::vector<double> lengths(static_cast<std::size_t>(c.N), others);
    lengths.front() = static_cast<double>(c.T);
    lengths[static_cast<std::size_t>(std::min(row, c.N - 1))] = length;
    c.inputs[input::sequence_lens].presence = Presence::Given;
    c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {c.N}, lengths);
    add(breaches, "length-out-of-range", way, std::move(c));
  };
  const auto T = static_cast<double>(valid.T);
  break_with("negative", 1, -1, std::ceil(T / 2));
  break_with("beyond-T", 2, T + 1, std::floor(T / 2));
}

}  // namespace

void break_arguments(const Case& valid, Breaches wanted, std::vector<Breach>& breaches) {
  const OperatorVersion version = valid.version;
  break_type_of_all(valid, breaches);
  const auto& outputs = rules_of(version).outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].need != Need::Required) continue;  // GRU-1 has one
    for (const auto presence : {Presence::Empty, Presence::Absent}) {
      Case c = valid;
      c.outputs[i] = presence;
      add(breaches, fmt::format("missing-{}", outputs[i].name), presence == Presence::Empty ? "empty-name" : "absent",
          std::move(c));
    }
  }
  if (wanted == Breaches::ThatTellVersions && !is_newest(version)) return;
  break_type_of_one(valid, breaches);
  break_presence(valid, breaches);
  break_counts(valid, breaches);
  break_lengths(valid, breaches);
}

}  // namespace cellproof::corpus::catalogue
