#include "reference/testing/cases.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <span>
#include <utility>

#include "spec/rules/activations.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::reference::testing {
namespace {

constexpr std::array directions = {"forward", "reverse", "bidirectional"};

bool has(OperatorVersion version, std::string_view attribute) {
  return rules_of(version).attribute(attribute) != nullptr;
}

std::size_t direction_count(const Case& c) {
  return c.attributes.direction == "bidirectional" ? 2 : 1;
}

std::size_t function_count(const Case& c) {
  return direction_count(c) * static_cast<std::size_t>(activation_count(c.version.op));
}

void give(Case& c, std::size_t position) {
  if (position < c.inputs.size()) c.inputs[position].presence = Presence::Given;
}

void give_lengths(Case& c, const std::vector<double>& lengths) {
  give(c, input::sequence_lens);
  c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {c.N}, lengths);
}

/// Scales and zero points with one value for each output column; otherwise one for each direction.
void give_columns(Case& c) {
  for (std::size_t position = input::W_scale; position < c.inputs.size(); ++position) {
    c.inputs[position].shape = Shape{static_cast<std::int64_t>(direction_count(c)), 4 * c.H};
    const bool scale = position == input::W_scale || position == input::R_scale;
    // Only this regime gives each column a zero point of its own.
    if (!scale) c.inputs[position].values = Generated{.regime = Regime::Special, .seed = std::nullopt};
  }
}

/// The engine behind a case: integers below a bound, the same on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  float between(float low, float high) { return low + (high - low) * static_cast<float>(below(1025)) / 1024.0F; }

 private:
  std::mt19937_64 engine_;
};

void draw_activations(Case& c, Dice& dice) {
  if (dice.one_in(3)) return;
  const std::size_t count = function_count(c);
  auto& attributes = c.attributes;
  if (!dice.one_in(5)) {
    attributes.activations.emplace();
    for (std::size_t i = 0; i < count; ++i) {
      attributes.activations->emplace_back(activations()[dice.below(activations().size())].name);
    }
  }
  // Longer than what is consumed, exactly as long as the list, or too short: all are to be understood.
  const auto draw_list = [&](std::optional<std::vector<float>>& list) {
    if (dice.one_in(3)) return;
    list.emplace();
    for (std::size_t i = dice.below(count + 2); i > 0; --i) list->push_back(dice.between(-0.5F, 1.5F));
  };
  draw_list(attributes.activation_alpha);
  draw_list(attributes.activation_beta);
}

void draw_inputs(Case& c, Dice& dice) {
  for (std::size_t position = input::B; position < c.inputs.size() && position < input::W_scale; ++position) {
    constexpr std::array presences = {Presence::Given, Presence::Given, Presence::Empty};
    c.inputs[position].presence = presences[dice.below(presences.size())];
  }
  if (c.inputs[input::sequence_lens].presence == Presence::Given) {
    std::vector<double> lengths;
    for (std::int64_t n = 0; n < c.N; ++n) {
      lengths.push_back(static_cast<double>(dice.below(static_cast<std::size_t>(c.T) + 1)));
    }
    give_lengths(c, lengths);
  }
  if (c.version.op == Operator::DynamicQuantizeLSTM && dice.one_in(2)) give_columns(c);
}

}  // namespace

Case random_case(OperatorVersion version, std::uint64_t seed) {
  Dice dice(seed * 64 + static_cast<std::uint64_t>(version.op) * 32 +
            static_cast<std::uint64_t>(version.since_version));
  const auto& types = rules_of(version).type("T")->allowed;
  const auto size = [&](std::size_t largest) { return static_cast<std::int64_t>(1 + dice.below(largest)); };
  const std::int64_t T = dice.one_in(30) ? 0 : size(3);
  const std::int64_t N = dice.one_in(30) ? 0 : size(2);
  Case c = plain_case(version, types[dice.below(types.size())], T, N, size(3), size(3));
  c.weight_type = dice.one_in(2) ? ElementType::UInt8 : ElementType::Int8;
  c.seed = dice.below(1'000'000);
  constexpr std::array regimes = {Regime::Normal,  Regime::Discriminating, Regime::ExactDyadic, Regime::Saturating,
                                  Regime::Chaotic, Regime::Subnormal,      Regime::Zero};
  c.regime = regimes[dice.below(regimes.size())];

  Attributes& attributes = c.attributes;
  if (dice.one_in(4)) attributes.hidden_size.reset();
  if (!dice.one_in(4)) attributes.direction = directions[dice.below(directions.size())];
  if (dice.one_in(3)) attributes.clip = dice.between(0.0F, 1.5F);
  if (has(version, "layout") && dice.one_in(2)) attributes.layout = dice.below(2);
  if (has(version, "input_forget") && dice.one_in(2)) attributes.input_forget = dice.below(2);
  if (has(version, "linear_before_reset") && dice.one_in(2)) attributes.linear_before_reset = dice.below(2);
  if (has(version, "output_sequence") && dice.one_in(2)) attributes.output_sequence = 1;
  draw_activations(c, dice);
  draw_inputs(c, dice);
  return c;
}

namespace {

/// Cases of a version that each depart from one base.
class Systematic {
 public:
  explicit Systematic(OperatorVersion version)
      : version_(version), base_(plain_case(version, ElementType::Float, 3, 3, 2, 4)) {
    base_.seed = 7;
    for (std::size_t position = input::B; position < base_.inputs.size(); ++position) give(base_, position);
    give_lengths(base_, {2, 3, 1});
  }

  std::vector<NamedCase> all() {
    changed("plain", [](Case& c) { c.inputs[input::sequence_lens].presence = Presence::Empty; });
    for (ElementType type : rules_of(version_).type("T")->allowed) {
      changed("type=" + std::string(onnx_name(type)), [&](Case& c) { c.type = type; });
    }
    add_directions();
    for (float clip : {0.0F, 0.25F, 0.5F, 100.0F}) {
      changed("clip=" + std::to_string(clip), [&](Case& c) { c.attributes.clip = clip; });
    }
    add_flags();
    add_missing();
    changed("H=1", [](Case& c) {
      c.H = 1;
      c.attributes.hidden_size = 1;
    });
    if (version_.op == Operator::DynamicQuantizeLSTM) add_columns();
    for (const ActivationInfo& info : activations()) add_function(info);
    changed("names in lower case, fewer alphas than functions", [&](Case& c) {
      c.attributes.activations.emplace(slots(), "leakyrelu");
      c.attributes.activation_alpha.emplace(1, 0.25F);
    });
    return std::move(cases_);
  }

 private:
  template <class Change>
  void changed(const std::string& name, Change change) {
    Case c = base_;
    change(c);
    cases_.push_back({to_string(version_) + " " + name, c});
  }

  std::size_t slots() const { return static_cast<std::size_t>(activation_count(version_.op)); }

  void add_directions() {
    for (const char* direction : directions) {
      changed(std::string("direction=") + direction, [&](Case& c) { c.attributes.direction = direction; });
      changed(std::string("zero length, direction=") + direction, [&](Case& c) {
        c.attributes.direction = direction;
        give_lengths(c, {0, 2, 3});
      });
      if (!has(version_, "layout")) continue;
      changed(std::string("layout=1 direction=") + direction, [&](Case& c) {
        c.attributes.direction = direction;
        c.attributes.layout = 1;
      });
    }
  }

  void add_flags() {
    for (const auto& [flag, member] : {std::pair{"input_forget", &Attributes::input_forget},
                                       {"linear_before_reset", &Attributes::linear_before_reset},
                                       {"output_sequence", &Attributes::output_sequence}}) {
      if (has(version_, flag)) changed(std::string(flag) + "=1", [m = member](Case& c) { c.attributes.*m = 1; });
    }
  }

  void add_missing() {
    for (std::size_t position = input::B; position < base_.inputs.size() && position < input::W_scale; ++position) {
      changed("without " + std::string(input_names(version_.op)[position]),
              [&](Case& c) { c.inputs[position].presence = Presence::Empty; });
    }
    changed("without hidden_size", [](Case& c) { c.attributes.hidden_size.reset(); });
  }

  void add_columns() {
    for (ElementType type : {ElementType::UInt8, ElementType::Int8}) {
      changed("per column, weights " + std::string(onnx_name(type)), [&](Case& c) {
        c.weight_type = type;
        give_columns(c);
      });
    }
  }

  /// The function in each slot of a bidirectional node, once with the default parameters and once with parameters of
  /// its own; the other slots keep functions that take none, or HardSigmoid with its parameters, so that the lists are
  /// long.
  void add_function(const ActivationInfo& info) {
    const auto index = static_cast<std::size_t>(&info - activations().data());
    const std::size_t count = 2 * slots();
    for (std::size_t slot = 0; slot < count; ++slot) {
      if (!is_newest(version_) && slot != index % count) continue;
      changed(std::string(info.name) + " in slot " + std::to_string(slot) + ", default parameters", [&](Case& c) {
        c.attributes.direction = "bidirectional";
        c.attributes.activations.emplace(count, "Tanh");
        c.attributes.activations->at(slot) = info.name;
      });
      if (!info.uses_alpha) continue;
      changed(std::string(info.name) + " in slot " + std::to_string(slot) + ", given parameters", [&](Case& c) {
        c.attributes.direction = "bidirectional";
        c.attributes.activations.emplace(count, "HardSigmoid");
        c.attributes.activations->at(slot) = info.name;
        c.attributes.activation_alpha.emplace();
        c.attributes.activation_beta.emplace();
        for (std::size_t i = 0; i < count; ++i) {
          c.attributes.activation_alpha->push_back(0.5F + 0.1F * static_cast<float>(i));
          c.attributes.activation_beta->push_back(0.3F - 0.05F * static_cast<float>(i));
        }
      });
    }
  }

  OperatorVersion version_;
  Case base_;
  std::vector<NamedCase> cases_;
};

}  // namespace

std::vector<NamedCase> systematic_cases(OperatorVersion version) {
  return Systematic(version).all();
}

}  // namespace cellproof::reference::testing
