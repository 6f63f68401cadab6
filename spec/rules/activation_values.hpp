#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "spec/rules/activations.hpp"

namespace cellproof::rules {

/// Which parameter a list is for.
enum class Parameter { Alpha, Beta };

/// Ways in which values find their functions: the readings of clauses alpha-consumption and alpha-across-directions.
struct Consumption {
  bool positional = false;
  bool restart = false;
};

/// For each place of a list of activations (forward's first, `per_direction` of them to a direction) the value that the
/// attribute gives it: nullopt where the function takes none or is left to its default. A null entry takes none.
std::vector<std::optional<float>> assign_values(const std::vector<const ActivationInfo*>& list,
                                                std::size_t per_direction, const std::vector<float>& values,
                                                Parameter parameter, Consumption consumption);

/// Counts the functions of the list that take the parameter.
std::size_t takers(const std::vector<const ActivationInfo*>& list, Parameter parameter);
bool takes(const ActivationInfo* activation, Parameter parameter);

}  // namespace cellproof::rules
