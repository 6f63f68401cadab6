#include "spec/axes/lengths_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cellproof::axes_detail {
namespace {

bool all_are(const std::vector<std::int64_t>& lengths, std::int64_t value) {
  return std::ranges::all_of(lengths, [&](std::int64_t length) { return length == value; });
}

/// The smallest sizes with which the pattern differs from all that stand before it.
struct Smallest {
  std::string_view pattern;
  std::int64_t T;
  std::int64_t N;
};
constexpr Smallest smallest[] = {{"ragged", 2, 2}, {"with-zero", 1, 2}, {"all-zero", 1, 1}, {"one", 2, 1}};

bool can_hold(const Case& c, std::string_view pattern) {
  return std::ranges::all_of(
      smallest, [&](const Smallest& row) { return row.pattern != pattern || (c.T >= row.T && c.N >= row.N); });
}

}  // namespace

std::string lengths_pattern(const Case& c) {
  if (c.inputs.size() <= input::sequence_lens) return "absent";
  const CaseInput& in = c.inputs[input::sequence_lens];
  if (in.presence != Presence::Given) return "absent";
  const Tensor* literal = std::get_if<Tensor>(&in.values);
  // Generated lengths always have one below T where T and N leave room for it.
  if (literal == nullptr) return can_hold(c, "ragged") ? "ragged" : "full";
  if (is_floating_point(literal->type())) return "full";
  std::vector<std::int64_t> lengths(literal->size());
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = literal->integer(i);
  if (all_are(lengths, c.T)) return "full";
  if (all_are(lengths, 0)) return "all-zero";
  if (all_are(lengths, 1)) return "one";
  return std::ranges::find(lengths, 0) != lengths.end() ? "with-zero" : "ragged";
}

void grow_for_pattern(Case& c, std::string_view pattern) {
  for (const Smallest& row : smallest) {
    if (row.pattern != pattern) continue;
    c.T = std::max(c.T, row.T);
    c.N = std::max(c.N, row.N);
  }
}

void write_lengths(Case& c, std::string_view pattern) {
  if (c.inputs.size() <= input::sequence_lens) c.inputs.resize(input::sequence_lens + 1);
  CaseInput& in = c.inputs[input::sequence_lens];
  in.values = Generated{};
  in.type.reset();
  in.shape.reset();
  if (pattern == "absent") {
    if (in.presence == Presence::Given) in.presence = Presence::Absent;
    return;
  }
  in.presence = Presence::Given;
  if (!can_hold(c, pattern)) pattern = "full";
  if (pattern == "ragged") return;
  std::vector<double> lengths(static_cast<std::size_t>(c.N), static_cast<double>(c.T));
  if (pattern == "all-zero") std::ranges::fill(lengths, 0.0);
  if (pattern == "one") std::ranges::fill(lengths, 1.0);
  if (pattern == "with-zero") {
    lengths[1] = 0;
    if (lengths.size() > 2) lengths[2] = std::ceil(static_cast<double>(c.T) / 2);
  }
  in.values = Tensor::from_values(ElementType::Int32, {c.N}, lengths);
}

}  // namespace cellproof::axes_detail
