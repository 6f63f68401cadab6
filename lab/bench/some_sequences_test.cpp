#include "lab/bench/some_sequences.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "lab/zoo/zoo.hpp"
#include "spec/case.hpp"

namespace cellproof::lab::bench {
namespace {

/// A case with everything that has a batch dimension.
Case full_case(bool batch_first) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 4, 5, 3, 2);
  c.inputs.resize(input::initial_c + 1);
  for (const std::size_t position : {input::sequence_lens, input::initial_h, input::initial_c}) {
    c.inputs[position] = plain_input(Operator::LSTM, position);
    c.inputs[position].presence = Presence::Given;
  }
  c.attributes.direction = "bidirectional";
  if (batch_first) c.attributes.layout = 1;
  return c;
}

TEST(SomeSequences, ComputeWhatTheyComputeAmongTheOthers) {
  const auto& style = lab::zoo::styles().front();
  for (const bool batch_first : {false, true}) {
    const Problem whole = make_problem(full_case(batch_first));
    const auto outputs = lab::zoo::run(whole, style, 1);
    const Problem part = some_sequences(whole, 1, 3);
    EXPECT_EQ(dimensions_of(part).N, 3);
    EXPECT_EQ(lab::zoo::run(part, style, 1), outputs_of_some_sequences(whole, outputs, 1, 3))
        << "batch first: " << batch_first;
  }
}

TEST(SomeSequences, AreNotToBeHadOfADynamicallyQuantisedBatch) {
  const Problem problem = make_problem(plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, 2, 2, 3, 2));
  EXPECT_THROW(some_sequences(problem, 0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof::lab::bench
