#include "spec/testing/case_generator.hpp"

#include <bit>
#include <string>
#include <utility>
#include <vector>

namespace rc {

template <>
struct Arbitrary<cellproof::ElementType> {
  static Gen<cellproof::ElementType> arbitrary() {
    const auto all = cellproof::all_element_types();
    return gen::elementOf(std::vector(all.begin(), all.end()));
  }
};

template <>
struct Arbitrary<cellproof::OperatorVersion> {
  static Gen<cellproof::OperatorVersion> arbitrary() {
    const auto all = cellproof::all_operator_versions();
    return gen::elementOf(std::vector(all.begin(), all.end()));
  }
};

template <>
struct Arbitrary<cellproof::Regime> {
  static Gen<cellproof::Regime> arbitrary() {
    const auto all = cellproof::all_regimes();
    return gen::elementOf(std::vector(all.begin(), all.end()));
  }
};

template <>
struct Arbitrary<cellproof::Presentation> {
  static Gen<cellproof::Presentation> arbitrary() {
    const auto all = cellproof::all_dims();
    const auto nestings = cellproof::all_nestings();
    const auto weights = cellproof::all_weights();
    const auto states = cellproof::all_states();
    return gen::build<cellproof::Presentation>(
        gen::set(&cellproof::Presentation::dims, gen::elementOf(std::vector(all.begin(), all.end()))),
        gen::set(&cellproof::Presentation::nesting, gen::elementOf(std::vector(nestings.begin(), nestings.end()))),
        gen::set(&cellproof::Presentation::weights, gen::elementOf(std::vector(weights.begin(), weights.end()))),
        gen::set(&cellproof::Presentation::states, gen::elementOf(std::vector(states.begin(), states.end()))));
  }
};

template <>
struct Arbitrary<cellproof::Presence> {
  static Gen<cellproof::Presence> arbitrary() {
    using cellproof::Presence;
    return gen::element(Presence::Absent, Presence::Empty, Presence::Given);
  }
};

}  // namespace rc

namespace cellproof {
namespace {

/// nullopt or something.
template <typename T>
rc::Gen<std::optional<T>> perhaps(rc::Gen<T> some) {
  return rc::gen::oneOf(rc::gen::just(std::optional<T>()),
                        rc::gen::map(std::move(some), [](T value) { return std::optional<T>(std::move(value)); }));
}

rc::Gen<float> any_float() {
  return rc::gen::oneOf(rc::gen::map<std::uint32_t>([](std::uint32_t bits) { return std::bit_cast<float>(bits); }),
                        rc::gen::element(0.0f, -0.0f, 0.5f, 1.0f, 0.01f, std::bit_cast<float>(0x7fc00000u)));
}

rc::Gen<std::string> any_string() {
  return rc::gen::oneOf(rc::gen::arbitrary<std::string>(),
                        rc::gen::element<std::string>("", "Relu", "ScaledTanh", "reverse", "bidirectional", "a b", "%",
                                                      "[]", "none", "x,y;z:1/2=3", "\xff\n"));
}

template <typename T>
rc::Gen<std::vector<T>> short_list(const rc::Gen<T>& element) {
  return rc::gen::mapcat(rc::gen::inRange(0, 5), [element](int count) {
    return rc::gen::container<std::vector<T>>(static_cast<std::size_t>(count), element);
  });
}

rc::Gen<std::int64_t> any_integer() {
  return rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int64_t>(-2, 8));
}

rc::Gen<Shape> any_shape() {
  return short_list(rc::gen::inRange<std::int64_t>(0, 5));
}

rc::Gen<Tensor> any_tensor() {
  return rc::gen::mapcat(rc::gen::pair(rc::gen::arbitrary<ElementType>(), any_shape()), [](const auto& kind) {
    const std::size_t size = element_count(kind.second) * size_of(kind.first);
    return rc::gen::map(rc::gen::container<std::vector<std::uint8_t>>(size, rc::gen::arbitrary<std::uint8_t>()),
                        [kind](const std::vector<std::uint8_t>& values) {
                          std::vector<std::byte> bytes(values.size());
                          for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(values[i]);
                          return Tensor(kind.first, kind.second, std::move(bytes));
                        });
  });
}

rc::Gen<AttributeValue> any_attribute_value() {
  const auto as_value = [](auto value) { return AttributeValue(std::move(value)); };
  return rc::gen::oneOf(rc::gen::map(any_integer(), as_value), rc::gen::map(any_float(), as_value),
                        rc::gen::map(any_string(), as_value), rc::gen::map(short_list(any_integer()), as_value),
                        rc::gen::map(short_list(any_float()), as_value),
                        rc::gen::map(short_list(any_string()), as_value));
}

rc::Gen<Attributes> any_attributes() {
  return rc::gen::build<Attributes>(
      rc::gen::set(&Attributes::activation_alpha, perhaps(short_list(any_float()))),
      rc::gen::set(&Attributes::activation_beta, perhaps(short_list(any_float()))),
      rc::gen::set(&Attributes::activations, perhaps(short_list(any_string()))),
      rc::gen::set(&Attributes::clip, perhaps(any_float())),
      rc::gen::set(&Attributes::direction, perhaps(any_string())),
      rc::gen::set(&Attributes::hidden_size, perhaps(any_integer())),
      rc::gen::set(&Attributes::input_forget, perhaps(any_integer())),
      rc::gen::set(&Attributes::layout, perhaps(any_integer())),
      rc::gen::set(&Attributes::linear_before_reset, perhaps(any_integer())),
      rc::gen::set(&Attributes::output_sequence, perhaps(any_integer())),
      rc::gen::set(&Attributes::others, short_list(rc::gen::build<OtherAttribute>(
                                            rc::gen::set(&OtherAttribute::name, any_string()),
                                            rc::gen::set(&OtherAttribute::value, any_attribute_value())))));
}

rc::Gen<CaseInput> any_input() {
  using Values = std::variant<Generated, Tensor>;
  const auto generated =
      rc::gen::build<Generated>(rc::gen::set(&Generated::regime, perhaps(rc::gen::arbitrary<Regime>())),
                                rc::gen::set(&Generated::seed, perhaps(rc::gen::arbitrary<std::uint64_t>())));
  return rc::gen::build<CaseInput>(
      rc::gen::set(&CaseInput::presence),
      rc::gen::set(&CaseInput::source, rc::gen::element(Source::Initializer, Source::GraphInput, Source::ConstantNode)),
      rc::gen::set(&CaseInput::values,
                   rc::gen::oneOf(rc::gen::map(generated, [](Generated g) { return Values(g); }),
                                  rc::gen::map(any_tensor(), [](Tensor t) { return Values(std::move(t)); }))),
      rc::gen::set(&CaseInput::type, perhaps(rc::gen::arbitrary<ElementType>())),
      rc::gen::set(&CaseInput::shape, perhaps(any_shape())));
}

}  // namespace

rc::Gen<Case> any_case() {
  const auto size = rc::gen::inRange<std::int64_t>(0, 7);
  const auto list = []<typename T>(int most, const rc::Gen<T>& element) {
    return rc::gen::mapcat(rc::gen::inRange(0, most + 1), [element](int count) {
      return rc::gen::container<std::vector<T>>(static_cast<std::size_t>(count), element);
    });
  };
  return rc::gen::build<Case>(
      rc::gen::set(&Case::version), rc::gen::set(&Case::type), rc::gen::set(&Case::weight_type),
      rc::gen::set(&Case::T, size), rc::gen::set(&Case::N, size), rc::gen::set(&Case::I, size),
      rc::gen::set(&Case::H, size), rc::gen::set(&Case::attributes, any_attributes()), rc::gen::set(&Case::seed),
      rc::gen::set(&Case::regime), rc::gen::set(&Case::inputs, list(14, any_input())),
      rc::gen::set(&Case::outputs, list(5, rc::gen::arbitrary<Presence>())), rc::gen::set(&Case::presentation));
}

}  // namespace cellproof
