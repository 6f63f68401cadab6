#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/problem.hpp"
#include "spec/rules/activations.hpp"
#include "spec/rules/rules.hpp"
#include "spec/rules/shape_rule.hpp"

namespace cellproof::rules {

/// A node's statements, read from a problem that may break every rule: nothing here throws or trusts a size.
struct NodeFacts {
  const Problem& problem;
  const OperatorRules& rules;
  std::optional<Direction> direction;  ///< nullopt: not one of the three; the default where not written
  bool layout1 = false;                ///< any layout but 0
  Sizes sizes;                         ///< T, N, I from X; D from direction; H from hidden_size, R and W, see below
  /// hidden_size is written and positive, but R and W agree on another size: then H is theirs.
  bool hidden_size_mismatch = false;
  /// The functions in use, forward's first: the default ones where `activations` is not written. nullptr: unknown name.
  std::vector<const ActivationInfo*> activations;
  /// The lengths, where sequence_lens is given as an integer vector.
  std::optional<std::vector<std::int64_t>> lengths;

  /// Reads the rule's shape under this node's layout.
  std::string_view shape_of(const ArgumentRule& rule) const { return layout1 ? rule.shape_layout1 : rule.shape; }
  bool given(std::size_t input_position) const { return problem.input(input_position) != nullptr; }
};

/// `rules` must be those of the problem's version.
NodeFacts facts_of(const Problem& problem, const OperatorRules& rules);

}  // namespace cellproof::rules
