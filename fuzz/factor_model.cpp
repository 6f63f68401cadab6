#include "fuzz/factor_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>
#include <utility>

namespace cellproof::fuzz {
namespace {

bool must_hold(const Term& term, const Domains& domains) {
  return (domains[term.factor] & ~term.values) == 0;
}

bool can_hold(const Term& term, const Domains& domains) {
  return (domains[term.factor] & term.values) != 0;
}

bool holds(const Term& term, const std::vector<std::size_t>& row) {
  return (term.values >> row[term.factor] & 1U) != 0;
}

bool all_hold(const std::vector<Term>& terms, const std::vector<std::size_t>& row) {
  return std::ranges::all_of(terms, [&](const Term& term) { return holds(term, row); });
}

bool keeps_limit(const Limit& limit, const std::vector<std::size_t>& row) {
  const auto held = std::ranges::count_if(limit.terms, [&](const Term& term) { return holds(term, row); });
  return static_cast<std::size_t>(held) <= limit.most;
}

/// Takes the term's values from its factor; false where none is left.
bool deny(const Term& term, Domains& domains, std::vector<std::size_t>& changed) {
  domains[term.factor] &= ~term.values;
  changed.push_back(term.factor);
  return domains[term.factor] != 0;
}

void check(const FactorModel& model, const std::vector<Term>& terms) {
  for (const Term& term : terms) {
    if (term.factor >= model.levels.size())
      throw std::invalid_argument(
          fmt::format("a term is of factor {}, but there are {} only", term.factor, model.levels.size()));
  }
}

}  // namespace

FactorSolver::FactorSolver(FactorModel model) : model_(std::move(model)) {
  const std::size_t count = model_.levels.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (model_.levels[k] < 1 || model_.levels[k] > 64)
      throw std::invalid_argument(fmt::format("factor {} has {} values, expected 1 to 64", k, model_.levels[k]));
  }
  exclusions_of_.resize(count);
  limits_of_.resize(count);
  for (std::size_t k = 0; k < model_.exclusions.size(); ++k) {
    check(model_, model_.exclusions[k]);
    for (const Term& term : model_.exclusions[k]) exclusions_of_[term.factor].push_back(k);
  }
  for (std::size_t k = 0; k < model_.limits.size(); ++k) {
    check(model_, model_.limits[k].terms);
    for (const Term& term : model_.limits[k].terms) limits_of_[term.factor].push_back(k);
  }
  for (std::size_t k = 0; k < count; ++k) all_.push_back(model_.all_values(k));
  bool leaves_some = true;
  for (std::size_t k = count; k > 0 && leaves_some; --k) leaves_some = propagate(all_, k - 1);
  if (!leaves_some) std::ranges::fill(all_, ValueSet{0});
}

bool FactorSolver::apply_exclusion(const std::vector<Term>& exclusion, Domains& domains,
                                   std::vector<std::size_t>& changed) const {
  const Term* open = nullptr;
  for (const Term& term : exclusion) {
    if (must_hold(term, domains)) continue;
    if (open != nullptr || !can_hold(term, domains)) return true;
    open = &term;
  }
  return open != nullptr && deny(*open, domains, changed);
}

bool FactorSolver::apply_limit(const Limit& limit, Domains& domains, std::vector<std::size_t>& changed) const {
  const auto held = static_cast<std::size_t>(
      std::ranges::count_if(limit.terms, [&](const Term& term) { return must_hold(term, domains); }));
  if (held != limit.most) return held < limit.most;
  return std::ranges::all_of(limit.terms, [&](const Term& term) {
    return must_hold(term, domains) || !can_hold(term, domains) || deny(term, domains, changed);
  });
}

bool FactorSolver::propagate(Domains& domains, std::size_t factor) const {
  std::vector<std::size_t> changed;  // besides; most often there is none, and nothing is allocated
  for (;;) {
    for (const std::size_t k : exclusions_of_[factor]) {
      if (!apply_exclusion(model_.exclusions[k], domains, changed)) return false;
    }
    for (const std::size_t k : limits_of_[factor]) {
      if (!apply_limit(model_.limits[k], domains, changed)) return false;
    }
    if (changed.empty()) return true;
    factor = changed.back();
    changed.pop_back();
  }
}

bool FactorSolver::restrict(Domains& domains, std::size_t factor, ValueSet values) const {
  if ((domains[factor] & values) == domains[factor]) return domains[factor] != 0;
  domains[factor] &= values;
  return domains[factor] != 0 && propagate(domains, factor);
}

bool FactorSolver::allows(const std::vector<std::size_t>& row) const {
  return std::ranges::none_of(model_.exclusions,
                              [&](const std::vector<Term>& terms) { return all_hold(terms, row); }) &&
         std::ranges::all_of(model_.limits, [&](const Limit& limit) { return keeps_limit(limit, row); });
}

bool FactorSolver::allows(const std::vector<std::size_t>& row, std::size_t factor) const {
  return std::ranges::none_of(exclusions_of_[factor],
                              [&](std::size_t k) { return all_hold(model_.exclusions[k], row); }) &&
         std::ranges::all_of(limits_of_[factor], [&](std::size_t k) { return keeps_limit(model_.limits[k], row); });
}

std::optional<std::vector<std::size_t>> FactorSolver::complete(const Domains& domains) const {
  const auto open = std::ranges::find_if(domains, [](ValueSet values) { return !is_one_value(values); });
  if (open == domains.end()) {
    std::vector<std::size_t> values;
    for (const ValueSet value : domains) values.push_back(static_cast<std::size_t>(std::countr_zero(value)));
    return values;
  }
  const auto factor = static_cast<std::size_t>(open - domains.begin());
  for (ValueSet rest = *open; rest != 0; rest &= rest - 1) {
    Domains narrowed = domains;
    if (!restrict(narrowed, factor, rest & ~(rest - 1))) continue;
    if (auto found = complete(narrowed)) return found;
  }
  return std::nullopt;
}

std::vector<std::size_t> FactorSolver::classes_of(std::size_t factor) const {
  std::map<std::vector<bool>, std::size_t> numbers;
  std::vector<std::size_t> classes;
  for (std::size_t value = 0; value < model_.levels[factor]; ++value) {
    std::vector<bool> membership;
    const auto note = [&](const std::vector<Term>& terms) {
      for (const Term& term : terms) {
        if (term.factor == factor) membership.push_back((term.values >> value & 1U) != 0);
      }
    };
    for (const std::size_t k : exclusions_of_[factor]) note(model_.exclusions[k]);
    for (const std::size_t k : limits_of_[factor]) note(model_.limits[k].terms);
    classes.push_back(numbers.emplace(std::move(membership), numbers.size()).first->second);
  }
  return classes;
}

}  // namespace cellproof::fuzz
