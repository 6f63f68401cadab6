#include "spec/case_keys.hpp"

#include "spec/text_value.hpp"

namespace cellproof::text {
namespace {

constexpr std::int64_t largest_size = 1'000'000'000;

OperatorVersion read_version(std::string_view value) {
  if (const auto version = operator_version_named(value)) return *version;
  std::vector<std::string> names;
  for (const OperatorVersion version : all_operator_versions()) names.push_back(to_string(version));
  throw Expected{"one of " + joined(names)};
}

Key size_key(std::string_view name, std::int64_t Case::*size) {
  return {name, [size](const Case& c) { return write(c.*size); },
          [size](Case& c, std::string_view value) { c.*size = read_integer(value, 0, largest_size); }};
}

/// The key of an attribute that is not written in a plain case.
template <typename T>
Key attribute_key(std::string_view name, std::optional<T> Attributes::*attribute, std::string (*write)(const T&),
                  T (*read)(std::string_view)) {
  return {name,
          [attribute, write](const Case& c) {
            const auto& value = c.attributes.*attribute;
            return value ? std::optional(write(*value)) : std::nullopt;
          },
          [attribute, read](Case& c, std::string_view value) { c.attributes.*attribute = read(value); }};
}

std::string write_integer(const std::int64_t& value) {
  return write(value);
}
std::string write_float(const float& value) {
  return write(value);
}
std::string write_string(const std::string& value) {
  return escape(value);
}

template <char separator>
std::string write_floats(const std::vector<float>& values) {
  return write_list(values, separator, write_float);
}
template <char separator>
std::vector<float> read_floats(std::string_view value) {
  return read_list(value, separator, read_float);
}
template <char separator>
std::string write_strings(const std::vector<std::string>& values) {
  return write_list(values, separator, write_string);
}
template <char separator>
std::vector<std::string> read_strings(std::string_view value) {
  return read_list(value, separator, unescape);
}

std::string write_other(const OtherAttribute& other) {
  const auto value = [](const AttributeValue& v) -> std::string {
    switch (v.index()) {
      case 0:
        return "int:" + write(std::get<0>(v));
      case 1:
        return "float:" + write(std::get<1>(v));
      case 2:
        return "string:" + escape(std::get<2>(v));
      case 3:
        return "ints:" + write_list(std::get<3>(v), '/', write_integer);
      case 4:
        return "floats:" + write_floats<'/'>(std::get<4>(v));
      default:
        return "strings:" + write_strings<'/'>(std::get<5>(v));
    }
  };
  return escape(other.name) + ":" + value(other.value);
}

OtherAttribute read_other(std::string_view entry) {
  const auto parts = split(entry, ':');
  if (parts.size() != 3) throw Expected{"NAME:TYPE:VALUE for each attribute"};
  const std::string name = unescape(parts[0]);
  const std::string_view type = parts[1];
  const std::string_view value = parts[2];
  if (type == "int") return {name, read_any_integer(value)};
  if (type == "float") return {name, read_float(value)};
  if (type == "string") return {name, unescape(value)};
  if (type == "ints") return {name, read_list(value, '/', read_any_integer)};
  if (type == "floats") return {name, read_floats<'/'>(value)};
  if (type == "strings") return {name, read_strings<'/'>(value)};
  throw Expected{"int, float, string, ints, floats or strings as the attribute's type"};
}

/// One of a presentation's enumerators by its name.
template <typename Enum>
Enum read_named(std::string_view value, std::optional<Enum> (*named)(std::string_view), std::span<const Enum> all) {
  if (const auto found = named(value)) return *found;
  std::vector<std::string_view> names;
  for (const Enum each : all) names.push_back(name(each));
  throw Expected{"one of " + joined(names)};
}

template <typename Enum>
Key presentation_key(std::string_view key, Enum Presentation::*member, std::optional<Enum> (*named)(std::string_view),
                     std::span<const Enum> all) {
  return {key,
          [member](const Case& c) {
            const Enum value = c.presentation.*member;
            return value == Enum{} ? std::nullopt : std::optional<std::string>(name(value));
          },
          [=](Case& c, std::string_view value) { c.presentation.*member = read_named(value, named, all); }};
}

}  // namespace

ElementType read_type(std::string_view value) {
  if (const auto type = element_type_named(value)) return *type;
  std::vector<std::string_view> names;
  for (const ElementType type : all_element_types()) names.push_back(onnx_name(type));
  throw Expected{"one of " + joined(names)};
}

Regime read_regime(std::string_view value) {
  if (const auto regime = regime_named(value)) return *regime;
  std::vector<std::string_view> names;
  for (const Regime regime : all_regimes()) names.push_back(name(regime));
  throw Expected{"one of " + joined(names)};
}

const std::vector<Key>& header_keys() {
  static const std::vector<Key> keys = {
      {"op", [](const Case& c) { return to_string(c.version); },
       [](Case& c, std::string_view value) { c.version = read_version(value); }},
      {"type", [](const Case& c) { return std::string(onnx_name(c.type)); },
       [](Case& c, std::string_view value) { c.type = read_type(value); }},
      size_key("T", &Case::T),
      size_key("N", &Case::N),
      size_key("I", &Case::I),
      size_key("H", &Case::H),
  };
  return keys;
}

/// Keys of all that differs from plain_case of the header.
const std::vector<Key>& body_keys() {
  static const std::vector<Key> keys = {
      {"weight_type",
       [](const Case& c) {
         return c.weight_type == ElementType::UInt8 ? std::nullopt
                                                    : std::optional<std::string>(onnx_name(c.weight_type));
       },
       [](Case& c, std::string_view value) { c.weight_type = read_type(value); }},
      {"seed", [](const Case& c) { return c.seed ? std::optional(std::to_string(c.seed)) : std::nullopt; },
       [](Case& c, std::string_view value) { c.seed = read_seed(value); }},
      {"regime",
       [](const Case& c) {
         return c.regime == Regime::Discriminating ? std::nullopt : std::optional<std::string>(name(c.regime));
       },
       [](Case& c, std::string_view value) { c.regime = read_regime(value); }},
      attribute_key("activation_alpha", &Attributes::activation_alpha, write_floats<','>, read_floats<','>),
      attribute_key("activation_beta", &Attributes::activation_beta, write_floats<','>, read_floats<','>),
      attribute_key("activations", &Attributes::activations, write_strings<','>, read_strings<','>),
      attribute_key("clip", &Attributes::clip, write_float, read_float),
      attribute_key("direction", &Attributes::direction, write_string, unescape),
      {"hidden_size",
       [](const Case& c) -> std::optional<std::string> {
         if (c.attributes.hidden_size == c.H) return std::nullopt;
         return c.attributes.hidden_size ? write(*c.attributes.hidden_size) : "none";
       },
       [](Case& c, std::string_view value) {
         c.attributes.hidden_size = value == "none" ? std::nullopt : std::optional(read_any_integer(value));
       }},
      attribute_key("input_forget", &Attributes::input_forget, write_integer, read_any_integer),
      attribute_key("layout", &Attributes::layout, write_integer, read_any_integer),
      attribute_key("linear_before_reset", &Attributes::linear_before_reset, write_integer, read_any_integer),
      attribute_key("output_sequence", &Attributes::output_sequence, write_integer, read_any_integer),
      {"others",
       [](const Case& c) {
         return c.attributes.others.empty() ? std::nullopt
                                            : std::optional(write_list(c.attributes.others, ';', write_other));
       },
       [](Case& c, std::string_view value) { c.attributes.others = read_list(value, ';', read_other); }},
      presentation_key("dims", &Presentation::dims, dims_named, all_dims()),
      presentation_key("nesting", &Presentation::nesting, nesting_named, all_nestings()),
      presentation_key("states", &Presentation::states, states_named, all_states()),
      presentation_key("weights", &Presentation::weights, weights_named, all_weights()),
  };
  return keys;
}

}  // namespace cellproof::text
