#include <cmath>
#include <optional>

#include "spec/axes/groups.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::axes_detail {
namespace {

using Values = std::vector<std::string>;

std::function<Values(OperatorVersion)> if_the_version_has(std::string_view attribute, const Values& values) {
  return [attribute, values](OperatorVersion version) {
    return rules_of(version).attribute(attribute) == nullptr ? Values{} : values;
  };
}

using IntegerField = std::optional<std::int64_t> Attributes::*;

/// An integer attribute with default 0; anything beyond the values counts as the last one.
Axis integer_axis(std::string_view attribute, std::string_view what, IntegerField field, const Values& values) {
  const auto of = [=](const Case& c) {
    const std::string text = std::to_string((c.attributes.*field).value_or(0));
    for (const std::string& value : values) {
      if (value == text) return value;
    }
    return values.back();
  };
  const auto change = [=](Case& c, std::string_view value) {
    c.attributes.*field = value == "0" ? std::nullopt : std::optional(value == "1" ? 1 : std::int64_t{2});
  };
  return make_axis(attribute, what, if_the_version_has(attribute, values), of, change);
}

Axis direction_axis() {
  return make_axis(
      "direction", "attribute direction: forward, reverse or both; \"forward\" is written by leaving it out",
      if_the_version_has("direction", {"forward", "reverse", "bidirectional"}),
      [](const Case& c) {
        const auto direction = direction_named(c.attributes.direction.value_or("forward"));
        return std::string(name(direction.value_or(Direction::Forward)));
      },
      [](Case& c, std::string_view value) {
        c.attributes.direction = value == "forward" ? std::nullopt : std::optional(std::string(value));
      });
}

/// Pre-activations of the usual regimes are around 1: the one threshold bites, the other never does.
constexpr float biting = 0.5F;
constexpr float wide = 1000.0F;
constexpr float still_biting = 8.0F;

Axis clip_axis() {
  return make_axis(
      "clip", "attribute clip: absent, beyond every pre-activation, among them, or 0 (clause clip-zero)",
      if_the_version_has("clip", {"absent", "wide", "biting", "zero"}),
      [](const Case& c) -> std::string {
        if (!c.attributes.clip) return "absent";
        if (*c.attributes.clip == 0) return "zero";
        return std::fabs(*c.attributes.clip) > still_biting ? "wide" : "biting";
      },
      [](Case& c, std::string_view value) {
        c.attributes.clip.reset();
        if (value == "wide") c.attributes.clip = wide;
        if (value == "biting") c.attributes.clip = biting;
        if (value == "zero") c.attributes.clip = 0.0F;
      });
}

Axis hidden_size_axis() {
  return make_axis(
      "hidden_size", "is the attribute hidden_size written (clause hidden-size-absent)",
      if_the_version_has("hidden_size", {"given", "absent"}),
      [](const Case& c) { return c.attributes.hidden_size ? "given" : "absent"; },
      [](Case& c, std::string_view value) {
        c.attributes.hidden_size = value == "given" ? std::optional(c.H) : std::nullopt;
      });
}

}  // namespace

std::vector<Axis> attribute_axes() {
  return {
      direction_axis(),
      integer_axis("layout", "attribute layout; 2 stands for every other value (clause layout-other)",
                   &Attributes::layout, {"0", "1", "2"}),
      clip_axis(),
      integer_axis("input_forget", "attribute input_forget: are the two gates coupled", &Attributes::input_forget,
                   {"0", "1"}),
      integer_axis("linear_before_reset",
                   "attribute linear_before_reset; 2 stands for every other value (clause linear-before-reset-other)",
                   &Attributes::linear_before_reset, {"0", "1", "2"}),
      integer_axis("output_sequence", "attribute output_sequence, before opset 7", &Attributes::output_sequence,
                   {"0", "1"}),
      hidden_size_axis(),
  };
}

}  // namespace cellproof::axes_detail
