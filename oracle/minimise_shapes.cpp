#include "oracle/minimise_shapes.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "spec/resized.hpp"

namespace cellproof::oracle {
namespace {

constexpr std::uint64_t other_seeds = 2;

/// Inputs whose numbers are free to change: lengths are part of the shape.
bool has_values(const Case& c, std::size_t position) {
  return position != input::sequence_lens && c.inputs[position].presence == Presence::Given;
}

/// The case itself, and what else of its shape may fail where it does not.
std::vector<Case> variations(const Case& c) {
  std::vector<Case> list{c};
  Case generated = c;
  bool any_generated = false;
  bool any_literal = false;
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    if (!has_values(c, i)) continue;
    const bool literal = std::holds_alternative<Tensor>(c.inputs[i].values);
    (literal ? any_literal : any_generated) = true;
    if (literal) generated.inputs[i].values = Generated{};
  }
  for (std::uint64_t k = 1; any_generated && k <= other_seeds; ++k) list.emplace_back(c).seed = c.seed + k;
  if (any_literal) list.push_back(std::move(generated));
  return list;
}

std::optional<Case> failing_variation(const Case& c, const StillFails& still_fails) {
  for (Case& candidate : variations(c)) {
    if (still_fails(candidate)) return std::move(candidate);
  }
  return std::nullopt;
}

bool all_to_one(Case& c, const StillFails& still_fails) {
  Case small = c;
  for (const std::string_view size : size_names) {
    if (size_of(small, size) > 1) small = resized(small, size, 1);
  }
  if (small == c) return false;
  auto found = failing_variation(small, still_fails);
  if (!found) return false;
  c = *std::move(found);
  return true;
}

/// Returns whether it became smaller.
bool shrink(Case& c, std::string_view size, const StillFails& still_fails) {
  const std::int64_t start = size_of(c, size);
  if (start <= 1) return false;
  if (auto found = failing_variation(resized(c, size, 1), still_fails)) {
    c = *std::move(found);
    return true;
  }
  // Between what was seen not to fail and what was seen to.
  for (std::int64_t low = 1; size_of(c, size) - low > 1;) {
    const std::int64_t middle = low + (size_of(c, size) - low) / 2;
    Case smaller = resized(c, size, middle);
    if (still_fails(smaller)) {
      c = std::move(smaller);
    } else {
      low = middle;
    }
  }
  return size_of(c, size) < start;
}

}  // namespace

Case minimise_shapes(Case c, const StillFails& still_fails) {
  if (all_to_one(c, still_fails)) return c;
  // A size that did not give way is tried again only after another one did.
  std::size_t unchanged = 0;
  for (std::size_t k = 0; unchanged < size_names.size(); k = (k + 1) % size_names.size()) {
    unchanged = shrink(c, size_names[k], still_fails) ? 1 : unchanged + 1;
  }
  return c;
}

Case drop_unused(Case c, const StillFails& still_fails) {
  for (const std::string_view size : size_names) {
    if (size_of(c, size) <= 1) continue;
    std::vector<std::int64_t> places = places_used(c, size);
    if (places.empty()) places.push_back(0);
    Case smaller = with_kept(c, size, places);
    if (smaller != c && still_fails(smaller)) c = std::move(smaller);
  }
  return c;
}

}  // namespace cellproof::oracle
