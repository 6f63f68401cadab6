#include <fmt/format.h>

#include <array>
#include <limits>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/invalid_parts.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus::catalogue {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Writes an attribute that only some versions of some operators have, with a value that would change the result.
struct VersionedAttribute {
  std::string_view name;
  void (*write)(Attributes&);
};
constexpr std::array versioned_attributes{
    VersionedAttribute{"input_forget", [](Attributes& a) { a.input_forget = 1; }},
    VersionedAttribute{"layout", [](Attributes& a) { a.layout = 1; }},
    VersionedAttribute{"linear_before_reset", [](Attributes& a) { a.linear_before_reset = 1; }},
    VersionedAttribute{"output_sequence", [](Attributes& a) { a.output_sequence = 1; }},
};

std::vector<std::string> names(const Case& c, const char* name, int surplus = 0) {
  const int directions = c.attributes.direction == "bidirectional" ? 2 : 1;
  const int count = activation_count(c.version.op) * directions + surplus;
  return std::vector<std::string>(static_cast<std::size_t>(count), name);
}

void replace_activation(Case& c, const char* name) {
  c.attributes.activations = names(c, "Tanh");
  c.attributes.activations->back() = name;
}

/// A wrong value of an attribute that every version has.
struct WrongValue {
  const char* rule;
  const char* way;
  void (*write)(Case&);
};
constexpr std::array wrong_values{
    WrongValue{"attribute-unknown", "mystery",
               [](Case& c) {
                 c.attributes.others = {{"mystery", std::int64_t{1}}};
               }},
    WrongValue{"attribute-unknown", "misspelt",
               [](Case& c) {
                 c.attributes.others = {{"Direction", std::string("reverse")}};
               }},
    WrongValue{"attribute-repeated", "direction",
               [](Case& c) {
                 c.attributes.direction = "forward";
                 c.attributes.others = {{"direction", std::string("reverse")}};
               }},
    WrongValue{"direction-value", "backward", [](Case& c) { c.attributes.direction = "backward"; }},
    WrongValue{"direction-value", "capital", [](Case& c) { c.attributes.direction = "Forward"; }},
    WrongValue{"direction-value", "misspelt", [](Case& c) { c.attributes.direction = "foward"; }},
    WrongValue{"direction-value", "empty", [](Case& c) { c.attributes.direction = ""; }},
    WrongValue{"hidden-size-positive", "zero", [](Case& c) { c.attributes.hidden_size = 0; }},
    WrongValue{"hidden-size-positive", "negative", [](Case& c) { c.attributes.hidden_size = -6; }},
    WrongValue{"hidden-size-mismatch", "larger", [](Case& c) { c.attributes.hidden_size = c.H + 1; }},
    WrongValue{"hidden-size-mismatch", "smaller", [](Case& c) { c.attributes.hidden_size = c.H - 1; }},
    WrongValue{"clip-negative", "minus-one", [](Case& c) { c.attributes.clip = -1.0F; }},
    WrongValue{"clip-negative", "minus-infinity", [](Case& c) { c.attributes.clip = -infinity; }},
    WrongValue{"clip-nan", "nan", [](Case& c) { c.attributes.clip = nan; }},
    WrongValue{"activation-unknown", "invented", [](Case& c) { replace_activation(c, "Swish"); }},
    WrongValue{"activation-unknown", "empty", [](Case& c) { replace_activation(c, ""); }},
    // A name from ONNX 1.0, renamed before the pages that we follow.
    WrongValue{"activation-unknown", "old-name", [](Case& c) { replace_activation(c, "parametricSoftplus"); }},
    WrongValue{"activation-count", "one-more", [](Case& c) { c.attributes.activations = names(c, "Sigmoid", 1); }},
    WrongValue{"activation-count", "half-of-bidirectional",
               [](Case& c) {
                 c.attributes.direction.reset();
                 c.attributes.activations = names(c, "Sigmoid");
                 c.attributes.direction = "bidirectional";
               }},
};

/// A value of another type than the attribute's own.
AttributeValue mistyped(AttributeType type) {
  switch (type) {
    case AttributeType::Int:
      return 1.0F;
    case AttributeType::Float:
      return std::int64_t{1};
    case AttributeType::String:
      return std::vector<std::string>{"reverse"};
    case AttributeType::Floats:
      return 0.5F;
    case AttributeType::Ints:
      return std::int64_t{1};
    case AttributeType::Strings:
      return std::string("Tanh");
  }
  return std::int64_t{0};
}

void break_attribute_types(const Case& valid, std::vector<Breach>& breaches) {
  for (const auto& rule : rules_of(valid.version).attributes) {
    Case c = valid;
    for_each_attribute(c.attributes, [&](std::string_view name, auto& field) {
      if (name == rule.name) field.reset();
    });
    c.attributes.others = {{std::string(rule.name), mistyped(rule.type)}};
    breaches.push_back({"attribute-type", std::string(rule.name), std::move(c)});
  }
}

}  // namespace

void break_attributes(const Case& valid, Breaches wanted, std::vector<Breach>& breaches) {
  const OperatorVersion version = valid.version;
  for (const auto& attribute : versioned_attributes) {
    if (rules_of(version).attribute(attribute.name) != nullptr) continue;
    Case c = valid;
    attribute.write(c.attributes);
    breaches.push_back({"attribute-unknown", std::string(attribute.name), std::move(c)});
  }
  if (wanted == Breaches::ThatTellVersions && !is_newest(version)) return;
  for (const auto& wrong : wrong_values) {
    Case c = valid;
    wrong.write(c);
    breaches.push_back({wrong.rule, wrong.way, std::move(c)});
  }
  if (activation_count(version.op) > 1) {
    Case c = valid;
    c.attributes.activations = names(c, "Sigmoid", -1);
    breaches.push_back({"activation-count", "one-less", std::move(c)});
  }
  break_attribute_types(valid, breaches);
}

}  // namespace cellproof::corpus::catalogue
