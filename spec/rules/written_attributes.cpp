#include "spec/rules/written_attributes.hpp"

namespace cellproof::rules {
namespace {

/// Calls `visit` with the name and the optional field of each attribute that the record has a field for.
void for_each_field(auto& attributes, auto visit) {
  visit("activation_alpha", attributes.activation_alpha);
  visit("activation_beta", attributes.activation_beta);
  visit("activations", attributes.activations);
  visit("clip", attributes.clip);
  visit("direction", attributes.direction);
  visit("hidden_size", attributes.hidden_size);
  visit("input_forget", attributes.input_forget);
  visit("layout", attributes.layout);
  visit("linear_before_reset", attributes.linear_before_reset);
  visit("output_sequence", attributes.output_sequence);
}

}  // namespace

std::vector<std::string_view> written_attributes(const Attributes& attributes) {
  std::vector<std::string_view> names;
  for_each_field(attributes, [&](std::string_view name, const auto& field) {
    if (field) names.push_back(name);
  });
  return names;
}

void erase_attribute(Attributes& attributes, std::string_view name) {
  for_each_field(attributes, [&](std::string_view field_name, auto& field) {
    if (field_name == name) field.reset();
  });
}

}  // namespace cellproof::rules
