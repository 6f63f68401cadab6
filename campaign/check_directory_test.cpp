// Outputs of a framework beside the node that was exported: what would make them right.
#include "campaign/check_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/backend_test.hpp"
#include "lab/mutants/mutants.hpp"
#include "spec/case.hpp"
#include "spec/reason_words.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

using ::testing::HasSubstr;

Problem layer() {
  Case c = plain_case({Operator::GRU, 14}, ElementType::Float, 4, 2, 3, 3);
  c.inputs[input::B].presence = Presence::Given;
  c.inputs[input::sequence_lens].presence = Presence::Given;
  c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {2}, std::vector<double>{4, 2});
  c.outputs = {Presence::Given};
  return make_problem(c);
}

std::string said_of(const Problem& exported, const Outputs& outputs) {
  const TemporaryFolder base;
  corpus::write_backend_test(base.path() / "layer", exported, outputs, std::nullopt, std::nullopt, "");
  const std::vector<CheckedDataSet> checked = check_directory(base.path() / "layer");
  EXPECT_EQ(checked.at(0).finding.judgement.verdict, Verdict::Diverges);
  return sentence_of(checked.at(0).finding.judgement);
}

TEST(CheckDirectory, SaysWhichLengthsAnExporterLost) {
  Problem exported = layer();
  exported.inputs[input::sequence_lens] = {Presence::Empty, Source::GraphInput, std::nullopt};
  EXPECT_THAT(said_of(exported, lab::mutants::run_without_fault(layer())),
              HasSubstr("; they are right for this node with sequence_lens 4,2"));
}

TEST(CheckDirectory, SaysThatOutputsHaveAFrameworksOrientation) {
  const Problem problem = layer();
  const Tensor Y = *lab::mutants::run_without_fault(problem).at(output::Y);  // [T,1,N,H]
  Tensor turned(ElementType::Float, {2, 4, 3});
  for (std::int64_t t = 0; t < 4; ++t)
    for (std::int64_t n = 0; n < 2; ++n)
      for (std::int64_t h = 0; h < 3; ++h)
        turned.set_value(static_cast<std::size_t>((n * 4 + t) * 3 + h), Y.value({t, 0, n, h}));
  EXPECT_THAT(said_of(problem, {turned}), HasSubstr("; they are right in the orientation of frameworks: --layout"));
}

}  // namespace
}  // namespace cellproof::campaign
