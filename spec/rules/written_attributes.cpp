#include "spec/rules/written_attributes.hpp"

namespace cellproof::rules {
std::vector<std::string_view> written_attributes(const Attributes& attributes) {
  std::vector<std::string_view> names;
  for_each_attribute(attributes, [&](std::string_view name, const auto& field) {
    if (field) names.push_back(name);
  });
  return names;
}

void erase_attribute(Attributes& attributes, std::string_view name) {
  for_each_attribute(attributes, [&](std::string_view field_name, auto& field) {
    if (field_name == name) field.reset();
  });
}

}  // namespace cellproof::rules
