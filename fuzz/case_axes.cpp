#include "fuzz/case_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <stdexcept>
#include <utility>

#include "spec/axes/exclusions.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

constexpr std::string_view version_axis = "version";
constexpr std::size_t candidates_of_pairs = 20;

std::vector<OperatorVersion> versions_newest_first(Operator op) {
  std::vector<OperatorVersion> versions;
  for (const OperatorVersion version : all_operator_versions()) {
    if (version.op == op) versions.push_back(version);
  }
  std::ranges::reverse(versions);
  return versions;
}

std::size_t factor_named(const CaseSpace& space, std::string_view axis) {
  const auto found = std::ranges::find(space.factors, axis, &CaseFactor::axis);
  return static_cast<std::size_t>(found - space.factors.begin());
}

ValueSet set_of(const CaseFactor& factor, const std::vector<std::string>& values) {
  ValueSet set = 0;
  for (std::size_t k = 0; k < factor.values.size(); ++k) {
    if (std::ranges::find(values, factor.values[k]) != values.end()) set |= ValueSet{1} << k;
  }
  return set;
}

Case start(OperatorVersion version) {
  return plain_case(version, ElementType::Float, 3, 2, 4, 5);
}

CaseFactor version_factor(const std::vector<OperatorVersion>& versions) {
  CaseFactor factor{std::string(version_axis), {}};
  for (const OperatorVersion each : versions) factor.values.push_back(std::to_string(each.since_version));
  return factor;
}

/// The axis with its values in all the versions, each once.
CaseFactor factor_of(const Axis& row, const std::vector<OperatorVersion>& versions) {
  CaseFactor factor{std::string(row.name), {}, &row};
  for (const OperatorVersion each : versions) {
    for (std::string& value : row.values(each)) {
      if (std::ranges::find(factor.values, value) == factor.values.end()) factor.values.push_back(std::move(value));
    }
  }
  return factor;
}

/// Excludes what a version does not have of factor number k. Returns whether some version has nothing of it.
bool keep_versions_apart(CaseSpace& space, std::size_t k, const std::vector<OperatorVersion>& versions) {
  const CaseFactor& factor = space.factors[k];
  const ValueSet nothing = ValueSet{1} << factor.values.size();
  bool some_lack_it = false;
  for (std::size_t v = 0; v < versions.size(); ++v) {
    const ValueSet own = set_of(factor, factor.row->values(versions[v]));
    some_lack_it = some_lack_it || own == 0;
    const ValueSet others = own == 0 ? nothing - 1 : ((nothing << 1) - 1) & ~own;
    space.model.exclusions.push_back({{0, ValueSet{1} << v}, {k, others}});
  }
  return some_lack_it;
}

/// All factors, and that a version has no values but its own.
void add_factors(CaseSpace& space, const std::vector<const Axis*>& list, const std::vector<OperatorVersion>& versions) {
  space.factors.push_back(version_factor(versions));
  for (const Axis* row : list) {
    CaseFactor factor = factor_of(*row, versions);
    if (!factor.values.empty()) space.factors.push_back(std::move(factor));
  }
  for (std::size_t k = 0; k < space.factors.size(); ++k) {
    const std::size_t values = space.factors[k].values.size();
    const bool some_lack_it = k > 0 && keep_versions_apart(space, k, versions);
    space.model.levels.push_back(values + (some_lack_it ? 1 : 0));
    space.ignored.push_back(some_lack_it ? ValueSet{1} << values : 0);
  }
  for (auto& exclusion : space.model.exclusions) {
    for (Term& term : exclusion) term.values &= space.model.all_values(term.factor);
  }
}

bool has_one_of(const Case& c, const AxisChoice& choice) {
  return std::ranges::find(choice.values, axis(choice.axis).of(c)) != choice.values.end();
}

/// The same in all versions of an operator, so far as they have the values.
void add_exclusions(CaseSpace& space, const std::vector<OperatorVersion>& versions) {
  for (std::size_t v = 0; v < versions.size(); ++v) {
    for (const AxisExclusion& exclusion : axis_exclusions(versions[v])) {
      std::vector<Term> terms;
      bool can_be_met = true;
      for (const AxisChoice& choice : exclusion.choices) {
        const std::size_t factor = factor_named(space, choice.axis);
        if (factor < space.factors.size())
          terms.push_back({factor, set_of(space.factors[factor], choice.values)});
        else
          can_be_met = can_be_met && has_one_of(start(versions[v]), choice);
      }
      if (!can_be_met) continue;
      const auto same = [&](const std::vector<Term>& other) {
        return std::ranges::equal(
            other, terms, [](const Term& a, const Term& b) { return a.factor == b.factor && a.values == b.values; });
      };
      if (std::ranges::none_of(space.model.exclusions, same)) space.model.exclusions.push_back(std::move(terms));
    }
  }
}

/// Clauses that let an engine refuse the case.
std::set<Clause> open_clauses(const Case& c) {
  const std::vector<Clause> list = expectation_of(c).clauses;
  return {list.begin(), list.end()};
}

/// Values that every runtime may do without, and many do.
bool is_often_missing(std::string_view axis, std::string_view value) {
  if (axis == version_axis) return value == "1" || value == "3";
  return (axis == "type" && value != "float") || (axis == "layout" && value != "0");
}

/// Judged by what the newest version leaves open. Functions whose defaults are open are not among them: their
/// parameters can be given.
bool is_open(OperatorVersion newest, std::string_view axis_name, std::string_view value) {
  const Axis& row = axis(axis_name);
  const auto values = row.values(newest);
  if (row.name.starts_with("activation.") || std::ranges::find(values, value) == values.end()) return false;
  return !std::ranges::includes(open_clauses(start(newest)), open_clauses(row.apply(start(newest), value)));
}

void add_rare(CaseSpace& space, OperatorVersion newest) {
  for (std::size_t k = 0; k < space.factors.size(); ++k) {
    const CaseFactor& factor = space.factors[k];
    ValueSet rare = 0;
    for (std::size_t value = 0; value < factor.values.size(); ++value) {
      const std::string& text = factor.values[value];
      const bool is_rare = is_often_missing(factor.axis, text) || (k > 0 && is_open(newest, factor.axis, text));
      if (is_rare && factor.values.size() > 1) rare |= ValueSet{1} << value;
    }
    if (rare != 0) space.rare.push_back({k, rare});
  }
}

/// A NaN or infinity in what DynamicQuantizeLSTM quantises has no range: of such a case nothing can be verified.
void ignore_what_has_no_range(CaseSpace& space) {
  if (space.op != Operator::DynamicQuantizeLSTM) return;
  const std::size_t regime = factor_named(space, "regime");
  space.ignored[regime] |= set_of(space.factors[regime], {"special"});
}

/// No rows whose values overflow: of them nothing can be verified, and the pairs in them count as shown by no case.
/// A clip that bites bounds everything; without it functions without bound take few steps, and two of them in one
/// direction, whose values are multiplied, fewer.
void exclude_overflow(const CaseSpace& space, FactorModel& model) {
  const auto chosen = [&](std::string_view axis, const std::vector<std::string>& values) {
    const std::size_t factor = factor_named(space, axis);
    return Term{factor, set_of(space.factors[factor], values)};
  };
  const std::size_t regime = factor_named(space, "regime"), clip = factor_named(space, "clip");
  if (space.ignored[regime] != 0) model.exclusions.push_back({{regime, space.ignored[regime]}});
  const Term unclipped{clip, model.all_values(clip) & ~set_of(space.factors[clip], {"biting"})};
  const Term from_7 = chosen("T", {"7", "8", "9", "10-15", "16", "17", "18-"});
  const Term from_9 = chosen("T", {"9", "10-15", "16", "17", "18-"}), from_16 = chosen("T", {"16", "17", "18-"});
  const Term tame = chosen("regime", {"normal", "discriminating"}), normal = chosen("regime", {"normal"});
  const Term fierce = chosen("regime", {"saturating", "chaotic", "special", "exact"});
  std::vector<Term> unbounded;
  for (std::size_t k = 0; k < space.factors.size(); ++k) {
    if (!space.factors[k].axis.starts_with("activation.")) continue;
    const ValueSet bounded =
        set_of(space.factors[k], {"Sigmoid", "Tanh", "HardSigmoid", "ScaledTanh", "Softsign"}) | space.ignored[k];
    unbounded.push_back({k, model.all_values(k) & ~bounded});
  }
  const auto of_one_direction = [&](const Term& a, const Term& b) {
    const auto is_backward = [&](const Term& term) { return space.factors[term.factor].axis.ends_with(".backward"); };
    return is_backward(a) == is_backward(b);
  };
  for (const Term& a : unbounded) {
    model.exclusions.push_back({a, unclipped, fierce, from_7});
    model.exclusions.push_back({a, unclipped, normal, from_16});
    for (const Term& b : unbounded)
      if (a.factor < b.factor && of_one_direction(a, b)) model.exclusions.push_back({a, b, unclipped, tame, from_9});
  }
}

CaseSpace space_of(Operator op, const std::vector<const Axis*>& list, const std::vector<OperatorVersion>& versions) {
  CaseSpace space{op, {}, {}, {}, {}};
  add_factors(space, list, versions);
  add_exclusions(space, versions);
  add_rare(space, versions.front());
  return space;
}

OperatorVersion version_of(const CaseSpace& space, const Row& row) {
  return {space.op, std::stoi(space.factors[0].values[row[0]])};
}

}  // namespace

CaseSpace case_space(Operator op) {
  std::vector<const Axis*> list;
  for (const Axis& row : axes_of_meaning()) list.push_back(&row);
  CaseSpace space = space_of(op, list, versions_newest_first(op));
  ignore_what_has_no_range(space);
  return space;
}

CaseSpace presentation_space(Operator op) {
  // Things that an engine finds out when it reads a model, and computes otherwise where it cannot.
  std::vector<const Axis*> list;
  for (const std::string_view name :
       {"direction", "input.sequence_lens", "input.initial_h", "input.initial_c", "lengths", "outputs"})
    list.push_back(&axis(name));
  for (const Axis& row : axes_of_presentation()) list.push_back(&row);
  return space_of(op, list, {newest(op)});
}

FactorModel model_of(const CaseSpace& space, const Domains& values) {
  FactorModel model = space.model;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const ValueSet others = model.all_values(k) & ~(values[k] | space.ignored[k]);
    if (others != 0) model.exclusions.push_back({{k, others}});
  }
  return model;
}

Row row_of(const CaseSpace& space, const Case& c) {
  Row row;
  for (const CaseFactor& factor : space.factors) {
    const std::string value = factor.row == nullptr ? std::to_string(c.version.since_version) : factor.row->of(c);
    row.push_back(static_cast<std::size_t>(std::ranges::find(factor.values, value) - factor.values.begin()));
  }
  return row;
}

Case case_of(const CaseSpace& space, const Row& row, std::uint64_t seed) {
  Case c = start(version_of(space, row));
  c.seed = seed;
  for (std::size_t k = 1; k < space.factors.size(); ++k) {
    const CaseFactor& factor = space.factors[k];
    if (row[k] < factor.values.size()) c = factor.row->apply(c, factor.values[row[k]]);
  }
  if (row_of(space, c) != row)
    throw std::logic_error(
        fmt::format("{}: a combination of axis values makes no case, but nothing excludes it", to_string(c.version)));
  return c;
}

std::vector<Row> covering_rows(const CaseSpace& space, std::size_t strength, const SpacePart* part) {
  FactorModel model = part == nullptr ? space.model : model_of(space, part->values);
  Limit large{{}, strength};
  for (const std::string_view size : {"T", "N", "I", "H"}) {
    const std::size_t factor = factor_named(space, size);
    large.terms.push_back({factor, set_of(space.factors[factor], {"10-15", "16", "17", "18-"})});
  }
  model.limits.push_back(std::move(large));
  if (strength == 2) exclude_overflow(space, model);
  return covering_array(model, {.strength = strength,
                                .seed = 0,
                                .candidates = strength == 2 ? candidates_of_pairs : std::size_t{1},
                                .rare = space.rare,
                                .ignored = space.ignored,
                                .there = part == nullptr ? std::vector<Row>{} : part->there});
}

std::vector<Row> presentation_rows(const CaseSpace& space, const SpacePart* part) {
  return covering_array(part == nullptr ? space.model : model_of(space, part->values),
                        {.strength = 2,
                         .seed = 0,
                         .candidates = candidates_of_pairs,
                         .rare = space.rare,
                         .ignored = space.ignored,
                         .there = part == nullptr ? std::vector<Row>{} : part->there});
}

}  // namespace cellproof::fuzz
