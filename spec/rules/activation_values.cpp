#include "spec/rules/activation_values.hpp"

#include <algorithm>

namespace cellproof::rules {

bool takes(const ActivationInfo* activation, Parameter parameter) {
  if (activation == nullptr) return false;
  return parameter == Parameter::Alpha ? activation->uses_alpha : activation->uses_beta;
}

std::size_t takers(const std::vector<const ActivationInfo*>& list, Parameter parameter) {
  return static_cast<std::size_t>(
      std::ranges::count_if(list, [&](const ActivationInfo* activation) { return takes(activation, parameter); }));
}

std::vector<std::optional<float>> assign_values(const std::vector<const ActivationInfo*>& list,
                                                std::size_t per_direction, const std::vector<float>& values,
                                                Parameter parameter, Consumption consumption) {
  std::vector<std::optional<float>> assigned(list.size());
  std::size_t read = 0;
  for (std::size_t place = 0; place < list.size(); ++place) {
    if (consumption.restart && place % per_direction == 0) read = 0;
    const bool wanted = takes(list[place], parameter);
    if (wanted && read < values.size()) assigned[place] = values[read];
    if (wanted || consumption.positional) ++read;
  }
  return assigned;
}

}  // namespace cellproof::rules
