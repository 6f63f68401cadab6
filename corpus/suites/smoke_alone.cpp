#include <algorithm>
#include <array>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/smoke_parts.hpp"
#include "spec/axes.hpp"
#include "spec/resized.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus::catalogue {
namespace {

/// Axes with parts of their own in the suite, and two that a runtime's first passes take away: `pairs` has them.
bool is_elsewhere(std::string_view axis_name) {
  constexpr std::array elsewhere{"T", "N", "I", "H", "weights", "states"};
  return axis_name.starts_with("activation.") ||
         std::find(elsewhere.begin(), elsewhere.end(), axis_name) != elsewhere.end();
}

bool is_of_presentation(const Axis& row) {
  return std::ranges::find(axes_of_presentation(), row.name, &Axis::name) != axes_of_presentation().end();
}

/// Single choices, made in every version, so that a divergence in an old one has a name, too.
const std::vector<Choices> in_every_version{
    {{"direction", "reverse"}},
    {{"direction", "bidirectional"}},
    {{"layout", "1"}},
    {{"layout", "2"}},
    {{"lengths", "ragged"}},
    {{"lengths", "all-zero"}},
    {{"clip", "biting"}},
    {{"clip", "zero"}},
    {{"input_forget", "1"}},
    {{"linear_before_reset", "1"}},
    {{"linear_before_reset", "2"}},
    {{"output_sequence", "0"}},
    {{"hidden_size", "absent"}},
    {{"activations", "written-out"}},
    {{"activations", "lower-case"}},
    {{"activations", "two-names"}},
    {{"input.B", "empty"}},
    {{"outputs", "none"}},
    {{"T", "0"}},
    {{"N", "0"}},
};

/// Data on which an argument of Tanh goes below -45, where a literally evaluated e^-2x overflows in float.
void saturate_tanh(Case& c) {
  c.inputs[input::B].presence = Presence::Given;
  constexpr std::array<std::uint64_t, 4> seeds{13, 20, 4, 42};  // of LSTM, GRU, RNN, DynamicQuantizeLSTM
  c.seed = seeds.at(static_cast<std::size_t>(c.version.op));
}

/// Writes out the defaults of attributes, which engines take apart before they look at anything else.
Case defaults_written(Case c) {
  c.attributes.direction = "forward";
  if (rules_of(c.version).attribute("layout") != nullptr) c.attributes.layout = 0;
  if (rules_of(c.version).attribute("input_forget") != nullptr) c.attributes.input_forget = 0;
  if (rules_of(c.version).attribute("linear_before_reset") != nullptr) c.attributes.linear_before_reset = 0;
  return c;
}

/// int8 weights up to +-127 with scales as small as ever: two products of bytes leave 16 bits, and no function
/// saturates that would hide it.
Case wide_bytes(Case c) {
  c.weight_type = ElementType::Int8;
  for (const auto position : {input::W, input::R}) c.inputs[position].values = Generated{Regime::Saturating, {}};
  return c;
}

/// NaN and infinities, which no clip lets be what they are.
Case without_numbers(Case c) {
  c.inputs[input::X].values = Generated{.regime = Regime::Special, .seed = {}};
  return c;
}

/// Infinities that a function without a bound lets through; a second step would make NaN of them.
Case with_infinity(const Case& plain) {
  const Case one_step = resized(resized(plain, "T", 1), "N", 2);
  Case c = without_numbers(chosen(one_step, {{"activation.f", "Relu"}}));
  c.seed = 35;  // with some above 0
  return c;
}

}  // namespace

void add_alone(OperatorVersion version, CaseList& list) {
  const Case plain = basis(version);
  for (const auto& choice : in_every_version) list.add(to_string(choice), chosen(plain, choice));
  if (!is_newest(version)) return;
  list.add("rich,defaults-written", defaults_written(rich(version)));
  if (is_quantised(version.op))
    list.add("weight_type=int8,up-to-127", wide_bytes(plain));
  else
    list.add("input.B=initializer,special-in-X", without_numbers(chosen(plain, {{"input.B", "initializer"}})));
  list.add("rich,input.initial_h=empty", chosen(rich(version), {{"input.initial_h", "empty"}}));
  for (const Axis& row : axes()) {
    if (is_elsewhere(row.name)) continue;
    // With every input given: what goes wrong in a type or a presentation mostly goes wrong with one of them.
    const bool with_all = row.name == "type" || is_of_presentation(row);
    for (const auto& value : row.values(version)) {
      const Choices choice{{row.name, value}};
      Case c = chosen(with_all ? rich(version) : plain, choice);
      if (choice == Choices{{"regime", "saturating"}}) saturate_tanh(c);
      list.add((with_all ? "rich," : "") + to_string(choice), std::move(c));
    }
  }
  if (!is_quantised(version.op)) list.add("activation.f=Relu,special-in-X", with_infinity(plain));
}

}  // namespace cellproof::corpus::catalogue
