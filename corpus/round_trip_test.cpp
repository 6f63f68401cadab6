#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "corpus/model.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/testing/case_generator.hpp"
#include "spec/utf8.hpp"

namespace cellproof::corpus {
namespace {

bool all_text(const std::vector<std::string>& strings) {
  return std::all_of(strings.begin(), strings.end(), is_utf8);
}

/// Every string in an ONNX model is UTF-8; a case may hold any bytes.
bool can_stand_in_a_model(const Attributes& attributes) {
  const bool others = std::all_of(attributes.others.begin(), attributes.others.end(), [](const OtherAttribute& other) {
    const auto* text = std::get_if<std::string>(&other.value);
    const auto* list = std::get_if<std::vector<std::string>>(&other.value);
    return is_utf8(other.name) && (text == nullptr || is_utf8(*text)) && (list == nullptr || all_text(*list));
  });
  return others && is_utf8(attributes.direction.value_or("")) &&
         all_text(attributes.activations.value_or(std::vector<std::string>{}));
}

std::optional<Problem> problem_of(const Case& c) {
  try {
    return make_problem(c);
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // a regime that has no values of the type
  }
}

RC_GTEST_PROP(RoundTrip, AModelReadBackIsTheSameModel, (const Case& c)) {
  const auto problem = problem_of(c);
  if (!problem) RC_DISCARD("no such values");
  const std::string model = to_model(*problem);
  if (!can_stand_in_a_model(problem->attributes)) {
    RC_TAG("no text");
    RC_ASSERT_THROWS_AS(from_model(model, "model"), CorpusError);
    return;
  }
  const auto read = from_model(model, "model");
  std::vector<Tensor> tensors;
  for (const auto position : read.input_positions) tensors.push_back(*problem->input(position));
  // By bytes: a NaN among the attributes does not equal itself.
  RC_ASSERT(to_model(bind_inputs(read, tensors, "data")) == model);
}

/// A case that a model is made from comes back with its presentation, so that the model has the case's line.
TEST(RoundTrip, ThePresentationIsReadBack) {
  for (const auto version : all_operator_versions()) {
    for (const Dims dims : all_dims()) {
      for (const auto& [name, value] : {std::pair("input.X", "graph"), {"input.initial_h", "graph"}, {"layout", "1"}}) {
        Case c = plain_case(version, ElementType::Float, 3, 2, 4, 5);
        const auto values = axis(name).values(version);
        if (std::ranges::find(values, value) != values.end()) c = axis(name).apply(c, value);
        c.presentation.dims = dims;
        for (const Nesting nesting : all_nestings()) {
          c.presentation.nesting = nesting;
          c.presentation.weights = all_weights()[c.presentation.weights == Weights::Stored ? 1 : 0];
          const auto read = from_model(to_model(make_problem(c)), "model");
          EXPECT_EQ(read.problem.presentation, c.presentation) << to_text(c);
        }
      }
    }
  }
}

}  // namespace
}  // namespace cellproof::corpus
