#include "causes/scope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "spec/element_type.hpp"
#include "spec/operator.hpp"

namespace cellproof::causes {
namespace {

using Places = std::vector<Coordinates>;

/// Restrictions are taken back in this order: an operator is the last that a fault is bound to.
constexpr Scope::Axis widened_in_turn[] = {Scope::OfVersion, Scope::OfType, Scope::OfDirection, Scope::OfOperator};

/// Explained cases that one condition needs, each further one needs one more; and contradictions that each of them
/// alone leaves out.
constexpr std::ptrdiff_t fewest_for_a_condition = 3;

std::set<int> values_on(Scope::Axis axis, const Places& places) {
  std::set<int> values;
  for (const Coordinates& place : places) values.insert(place[axis]);
  return values;
}

std::ptrdiff_t count_in(const Scope& scope, const Places& places) {
  return std::ranges::count_if(places, [&](const Coordinates& place) { return scope.holds(place); });
}

/// The smallest scope with all these places; its versions are without a gap.
Scope hull_of(const Places& places) {
  Scope scope;
  for (const Scope::Axis axis : widened_in_turn) scope = scope.with(axis, values_on(axis, places));
  return scope;
}

/// Versions that are there between the first and the last.
std::set<int> versions_between(int first, int last) {
  std::set<int> versions;
  for (const OperatorVersion& version : all_operator_versions())
    if (version.since_version >= first && version.since_version <= last) versions.insert(version.since_version);
  return versions;
}

std::string names_of(Scope::Axis axis, const std::set<int>& values) {
  if (axis == Scope::OfVersion) {
    const int first = *values.begin(), last = *values.rbegin();
    if (last >= newest(Operator::LSTM).since_version) return fmt::format("version {} and later", first);
    if (first == last) return fmt::format("version {}", first);
    return fmt::format("versions {} to {}", first, last);
  }
  std::vector<std::string_view> names;
  for (const int value : values) {
    names.push_back(axis == Scope::OfOperator ? name(static_cast<Operator>(value))
                    : axis == Scope::OfType   ? onnx_name(static_cast<ElementType>(value))
                                              : name(static_cast<Direction>(value)));
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace

Coordinates coordinates_of(const Problem& problem) {
  const auto& X = problem.inputs.at(input::X).tensor;
  const auto direction = direction_named(problem.attributes.direction.value_or("forward"));
  return {static_cast<int>(problem.version.op), problem.version.since_version, X ? static_cast<int>(X->type()) : -1,
          static_cast<int>(direction.value_or(Direction::Forward))};
}

Scope Scope::with(Axis axis, std::set<int> values) const {
  Scope scope = *this;
  if (axis == OfVersion) values = versions_between(*values.begin(), *values.rbegin());
  scope.sets_[axis] = std::move(values);
  return scope;
}

bool Scope::holds(const Coordinates& place) const {
  for (std::size_t axis = 0; axis < sets_.size(); ++axis)
    if (sets_[axis] && !sets_[axis]->contains(place[axis])) return false;
  return true;
}

bool Scope::is_everywhere() const {
  return std::ranges::none_of(sets_, [](const auto& set) { return set.has_value(); });
}

bool Scope::is_of_operators() const {
  return sets_[OfOperator] && !sets_[OfVersion] && !sets_[OfType] && !sets_[OfDirection];
}

Scope Scope::beside_operators() const {
  Scope scope = *this;
  scope.sets_[OfOperator].reset();
  return scope;
}

std::string Scope::text() const {
  std::vector<std::string> parts;
  for (const Axis axis : {OfOperator, OfVersion, OfType, OfDirection})
    if (sets_[axis]) parts.push_back(names_of(axis, *sets_[axis]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<Scope> widest_scope(const Places& explained, const Places& contradicting, const Places& open) {
  if (explained.empty()) return std::nullopt;
  if (contradicting.empty()) return Scope{};
  Scope scope = hull_of(explained);
  if (count_in(scope, contradicting) > 0) {
    // Some of the explained cases are an accident, or the fault holds for several that make no product: the largest
    // part that one value cuts out.
    std::optional<Scope> best;
    std::ptrdiff_t most = 0;
    for (const Scope::Axis axis : widened_in_turn) {
      for (const int value : values_on(axis, explained)) {
        Places part;
        std::ranges::copy_if(explained, std::back_inserter(part),
                             [&](const auto& place) { return place[axis] == value; });
        if (part.size() == explained.size() || std::ssize(part) <= most) continue;
        const auto of_part = widest_scope(part, contradicting, open);
        if (!of_part) continue;
        most = std::ssize(part);
        best = of_part;
      }
    }
    return best;
  }
  for (const Scope::Axis axis : widened_in_turn) {
    Scope wider = scope;
    wider.sets_[axis].reset();
    if (count_in(wider, contradicting) == 0) scope = wider;
  }
  Scope of_operators;
  of_operators.sets_[Scope::OfOperator] = scope.sets_[Scope::OfOperator];
  std::ptrdiff_t conditions = 0;
  const std::ptrdiff_t count = count_in(scope, explained), against = count_in(of_operators, contradicting);
  const bool is_of_operators = scope == of_operators && count >= enough_for_operators;
  for (const Scope::Axis axis : widened_in_turn) {
    if (!scope.sets_[axis]) continue;
    ++conditions;
    Scope without = scope;
    without.sets_[axis].reset();
    const bool is_shown = is_of_operators || count_in(without, contradicting) >= fewest_for_a_condition;
    if (!is_shown) return std::nullopt;  // drawn around an accident
  }
  const bool explains_enough = against <= most_contradictions_for_each * count || count_in(scope, open) == 0;
  const bool is_worth = count >= fewest_for_a_condition + conditions - 1 && explains_enough;
  return is_worth ? std::optional(scope) : std::nullopt;
}

}  // namespace cellproof::causes
